package import PinwatchCore

/// Which addresses may be connected to.
package struct AddressRules: Sendable {
    private let denied: [IPNetwork]

    package init(denied: [IPNetwork]) {
        self.denied = denied
    }

    /// The rule against an address, in the configuration's words (`deny_addresses 169.254.0.0/16`); `nil` lets it pass.
    ///
    /// A translated address is also judged by the IPv4 address that it leads to.
    package func rule(against address: IPAddress) -> String? {
        let reached = [address] + (address.embeddedIPv4.map { [$0] } ?? [])
        guard let network = denied.first(where: { network in reached.contains { network.contains($0) } }) else {
            return nil
        }
        return "deny_addresses \(network)"
    }
}
