package import PinwatchCore

/// Which addresses a channel may be connected to, judged on the address itself, so that no name can lead elsewhere.
package struct AddressRule: Hashable, Sendable {
    /// Whether loopback and private addresses are allowed.
    package let allowPrivate: Bool
    /// Never allowed, whatever the channel says.
    package let denied: [IPNetwork]

    package init(
        allowPrivate: Bool, denied: [IPNetwork] = Configuration.ScanSettings.defaultDenyAddresses
    ) {
        self.allowPrivate = allowPrivate
        self.denied = denied
    }

    /// Why the address may not be connected to; `nil` if it may. One that embeds an IPv4 address is judged by both.
    package func refusal(of address: IPAddress) -> AttemptFailure? {
        let forms = [address] + (address.embeddedIPv4.map { [$0] } ?? [])
        if forms.contains(where: { form in denied.contains { $0.contains(form) } }) { return .addressDenied(address) }
        return forms.contains(where: \.isPrivate) && !allowPrivate ? .addressPrivate(address) : nil
    }
}
