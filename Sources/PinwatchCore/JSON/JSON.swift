/// A JSON value whose object members keep the order they were written in.
///
/// The contract wants every member present, `null` for what is unknown, in one order. `JSONEncoder` drops `nil` and
/// reorders, so values are written by this, and read by ``init(parsing:maximumDepth:)``.
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    package static func == (left: JSON, right: JSON) -> Bool {
        left.text == right.text
    }
}

extension JSON {
    package static func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    package static func whole(_ value: Int?) -> JSON { value.map { .integer(Int64($0)) } ?? .null }
    package static func flag(_ value: Bool?) -> JSON { value.map { .bool($0) } ?? .null }
    /// A part of users, 0 to 1.
    package static func share(_ value: Double?) -> JSON { value.map { .number($0) } ?? .null }
    package static func strings(_ values: some Sequence<String>) -> JSON { .array(values.map { .string($0) }) }

    /// RFC 3339 in UTC; `null` for an unknown instant and for one outside years 1 to 9999.
    package static func time(_ value: Instant?) -> JSON { text(value?.rfc3339) }

    /// The value as one line of RFC 8259 text.
    package var text: String {
        var writer = JSONWriter(indent: nil)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value as UTF-8, one line.
    package var bytes: [UInt8] {
        var writer = JSONWriter(indent: nil)
        writer.write(self)
        return writer.bytes
    }

    /// The value over several lines, two blanks a level, for a person's terminal.
    package var indented: String {
        var writer = JSONWriter(indent: 0)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

private struct JSONWriter {
    var bytes: [UInt8] = []
    /// The current depth when indenting, else `nil`.
    var indent: Int?

    mutating func write(_ value: JSON) {
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .integer(let number): append(String(number))
        case .number(let number): append(number.isFinite ? String(number) : "null")
        case .string(let text): write(text: text)
        case .array(let items): list(open: 0x5B, close: 0x5D, items) { writer, item in writer.write(item) }
        case .object(let members):
            list(open: 0x7B, close: 0x7D, members) { writer, member in
                writer.write(text: member.0)
                writer.bytes.append(0x3A)
                if writer.indent != nil { writer.bytes.append(0x20) }
                writer.write(member.1)
            }
        }
    }

    private mutating func list<Item>(
        open: UInt8, close: UInt8, _ items: [Item], each: (inout JSONWriter, Item) -> Void
    ) {
        bytes.append(open)
        if let depth = indent { indent = depth + 1 }
        var isFirst = true
        for item in items {
            if !isFirst { bytes.append(0x2C) }
            isFirst = false
            newLine()
            each(&self, item)
        }
        if let depth = indent { indent = depth - 1 }
        if !items.isEmpty { newLine() }
        bytes.append(close)
    }

    private mutating func newLine() {
        if let depth = indent { append("\n" + String(repeating: "  ", count: depth)) }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Escapes what RFC 8259 section 7 demands, and DEL and U+2028/2029, which some readers take for line ends.
    private mutating func write(text: String) {
        bytes.append(0x22)
        defer { bytes.append(0x22) }
        guard text.utf8.contains(where: Self.mayNeedEscape) else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20, 0x7F:
                let hex = String(byte, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
            default: bytes.append(byte)
            }
            if byte == 0xA8 || byte == 0xA9, bytes.suffix(3).elementsEqual([0xE2, 0x80, byte]) {
                bytes.removeLast(3)
                append(byte == 0xA8 ? "\\u2028" : "\\u2029")
            }
        }
    }

    /// What is escaped, and the byte that U+2028 begins with.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xE2
    }
}

extension JSON: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
