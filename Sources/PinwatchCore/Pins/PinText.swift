internal import FoundationEssentials

/// Readings of a pin's text, from the lenient to the literal.
package enum PinText {
    /// The bytes that a text means: standard or URL-safe base64 (RFC 4648 sections 4 and 5), padded or not, without
    /// blanks; `nil` for anything else, nothing included.
    package static func bytes(base64 text: String) -> [UInt8]? {
        guard !text.isEmpty, text.utf8.count <= 4_096 else { return nil }
        // Byte by byte: pins are read at every judgement, and replacing in a String takes a hundred times as long.
        var standard = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = UInt8(ascii: "=")
        if standard.last != padding { standard += Array(repeating: padding, count: (4 - standard.count % 4) % 4) }
        // Foundation's decoder puts up with padding beyond what completes the last four characters.
        guard standard.count.isMultiple(of: 4), !standard.suffix(3).allSatisfy({ $0 == padding }) else { return nil }
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }

    /// A SHA-256 in any of the notations people paste: base64 as above, 64 hexadecimal digits, curl's `sha256//TEXT`,
    /// HPKP's `pin-sha256="TEXT"`. `nil` unless it comes to 32 bytes.
    package static func sha256(_ text: String) -> SHA256Digest? {
        var body = text[...]
        if body.hasPrefix("pin-sha256=\""), body.hasSuffix("\""), body.count > 13 {
            body = body.dropFirst(12).dropLast()
        } else if body.hasPrefix("/"), body.utf8.count > 44 {
            body = body.dropFirst()
        }
        if body.utf8.count == 64, let digest = SHA256Digest(hex: String(body)) { return digest }
        return bytes(base64: String(body)).flatMap { SHA256Digest($0) }
    }

    /// A SHA-1 in base64 as above; `nil` unless it comes to 20 bytes.
    package static func sha1(_ text: String) -> [UInt8]? {
        bytes(base64: text).flatMap { $0.count == 20 ? $0 : nil }
    }

    /// Padded standard base64, the only form that clients which compare text can match.
    package static func canonical(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
