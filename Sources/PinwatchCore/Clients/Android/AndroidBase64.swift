/// `android.util.Base64.decode` with default flags: characters outside the alphabet are skipped, padding may be left out
/// but must be right where it is there (pin-semantics 0.6).
enum AndroidBase64 {
    /// `nil` where Android throws `bad base-64`.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var value = 0
        var state = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                switch state {
                case 2:
                    bytes.append(UInt8(truncatingIfNeeded: value >> 4))
                    state = 4
                case 3:
                    bytes += [UInt8(truncatingIfNeeded: value >> 10), UInt8(truncatingIfNeeded: value >> 2)]
                    state = 5
                case 4: state = 5
                default: return nil
                }
            } else if let six = sixBits(byte) {
                guard state < 4 else { return nil }
                value = value << 6 | six
                state += 1
                if state == 4 {
                    bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
                    (value, state) = (0, 0)
                }
            }
        }
        return finished(bytes, value, state)
    }

    private static func finished(_ bytes: [UInt8], _ value: Int, _ state: Int) -> [UInt8]? {
        switch state {
        case 0, 5: bytes
        case 2: bytes + [UInt8(truncatingIfNeeded: value >> 4)]
        case 3: bytes + [UInt8(truncatingIfNeeded: value >> 10), UInt8(truncatingIfNeeded: value >> 2)]
        default: nil
        }
    }

    /// The standard alphabet's value of a character (RFC 4648 section 4).
    static func sixBits(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
