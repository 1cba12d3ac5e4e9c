/// Why bytes are no JSON text, and where.
package struct JSONFault: Error, Sendable, Hashable {
    /// Counted from 1, columns in bytes.
    package let line: Int
    package let column: Int
    /// What was found there, as the rest of "line 1, column 2: …".
    package let message: String
}

extension JSON {
    /// Reads one JSON text (RFC 8259), of which nothing is trusted: UTF-8 without a byte order mark, at most
    /// `maximumDepth` levels of arrays and objects, no member twice in an object, no lone surrogates, nothing behind the
    /// value. Members keep their order. Whole numbers that fit are ``integer(_:)``, others ``number(_:)``.
    ///
    /// - Throws: The first fault.
    package init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONFault) {
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
        self = try parser.text()
    }

    /// A member of an object; `nil` where there is none, and for what is no object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }
}

/// Recursive descent over the bytes, its recursion bounded by the depth.
private struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    private var position = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func text() throws(JSONFault) -> JSON {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw fault("the text is not UTF-8") }
        skipBlanks()
        let value = try value(depth: 0)
        skipBlanks()
        guard next == nil else { throw fault("something follows the value") }
        return value
    }

    private func fault(_ message: String) -> JSONFault {
        let before = bytes[..<position]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONFault(line: line, column: position - start + 1, message: message)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSON {
        guard let byte = next else { throw fault("a value is missing") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try members(depth: try deeper(depth)))
        case UInt8(ascii: "["): return .array(try items(depth: try deeper(depth)))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw fault("a value cannot begin so")
        }
    }

    private func deeper(_ depth: Int) throws(JSONFault) -> Int {
        guard depth < maximumDepth else { throw fault("more than \(maximumDepth) levels of arrays and objects") }
        return depth + 1
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONFault) -> JSON {
        guard bytes[position...].starts(with: text.utf8) else { throw fault("a value cannot begin so") }
        position += text.utf8.count
        return value
    }

    private mutating func members(depth: Int) throws(JSONFault) -> [(String, JSON)] {
        position += 1
        var members: [(String, JSON)] = []
        // Few names are compared one by one, which costs less than a set.
        var names: Set<String>?
        skipBlanks()
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is missing") }
            let name = try string()
            if members.count == 16 { names = Set(members.map(\.0)) }
            guard names?.insert(name).inserted ?? !members.contains(where: { $0.0 == name }) else {
                throw fault("a member of this name stands there already")
            }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
            skipBlanks()
            members.append((name, try value(depth: depth)))
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or a closing brace is missing") }
        return members
    }

    private mutating func items(depth: Int) throws(JSONFault) -> [JSON] {
        position += 1
        var items: [JSON] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return items }
        repeat {
            skipBlanks()
            items.append(try value(depth: depth))
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or a closing bracket is missing") }
        return items
    }

    // MARK: Numbers (RFC 8259 section 6)

    private mutating func number() throws(JSONFault) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else { throw fault("a number is too large") }
        return .number(number)
    }

    private mutating func digits() throws(JSONFault) {
        let count = bytes[position...].prefix { (0x30...0x39).contains($0) }.count
        guard count > 0 else { throw fault("a number lacks digits") }
        position += count
    }

    // MARK: Strings (RFC 8259 section 7)

    private mutating func string() throws(JSONFault) -> String {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if next == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += try escaped()
            case 0..<0x20: throw fault("a control character in a string must be escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw fault("a string's closing quote is missing")
    }

    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        guard let byte = next else { throw fault("an escape is cut off") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
        default: throw fault("there is no such escape")
        }
    }

    /// One scalar from `\uXXXX`, or from a pair of surrogates.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw fault("a surrogate stands alone")
        }
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("a surrogate stands alone") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("\\u takes four hexadecimal digits") }
        position += 4
        return code
    }
}
