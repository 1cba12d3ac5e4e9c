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
        let reached = [address] + (address.translated.map { [$0] } ?? [])
        guard let network = denied.first(where: { network in reached.contains { network.contains($0) } }) else {
            return nil
        }
        return "deny_addresses \(network)"
    }
}

extension IPAddress {
    private static let translations = ["64:ff9b::/96", "64:ff9b:1::/48", "::/96"].compactMap(IPNetwork.init)
    private static let sixToFour = IPNetwork("2002::/16")

    /// The IPv4 address behind NAT64's well-known and local-use prefixes (RFC 6052, RFC 8215), 6to4 (RFC 3056) and the
    /// retired IPv4-compatible form; mapped addresses are IPv4 ones already.
    fileprivate var translated: IPAddress? {
        guard isIPv6 else { return nil }
        if Self.translations.contains(where: { $0.contains(self) }) { return IPAddress(bytes: bytes.suffix(4)) }
        if let prefix = Self.sixToFour, prefix.contains(self) { return IPAddress(bytes: bytes[2..<6]) }
        return nil
    }
}
