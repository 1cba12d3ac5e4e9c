/// Writes TLS vectors (RFC 8446 section 3), right or wrong.
enum MessageBytes {
    static func number(_ value: Int, width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A body after its length in `width` bytes.
    static func vector(_ body: [UInt8], width: Int) -> [UInt8] { number(body.count, width: width) + body }

    static func tlsExtension(_ type: Int, _ body: [UInt8]) -> [UInt8] {
        number(type, width: 2) + vector(body, width: 2)
    }

    /// A SignedCertificateTimestampList (RFC 6962 section 3.3) of `count` entries of three bytes.
    static func timestampList(_ count: Int) -> [UInt8] {
        vector(Array([[UInt8]](repeating: vector([1, 2, 3], width: 2), count: count).joined()), width: 2)
    }

    /// A CertificateStatus (RFC 6066 section 8).
    static func certificateStatus(type: UInt8 = 1, _ response: [UInt8]) -> [UInt8] {
        [type] + vector(response, width: 3)
    }

    /// An entry of a Certificate message; `nil` extensions write one of TLS 1.2 and older.
    static func entry(_ der: [UInt8], extensions: [UInt8]?) -> [UInt8] {
        vector(der, width: 3) + (extensions.map { vector($0, width: 2) } ?? [])
    }

    /// A Certificate message with its header.
    static func certificate(list: [UInt8], context: [UInt8]? = nil) -> [UInt8] {
        let body = (context.map { vector($0, width: 1) } ?? []) + vector(list, width: 3)
        return [11] + vector(body, width: 3)
    }
}
