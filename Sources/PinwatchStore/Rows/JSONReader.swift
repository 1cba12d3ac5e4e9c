internal import PinwatchCore

extension JSON {
    /// Reads text that ``JSON/text`` wrote, members in the order written; `nil` for anything that is not one JSON
    /// value.
    ///
    /// Reading back must give an equal value, since reconciliation compares stored findings with new ones, and
    /// FoundationEssentials' decoder forgets the order.
    init?(stored text: String) {
        var reader = JSONReader(bytes: Array(text.utf8))
        guard let value = reader.value(depth: 0), reader.atEnd else { return nil }
        self = value
    }
}

/// RFC 8259 by recursive descent, at most 64 levels deep.
private struct JSONReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var atEnd: Bool { position == bytes.count }
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func value(depth: Int) -> JSON? {
        guard depth < 64 else { return nil }
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(_ text: String, _ value: JSON) -> JSON? {
        guard bytes[position...].starts(with: text.utf8) else { return nil }
        position += text.utf8.count
        return value
    }

    private mutating func object(depth: Int) -> JSON? {
        position += 1
        var members: [(String, JSON)] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
            members.append((name, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSON? {
        position += 1
        var items: [JSON] = []
        if take(UInt8(ascii: "]")) { return .array(items) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            items.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(items) : nil
    }

    private mutating func number() -> JSON? {
        let digits = bytes[position...].prefix { byte in
            (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        position += digits.count
        let text = String(decoding: digits, as: UTF8.self)
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).map { .number($0) }
    }

    private mutating func string() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                text += escaped
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            // The writer leaves everything beyond the basic plane as it is, so there are no surrogates to join.
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { return nil }
            position += 4
            return Array(String(Character(scalar)).utf8)
        default: return nil
        }
    }
}
