/// Okio's base64 (pin-semantics 0.6): both alphabets, white space anywhere, padding as one likes; foreign characters and
/// a single symbol over are refused. The length is nobody's concern.
enum OkioBase64 {
    /// `nil` where OkHttp's builder throws.
    static func decode(_ text: String) -> [UInt8]? {
        var symbols = Array(text.utf8)
        while let last = symbols.last, last == UInt8(ascii: "=") || isBlank(last) { symbols.removeLast() }
        var bytes: [UInt8] = []
        var (word, count) = (0, 0)
        for byte in symbols where !isBlank(byte) {
            guard let six = sixBits(byte) else { return nil }
            word = (word << 6 | six) & 0xFF_FFFF
            count += 1
            if count.isMultiple(of: 4) { bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        }
        switch count % 4 {
        case 1: return nil
        case 2: bytes.append(UInt8(truncatingIfNeeded: word >> 4))
        case 3: bytes += [UInt8(truncatingIfNeeded: word >> 10), UInt8(truncatingIfNeeded: word >> 2)]
        default: break
        }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func sixBits(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: AndroidBase64.sixBits(byte)
        }
    }
}
