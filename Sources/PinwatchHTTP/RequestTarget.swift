/// A request target taken apart: the path's segments and the query's fields, each percent-decoded once.
struct RequestTarget: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The authority of an absolute-form target, which replaces `Host` (RFC 9112 section 3.2.2).
    let authority: String?
    /// What stands between the slashes; a single empty segment for `/`.
    let segments: [String]
    /// In the order sent, repeated names included; `+` is a blank, as forms send it.
    let query: [Field]

    /// Fields beyond this many are refused.
    static let maximumFields = 100

    /// Reads origin-form and absolute-form targets (RFC 9112 section 3.2).
    ///
    /// - Throws: A ``Problem`` 400 for whatever has two readings: bad percent-encoding, encoded slashes, dot segments,
    ///   controls, bytes that are no UTF-8.
    init(_ text: String) throws(Problem) {
        var rest = text[...]
        var authority: String?
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            let afterScheme = rest.dropFirst(scheme.count)
            let end = afterScheme.firstIndex { $0 == "/" || $0 == "?" } ?? afterScheme.endIndex
            authority = String(afterScheme[..<end])
            rest = afterScheme[end...]
            if rest.first != "/" { rest = "/" + rest }
            break
        }
        guard rest.first == "/" else {
            throw Problem(400, "The request target must be a path that begins with a slash.")
        }
        guard rest.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != 0x23 }) else {
            throw Problem(400, "The request target holds characters that must be percent-encoded.")
        }
        let mark = rest.firstIndex(of: "?")
        self.authority = authority
        segments = try Self.segments(rest[..<(mark ?? rest.endIndex)].dropFirst())
        query = try mark.map { mark throws(Problem) in try Self.fields(rest[rest.index(after: mark)...]) } ?? []
    }

    private static func segments(_ path: Substring) throws(Problem) -> [String] {
        var segments: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = decode(part, plusIsBlank: false), !segment.utf8.contains(0x2F),
                !segment.utf8.contains(0x5C), segment != ".", segment != ".."
            else {
                throw Problem(
                    400,
                    "The path cannot be read: percent-encode UTF-8, without dot segments, encoded slashes or controls.")
            }
            segments.append(segment)
        }
        return segments
    }

    private static func fields(_ query: Substring) throws(Problem) -> [Field] {
        var fields: [Field] = []
        for part in query.split(separator: "&") {
            let mark = part.firstIndex(of: "=")
            let value = mark.map { part[part.index(after: $0)...] } ?? ""
            guard fields.count < maximumFields else {
                throw Problem(400, "The query has more than \(maximumFields) fields.")
            }
            guard let name = decode(part[..<(mark ?? part.endIndex)], plusIsBlank: true),
                let value = decode(value, plusIsBlank: true)
            else { throw Problem(400, "The query cannot be read: percent-encode UTF-8, without controls.") }
            fields.append(Field(name: name, value: value))
        }
        return fields
    }

    /// `nil` for an incomplete escape, for controls, and for bytes that are no UTF-8.
    private static func decode(_ text: Substring, plusIsBlank: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            switch byte {
            case 0x25:
                guard let high = rest.popFirst(), let low = rest.popFirst(), let value = hex(high, low) else {
                    return nil
                }
                bytes.append(value)
            case 0x2B where plusIsBlank: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hex(_ high: UInt8, _ low: UInt8) -> UInt8? {
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x37
            case 0x61...0x66: byte - 0x57
            default: nil
            }
        }
        guard let high = digit(high), let low = digit(low) else { return nil }
        return high << 4 | low
    }
}
