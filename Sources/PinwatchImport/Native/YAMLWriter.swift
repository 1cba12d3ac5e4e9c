internal import PinwatchCore

/// Writes values as block YAML, texts so that they read back to the byte.
struct YAMLWriter {
    /// What stands before a value on its line.
    enum Place {
        case line, key, dash
    }

    /// Readers look for a simple key's `:` within 1,024 characters (YAML 1.2 section 7.4.2); a longer key is announced.
    private static let simpleKeyLimit = 1_000

    private(set) var text = ""

    mutating func write(_ node: Node, indent: Int, after place: Place) {
        switch node.value {
        case .scalar(let scalar, let plain):
            text +=
                (place == .line ? "" : " ") + (plain ? Self.plain(scalar) : Self.scalar(scalar, indent: indent)) + "\n"
        case .sequence(let items) where items.isEmpty: text += (place == .line ? "" : " ") + "[]\n"
        case .mapping(let members) where members.isEmpty: text += (place == .line ? "" : " ") + "{}\n"
        case .sequence(let items): write(items, indent: indent, after: place)
        case .mapping(let members): write(members, indent: indent, after: place)
        }
    }

    private mutating func write(_ items: [Node], indent: Int, after place: Place) {
        if place != .line { text += "\n" }
        for item in items {
            text += Self.blanks(indent) + "-"
            write(item, indent: indent + 2, after: .dash)
        }
    }

    private mutating func write(_ members: [Node.Member], indent: Int, after place: Place) {
        if place == .key { text += "\n" }
        for (index, member) in members.enumerated() {
            // The first key of a list's item stands behind its dash.
            text += place == .dash && index == 0 ? " " : Self.blanks(indent)
            let key = Self.key(member.key)
            text += key.utf8.count > Self.simpleKeyLimit ? "? " + key + "\n" + Self.blanks(indent) + ":" : key + ":"
            write(member.value, indent: indent + 2, after: .key)
        }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func key(_ text: String) -> String {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2E, 0x2D: true
            default: false
            }
        }
        let begins = text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
        return isWord && begins && !reserved.contains(text) ? text : quoted(text)
    }

    /// A plain value that would read back as something else is quoted after all.
    private static func plain(_ text: String) -> String {
        let isSafe = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2E, 0x2B, 0x5F: true
            case 0x2D: true
            default: false
            }
        }
        return isSafe && text != "-" && !text.hasPrefix("---") && !text.hasPrefix("...") && !text.isEmpty
            ? text : quoted(text)
    }

    private static func scalar(_ text: String, indent: Int) -> String {
        text.contains("\n") ? block(text, indent: indent) ?? quoted(text) : quoted(text)
    }

    /// A literal block; `nil` where the text holds what a block would change.
    private static func block(_ text: String, indent: Int) -> String? {
        let isPrintable = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
            case 0x10000...0x10FFFF: true
            default: false
            }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard isPrintable, let first = lines.first, !first.isEmpty, !first.hasPrefix(" "), !text.hasSuffix("\n\n")
        else {
            return nil
        }
        let body = text.hasSuffix("\n") ? lines.dropLast() : lines[...]
        let indented = body.map { $0.isEmpty ? "" : blanks(indent) + $0 }.joined(separator: "\n")
        return (text.hasSuffix("\n") ? "|" : "|-") + "\n" + indented
    }

    /// YAML 1.2 section 7.3.1.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: out += "\\" + String(scalar)
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF:
                out.unicodeScalars.append(scalar)
            default:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
        }
        return out + "\""
    }

    /// What YAML 1.1 and 1.2 readers take for flags, null and numbers.
    private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
}
