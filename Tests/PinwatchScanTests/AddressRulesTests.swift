import PinwatchCore
import PinwatchScan
import Testing

/// A denied range is denied in every form of an address that leads there.
struct AddressRulesTests {
    private static let denied = [
        "169.254.0.0/16", "10.0.0.0/8", "192.0.2.7", "fd00::/8", "::1/128", "0.0.0.0/32",
    ]

    private func rules(_ texts: [String]) throws -> AddressRules {
        AddressRules(denied: try texts.map { try #require(IPNetwork($0), "\($0)") })
    }

    @Test(
        "an address within a denied range names the range",
        arguments: [
            // The edges of ranges.
            ("169.254.0.0", "169.254.0.0/16"), ("169.254.255.255", "169.254.0.0/16"), ("10.255.255.255", "10.0.0.0/8"),
            ("192.0.2.7", "192.0.2.7/32"), ("0.0.0.0", "0.0.0.0/32"), ("::1", "::1/128"),
            ("fd00::", "fd00::/8"), ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fd00::/8"),
            // IPv4-mapped.
            ("::ffff:169.254.169.254", "169.254.0.0/16"), ("::ffff:a00:1", "10.0.0.0/8"),
            // NAT64, well-known and local-use; 6to4; IPv4-compatible.
            ("64:ff9b::169.254.169.254", "169.254.0.0/16"), ("64:ff9b::a00:1", "10.0.0.0/8"),
            ("64:ff9b:1::10.1.2.3", "10.0.0.0/8"), ("64:ff9b:1:7:8:9:a01:203", "10.0.0.0/8"),
            ("2002:a9fe:a9fe::", "169.254.0.0/16"), ("2002:a00:1:ffff::1", "10.0.0.0/8"),
            ("::10.0.0.1", "10.0.0.0/8"), ("::", "0.0.0.0/32"),
        ])
    func denied(_ address: String, _ range: String) throws {
        let address = try #require(IPAddress(address))
        #expect(try rules(Self.denied).rule(against: address) == "deny_addresses \(range)")
    }

    @Test(
        "an address beside the denied ranges passes",
        arguments: [
            "169.253.255.255", "169.255.0.0", "9.255.255.255", "11.0.0.0", "192.0.2.6", "192.0.2.8", "0.0.0.1",
            "::2", "fcff:ffff::", "fe00::", "::ffff:11.0.0.1", "64:ff9b::11.0.0.1", "2002:b00:1::a00:1",
            // Prefixes that translate nothing.
            "64:ff9b:2::10.0.0.1", "64:ff9a::10.0.0.1", "2003:a00:1::", "2001:db8::10.0.0.1",
        ])
    func passing(_ address: String) throws {
        let address = try #require(IPAddress(address))
        #expect(try rules(Self.denied).rule(against: address) == nil)
    }

    @Test(
        "a rule of one family, or of no bits, holds for what it says",
        arguments: [
            (["0.0.0.0/0"], "8.8.8.8", "deny_addresses 0.0.0.0/0"), (["0.0.0.0/0"], "2001:db8::1", nil),
            (["0.0.0.0/0"], "64:ff9b::8.8.8.8", "deny_addresses 0.0.0.0/0"), (["::/0"], "8.8.8.8", nil),
            (["::/0"], "2001:db8::1", "deny_addresses ::/0"),
            (["64:ff9b::/96"], "64:ff9b::1", "deny_addresses 64:ff9b::/96"),
            (["::ffff:10.0.0.1"], "10.0.0.1", "deny_addresses 10.0.0.1/32"), ([], "127.0.0.1", nil),
            // The first of several rules is named.
            (["10.0.0.0/8", "10.1.0.0/16"], "10.1.0.1", "deny_addresses 10.0.0.0/8"),
            (["10.1.0.0/16", "10.0.0.0/8"], "10.1.0.1", "deny_addresses 10.1.0.0/16"),
            // A prefix that ends within a byte.
            (["172.16.0.0/12"], "172.31.255.255", "deny_addresses 172.16.0.0/12"),
            (["172.16.0.0/12"], "172.32.0.0", nil),
        ] as [([String], String, String?)])
    func single(_ denied: [String], _ address: String, _ rule: String?) throws {
        let address = try #require(IPAddress(address))
        #expect(try rules(denied).rule(against: address) == rule)
    }
}
