internal import PinwatchCore

/// Text of a certificate made safe to show: what is no UTF-8, controls, and characters that turn the reading direction
/// become `\xx` a byte, in lower case. The bytes can be had back from it, since a backslash becomes `\\`.
enum EscapedText {
    /// Text of a dNSName or a URL.
    static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        text(bytes, special: [0x5C])
    }

    /// An attribute value as RFC 4514 section 2.4 writes it.
    static func attribute(_ bytes: ArraySlice<UInt8>) -> String {
        var escaped = text(bytes, special: Array("\"+,;<>\\".utf8))
        if bytes.last == 0x20, bytes.count > 1 { escaped = String(escaped.dropLast()) + "\\ " }
        return bytes.first == 0x20 || bytes.first == 0x23 ? "\\" + escaped : escaped
    }

    private static func text(_ bytes: ArraySlice<UInt8>, special: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            let length = scalarLength(bytes[index...])
            if length == 0 || isHidden(bytes[index..<index + length]) {
                for hidden in bytes[index..<index + max(length, 1)] { out += [0x5C] + Array(Hex.text([hidden]).utf8) }
            } else {
                if special.contains(byte) { out.append(0x5C) }
                out += bytes[index..<index + length]
            }
            index += max(length, 1)
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of the well-formed UTF-8 sequence at the start (Unicode table 3-7), or 0.
    private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        let (length, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        let tail = bytes.dropFirst().prefix(length - 1)
        guard tail.count == length - 1, let next = tail.first, second.contains(next),
            tail.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) })
        else { return 0 }
        return length
    }

    /// C0, DEL, C1, the line separators and the directional marks, embeddings and isolates.
    private static func isHidden(_ scalar: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(scalar)
        switch bytes.count {
        case 1: return bytes[0] < 0x20 || bytes[0] == 0x7F
        case 2: return bytes[0] == 0xC2 && bytes[1] < 0xA0
        case 3:
            guard bytes[0] == 0xE2 else { return false }
            return bytes[1] == 0x80 && ([0x8E, 0x8F].contains(bytes[2]) || (0xA8...0xAE).contains(bytes[2]))
                || bytes[1] == 0x81 && (0xA6...0xA9).contains(bytes[2])
        default: return false
        }
    }
}
