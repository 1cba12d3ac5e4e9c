internal import PinwatchCore

/// Splits source into tokens, tolerantly: what it does not know becomes a sign, and no text is refused.
///
/// One tokenizer for four languages: they differ for it in comments alone, which Swift and Kotlin nest and Java and
/// Objective-C do not.
struct Tokenizer {
    /// The most tokens of one file; what follows is not read.
    static let countLimit = 500_000

    private let bytes: [UInt8]
    private let nests: Bool
    private var position = 0
    private var line = 1
    private var column = 1
    private var isLineStart = true

    static func tokens(_ text: String) -> [Token] {
        let bytes = Array(text.utf8)
        var tokenizer = Tokenizer(bytes: bytes, nests: nestsComments(bytes))
        var tokens: [Token] = []
        while tokens.count < countLimit, let token = tokenizer.next() { tokens.append(token) }
        return tokens
    }

    private init(bytes: [UInt8], nests: Bool) {
        self.bytes = bytes
        self.nests = nests
    }

    /// Where every fifth line ends in a semicolon, the language is one of C's kind, whose comments do not nest.
    private static func nestsComments(_ bytes: [UInt8]) -> Bool {
        var (lines, semicolons) = (0, 0)
        var last: UInt8 = 0x0A
        for byte in bytes {
            if byte == 0x0A {
                if last != 0x0A { lines += 1 }
                if last == 0x3B { semicolons += 1 }
            }
            if byte != 0x20, byte != 0x09, byte != 0x0D { last = byte }
        }
        return semicolons * 5 < lines
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            guard let byte = byte() else { return }
            position += 1
            if byte == 0x0A {
                (line, column, isLineStart) = (line + 1, 1, true)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    private mutating func next() -> Token? {
        skipBlanks()
        guard let first = byte() else { return nil }
        let (mark, begins) = (Mark(line: line, column: column), isLineStart)
        isLineStart = false
        let kind: Token.Kind
        switch first {
        case 0x22: kind = literal(hashes: 0)
        case 0x23 where hashesBeforeQuote() > 0:
            let hashes = hashesBeforeQuote()
            advance(hashes)
            kind = literal(hashes: hashes)
        case 0x23 where begins: kind = .directive(restOfLine())
        case 0x27: kind = character()
        case 0x30...0x39: kind = .number(run())
        case _ where Self.isWord(first): kind = .word(run())
        default:
            kind = .sign(Character(Unicode.Scalar(first)))
            advance()
        }
        return Token(kind: kind, mark: mark)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...0xFF: true
        default: false
        }
    }

    private mutating func run() -> String {
        let start = position
        while let byte = byte(), Self.isWord(byte) { advance() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func restOfLine() -> String {
        let start = position
        while let byte = byte(), byte != 0x0A { advance() }
        let end = bytes[start..<position].last == 0x0D ? position - 1 : position
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while let first = byte() {
            switch first {
            case 0x20, 0x09, 0x0D, 0x0A: advance()
            case 0x2F where byte(1) == 0x2F:
                while let byte = byte(), byte != 0x0A { advance() }
            case 0x2F where byte(1) == 0x2A: skipComment()
            default: return
            }
        }
    }

    /// A nesting comment that never ends was none of that kind: then its first end counts.
    private mutating func skipComment() {
        let before = self
        if nests, skipComment(nesting: true) { return }
        self = before
        _ = skipComment(nesting: false)
    }

    private mutating func skipComment(nesting: Bool) -> Bool {
        advance(2)
        var depth = 1
        while let first = byte() {
            if first == 0x2A, byte(1) == 0x2F {
                advance(2)
                depth -= 1
                if depth == 0 { return true }
            } else if nesting, first == 0x2F, byte(1) == 0x2A {
                advance(2)
                depth += 1
            } else {
                advance()
            }
        }
        return false
    }

    /// The number signs before a quote of Swift's raw strings; 0 where no quote follows.
    private func hashesBeforeQuote() -> Int {
        var count = 0
        while count < 8, byte(count) == 0x23 { count += 1 }
        return byte(count) == 0x22 ? count : 0
    }

    /// `'x'`; a quote that opens none stands for itself.
    private mutating func character() -> Token.Kind {
        var length = 1
        if byte(1) == 0x5C { length = 2 }
        while length < 8, let next = byte(length), next != 0x27, next != 0x0A { length += 1 }
        guard byte(length) == 0x27, length > 1 else {
            advance()
            return .sign("'")
        }
        let text = String(decoding: bytes[position + 1..<position + length], as: UTF8.self)
        advance(length + 1)
        return .text(text)
    }

    private mutating func literal(hashes: Int) -> Token.Kind {
        let isLong = byte(1) == 0x22 && byte(2) == 0x22
        advance(isLong ? 3 : 1)
        var reader = LiteralText()
        while let first = byte(), isLong || first != 0x0A {
            if first == 0x22, closes(isLong: isLong, hashes: hashes) {
                advance((isLong ? 3 : 1) + hashes)
                return reader.kind(isLong: isLong)
            }
            if first == 0x5C, hashes == 0 {
                if byte(1) == 0x28 { reader.isInterpolated = true }
                reader.escape(byte(1))
                advance(2)
                continue
            }
            if hashes == 0, first == 0x24, let next = byte(1), next == 0x7B || Self.isLetter(next) {
                reader.isInterpolated = true
            }
            reader.bytes.append(first)
            advance()
        }
        return reader.kind(isLong: isLong)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F }

    private func closes(isLong: Bool, hashes: Int) -> Bool {
        let quotes = isLong ? 3 : 1
        return (0..<quotes).allSatisfy { byte($0) == 0x22 } && (0..<hashes).allSatisfy { byte(quotes + $0) == 0x23 }
    }
}

/// The text of one literal as it is read.
private struct LiteralText {
    var bytes: [UInt8] = []
    var isInterpolated = false

    /// Escapes that cannot stand in a host or a pin are kept as written.
    mutating func escape(_ byte: UInt8?) {
        switch byte {
        case 0x6E: bytes.append(0x0A)
        case 0x74: bytes.append(0x09)
        case 0x22, 0x27, 0x5C, 0x2F, 0x24: bytes.append(byte ?? 0)
        case let other?: bytes += [0x5C, other]
        case nil: bytes.append(0x5C)
        }
    }

    /// Lines of a long literal lose what indents them, since hosts and pins have no blanks.
    func kind(isLong: Bool) -> Token.Kind {
        var text = String(decoding: bytes, as: UTF8.self)
        if isLong {
            let lines = text.lines.map { $0.drop { $0 == " " || $0 == "\t" } }
            text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        }
        return isInterpolated ? .interpolated(String(text.prefix(60))) : .text(text)
    }
}
