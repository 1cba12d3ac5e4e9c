/// One attribute of a distinguished name, as ``CertificateSummary/issuer`` writes names.
struct NameAttribute: Hashable, Sendable {
    /// `CN`, `O`, `emailAddress` …, or a dotted object identifier.
    let type: String
    /// The value with its escapes undone.
    let value: String

    /// Names beyond this many bytes are not read: nobody's authority has one, and names come from servers.
    private static let longestName = 4_096

    /// The attributes of a name in RFC 4514 text, in the order written; none of one that is too long.
    static func all(of name: String) -> [NameAttribute] {
        guard name.utf8.count <= longestName else { return [] }
        var found: [NameAttribute] = []
        var reader = NameReader(name)
        while let attribute = reader.next() { found.append(attribute) }
        return found
    }
}

/// Reads attributes off a name's bytes: `,` and `+` part them unless escaped, `\xx` is a byte, `\` before anything
/// else stands for what follows (RFC 4514 section 3).
private struct NameReader {
    private var rest: Substring.UTF8View

    init(_ name: String) { rest = name[...].utf8 }

    mutating func next() -> NameAttribute? {
        guard !rest.isEmpty else { return nil }
        var (type, value): ([UInt8], [UInt8]) = ([], [])
        var isValue = false
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "+") { break }
            if byte == UInt8(ascii: "="), !isValue {
                isValue = true
            } else {
                let plain = byte == UInt8(ascii: "\\") ? escaped() : byte
                if isValue { value.append(plain) } else { type.append(plain) }
            }
        }
        return NameAttribute(type: String(decoding: type, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    private mutating func escaped() -> UInt8 {
        let digits = rest.prefix(2).compactMap { (byte: UInt8) in Character(Unicode.Scalar(byte)).hexDigitValue }
        if digits.count == 2 {
            rest.removeFirst(2)
            return UInt8(digits[0] << 4 | digits[1])
        }
        return rest.popFirst() ?? UInt8(ascii: "\\")
    }
}
