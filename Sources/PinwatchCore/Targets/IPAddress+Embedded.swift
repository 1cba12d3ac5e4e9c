extension IPAddress {
    /// NAT64's well-known prefix and its prefix for local use, and the retired IPv4-compatible form.
    private static let trailing = ["64:ff9b::/96", "64:ff9b:1::/48", "::/96"].compactMap(IPNetwork.init)
    private static let sixToFour = IPNetwork("2002::/16")

    /// The IPv4 address that packets to this IPv6 address may end at: NAT64 with the well-known prefix (RFC 6052
    /// section 2.1) or the one for local use (RFC 8215, whose last four bytes are read, as a prefix of 96 bits has it),
    /// IPv4-compatible (RFC 4291 section 2.5.5.1) and 6to4 (RFC 3056 section 2). `nil` for all others, IPv4 addresses
    /// and so IPv4-mapped ones included, which are kept as IPv4.
    ///
    /// A rule about addresses that is not asked about this one too can be walked around through a gateway.
    package var embeddedIPv4: IPAddress? {
        guard isIPv6 else { return nil }
        if Self.trailing.contains(where: { $0.contains(self) }) { return IPAddress(bytes: bytes.suffix(4)) }
        return Self.sixToFour?.contains(self) == true ? IPAddress(bytes: bytes[2..<6]) : nil
    }
}
