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

    /// Why the address may not be connected to; `nil` if it may.
    package func refusal(of address: IPAddress) -> AttemptFailure? {
        let forms = [address] + (address.translated.map { [$0] } ?? [])
        if forms.contains(where: { form in denied.contains { $0.contains(form) } }) { return .addressDenied(address) }
        return address.isPrivate && !allowPrivate ? .addressPrivate(address) : nil
    }
}

extension IPAddress {
    /// The IPv4 address that a gateway would make of this one: NAT64's well-known prefix (RFC 6052 section 2.1) and
    /// 6to4 (RFC 3056 section 2).
    fileprivate var translated: IPAddress? {
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return IPAddress(bytes: bytes[12...])
        }
        return bytes.count == 16 && bytes.starts(with: [0x20, 0x02]) ? IPAddress(bytes: bytes[2..<6]) : nil
    }
}
