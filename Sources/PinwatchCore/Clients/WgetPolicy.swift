package enum Wget: PinnedPublicKeyProgram {
    package static func splitters(_ version: VersionNumber?) -> [(name: String, splitter: PinListSplitter)] {
        [("wget", .atMarks)]
    }

    /// As bytes: white space is skipped, padding is needed.
    package static func matches(_ element: String, _ spki: SHA256Digest) -> Bool { decode(element) == spki.bytes }

    package static func notes(_ version: VersionNumber?) -> [String] {
        guard let version, let known = VersionNumber("1.24.5"), known < version else { return [] }
        return ["wget \(version) is taken to cut the list as 1.24.5 does, the newest that was looked at"]
    }

    /// `wget_base64_decode`; `nil` where it reports an error, which skips the pin.
    static func decode(_ text: String) -> [UInt8]? {
        let symbols = text.utf8.filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
        guard symbols.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: symbols.count, by: 4) {
            let quad = symbols[start..<start + 4]
            let digits = quad.prefix { $0 != UInt8(ascii: "=") }
            let values = digits.compactMap(AndroidBase64.sixBits)
            guard values.count == digits.count, values.count >= 2,
                quad.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") })
            else { return nil }
            let word = values.reduce(0) { $0 << 6 | $1 } << (6 * (4 - values.count))
            bytes += [16, 8, 0].prefix(values.count - 1).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        return bytes
    }
}

/// wget's `--pinnedpubkey`: curl's notation and its old splitter, but the hash is decoded before it is compared.
package typealias WgetPolicy = PinnedPublicKeyPolicy<Wget>
