/// Signed certificate timestamps inside a stapled OCSP response (RFC 6962 section 3.3).
enum OCSPTimestamps {
    /// DER of the object identifier 1.3.6.1.4.1.11129.2.4.5.
    private static let identifier: [UInt8] = [
        0x06, 0x0A, 0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x04, 0x05,
    ]

    /// Number of timestamps; 0 without the extension. The identifier is searched for, since the extension's place
    /// within the response does not matter to a count.
    static func count(_ response: [UInt8]) -> Int {
        guard let found = response.firstRange(of: identifier) else { return 0 }
        var outer = ByteReader(response[found.upperBound...])
        guard let value = octets(&outer) else { return 0 }
        var inner = ByteReader(value)
        return octets(&inner).map(TLSExtensions.timestamps) ?? 0
    }

    private static func octets(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
        guard reader.number(1) == 0x04, let first = reader.number(1) else { return nil }
        switch first {
        case ..<0x80: return reader.bytes(first)
        case 0x81: return reader.vector(1)
        case 0x82: return reader.vector(2)
        default: return nil
        }
    }
}
