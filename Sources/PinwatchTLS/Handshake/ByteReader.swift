/// Reads big-endian TLS vectors (RFC 8446 section 3) from a slice, never beyond its end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    /// A number of `width` bytes, 1 to 3; `nil` where fewer are left.
    mutating func number(_ width: Int) -> Int? {
        guard rest.count >= width else { return nil }
        let value = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(width)
        return value
    }

    /// The next `count` bytes; `nil`, and nothing taken, where fewer are left.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A vector after its length in `width` bytes.
    mutating func vector(_ width: Int) -> ArraySlice<UInt8>? {
        guard let count = number(width) else { return nil }
        return bytes(count)
    }
}

/// What TLS extensions carry that is worth keeping.
enum TLSExtensions {
    /// The body of the extension of a number in an extension block without its length; the first one counts.
    static func body(_ number: Int, in block: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var reader = ByteReader(block)
        while let type = reader.number(2), let body = reader.vector(2) {
            if type == number { return body }
        }
        return nil
    }

    /// Number of entries in a SignedCertificateTimestampList (RFC 6962 section 3.3); what comes after a flaw is not
    /// counted.
    static func timestamps(_ body: ArraySlice<UInt8>) -> Int {
        var outer = ByteReader(body)
        guard let list = outer.vector(2) else { return 0 }
        var reader = ByteReader(list)
        var count = 0
        while let entry = reader.vector(2), !entry.isEmpty { count += 1 }
        return count
    }

    /// The DER of a CertificateStatus (RFC 6066 section 8); `nil` for other kinds than OCSP.
    static func ocspResponse(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        var reader = ByteReader(body)
        guard reader.number(1) == 1, let response = reader.vector(3), !response.isEmpty else { return nil }
        return Array(response)
    }
}
