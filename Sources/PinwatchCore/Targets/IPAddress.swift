/// An IPv4 or IPv6 address; IPv4-mapped IPv6 addresses are kept as the IPv4 addresses they mean.
package struct IPAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 4 or 16 bytes, network order.
    package let bytes: [UInt8]

    /// `nil` unless there are 4 or 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        let all = Array(bytes)
        guard all.count == 4 || all.count == 16 else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = all.count == 16 && all.starts(with: mapped) ? Array(all.suffix(4)) : all
    }

    /// Reads dotted decimal with four parts and no leading zeros, or RFC 4291 section 2.2 text without brackets or zone.
    package init?(_ text: String) {
        guard let bytes = text.utf8.contains(0x3A) ? Self.ipv6(text[...]) : Self.ipv4(text[...]) else { return nil }
        self.init(bytes: bytes)
    }

    package var isIPv6: Bool { bytes.count == 16 }

    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        left.bytes.count == right.bytes.count
            ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.bytes.count < right.bytes.count
    }

    /// Dotted decimal, or RFC 5952's canonical text.
    package var description: String {
        guard isIPv6 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var longest = 0..<0
        var index = 0
        while index < 8 {
            let end = groups[index...].firstIndex { $0 != 0 } ?? 8
            if end - index > max(longest.count, 1) { longest = index..<end }
            index = max(end, index + 1)
        }
        func hex(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return longest.isEmpty ? hex(0..<8) : hex(0..<longest.lowerBound) + "::" + hex(longest.upperBound..<8)
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != 0x30, let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            let bytes = groups(text)
            return bytes?.count == 16 ? bytes : nil
        }
        let (before, after) = (text[..<gap.lowerBound], text[gap.upperBound...])
        guard let head = before.isEmpty ? [] : groups(before, last: false),
            let tail = after.isEmpty ? [] : groups(after),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Groups of one to four hexadecimal digits; dotted decimal may stand in the last place.
    private static func groups(_ text: Substring, last: Bool = true) -> [UInt8]? {
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if last, index == parts.count - 1, part.utf8.contains(0x2E) {
                guard let dotted = ipv4(part) else { return nil }
                bytes += dotted
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }
}

/// A range of addresses in CIDR notation.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    package let base: IPAddress
    /// 0 to 32 for IPv4, 0 to 128 for IPv6.
    package let prefixLength: Int

    /// Reads `10.0.0.0/8`, `fe80::/10`, or one address, which is a range of itself. Bits below the prefix are ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let base = IPAddress(String(parts[0])) else { return nil }
        let width = base.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]),
                (0...width).contains(length)
            else { return nil }
            prefixLength = length
        } else {
            prefixLength = width
        }
        self.base = base
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let (whole, rest) = (prefixLength / 8, prefixLength % 8)
        guard address.bytes.prefix(whole).elementsEqual(base.bytes.prefix(whole)) else { return false }
        return rest == 0 || (address.bytes[whole] ^ base.bytes[whole]) >> (8 - UInt8(rest)) == 0
    }

    package var description: String { "\(base)/\(prefixLength)" }
}

extension IPAddress {
    private static func any(_ texts: String...) -> [IPNetwork] { texts.compactMap(IPNetwork.init) }
    private static let loopback = any("127.0.0.0/8", "::1/128")
    /// Ranges of the IANA special-purpose registries that are not reachable over the public Internet.
    private static let notPublic = any(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4", "::/128", "::1/128", "64:ff9b::/96",
        "64:ff9b:1::/48", "100::/64", "2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8")

    package var isLoopback: Bool { Self.loopback.contains { $0.contains(self) } }

    /// Private, loopback, link-local, multicast, or a translation prefix that can reach such an address.
    package var isPrivate: Bool { Self.notPublic.contains { $0.contains(self) } }
}
