internal import PinwatchCore

extension Mark {
    /// The place of a byte of a UTF-8 text, or the end for an offset beyond it.
    init(utf8Offset offset: Int, in text: [UInt8]) {
        var (line, column) = (1, 1)
        for byte in text.prefix(offset) {
            if byte == 0x0A {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column)
    }

    /// The first byte that breaks UTF-8 (RFC 3629), or `nil` for a text that is valid throughout.
    init?(firstInvalidUTF8In text: [UInt8]) {
        guard String(validating: text, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var (bytes, offset) = (text.makeIterator(), 0)
        while case .scalarValue(let scalar) = decoder.decode(&bytes) { offset += UTF8.width(scalar) }
        self.init(utf8Offset: offset, in: text)
    }
}
