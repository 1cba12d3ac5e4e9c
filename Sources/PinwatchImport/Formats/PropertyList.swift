internal import FoundationEssentials
internal import PinwatchConfig
internal import PinwatchCore

/// A property list's values with their places; those of a binary one all stand at its start.
struct PropertyList {
    /// The longest key that is read, in bytes.
    static let keyLimit = 512
    /// The deepest nesting and the most values of a list.
    static let depthLimit = 64
    static let countLimit = 20_000

    /// Mappings keep the file's order; a binary file's are sorted by key. Dates and data are texts.
    let root: Node

    /// - Throws: Why the text is no property list, with its place.
    static func xml(_ root: XMLElement, file: String) throws(ImportProblems) -> PropertyList {
        guard let value = root.elements.first else {
            throw ImportProblems(file: file, mark: root.mark, "the property list holds nothing")
        }
        return PropertyList(root: try node(value, file: file))
    }

    /// JSON as `plutil -convert json` writes it.
    static func json(_ text: [UInt8], file: String) throws(ImportProblems) -> PropertyList {
        do {
            return PropertyList(root: try PinFileDecoder.node(text, file: file))
        } catch {
            throw ImportProblems(error.list)
        }
    }

    static func binary(_ bytes: [UInt8], file: String) throws(ImportProblems) -> PropertyList {
        // A header and a trailer; the library takes shorter texts for another kind of property list.
        guard bytes.count >= 40 else {
            throw ImportProblems(file: file, "the binary property list cannot be read: it is cut short")
        }
        let decoder = PropertyListDecoder()
        let budget = BinaryValue.Budget()
        decoder.userInfo[BinaryValue.Budget.key] = budget
        do {
            return PropertyList(root: try decoder.decode(BinaryValue.self, from: Data(bytes)).node)
        } catch {
            let why = budget.isSpent ? "it holds more than \(countLimit) values or nests too deeply" : "it is damaged"
            throw ImportProblems(file: file, "the binary property list cannot be read: \(why)")
        }
    }

    /// Nesting is bounded by the XML reader.
    private static func node(_ element: XMLElement, file: String) throws(ImportProblems) -> Node {
        let (mark, text) = (element.mark, element.text)
        switch element.name {
        case "string", "date": return .text(text, mark)
        case "data": return .text(text.filter { !$0.isWhitespace }, mark)
        case "true": return .flag(true, mark)
        case "false": return .flag(false, mark)
        case "integer", "real": return .number(text.filter { !$0.isWhitespace }, mark)
        case "array":
            var items: [Node] = []
            for child in element.elements { items.append(try node(child, file: file)) }
            return .list(items, mark)
        case "dict": return .mapping(try members(element, file: file), mark)
        default:
            throw ImportProblems(file: file, mark: mark, "<\(element.name.prefix(40))> is no part of a property list")
        }
    }

    /// Keys and values by turns. A key that stands twice is refused, since readers differ in which they take.
    private static func members(_ element: XMLElement, file: String) throws(ImportProblems) -> [Node.Member] {
        var members: [Node.Member] = []
        var seen: Set<String> = []
        var key: XMLElement?
        for child in element.elements {
            guard let name = key else {
                guard child.name == "key", child.text.utf8.count <= keyLimit else {
                    throw ImportProblems(
                        file: file, mark: child.mark, "a <key> of at most \(keyLimit) bytes must stand here")
                }
                guard seen.insert(child.text).inserted else {
                    throw ImportProblems(
                        file: file, mark: child.mark,
                        "the key \"\(child.text)\" stands twice in one dictionary; keep one")
                }
                key = child
                continue
            }
            members.append(Node.Member(key: name.text, keyMark: name.mark, value: try node(child, file: file)))
            key = nil
        }
        if let key { throw ImportProblems(file: file, mark: key.mark, "the key \"\(key.text)\" has no value") }
        return members
    }
}

/// A value of a binary property list, of whatever type.
private struct BinaryValue: Decodable {
    /// Bounds what a file that refers to its own parts over and over may grow to.
    final class Budget: Sendable {
        static let key: CodingUserInfoKey = {
            guard let key = CodingUserInfoKey(rawValue: "budget") else { preconditionFailure("a key takes any text") }
            return key
        }()
        private nonisolated(unsafe) var left = PropertyList.countLimit
        var isSpent: Bool { unsafe left <= 0 }
        func spend() { unsafe left -= 1 }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Spent: Error {}

    let node: Node

    init(from decoder: any Decoder) throws {
        guard let budget = decoder.userInfo[Budget.key] as? Budget else { throw Spent() }
        budget.spend()
        guard !budget.isSpent, decoder.codingPath.count < PropertyList.depthLimit else {
            while !budget.isSpent { budget.spend() }
            throw Spent()
        }
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var members: [(String, Node?)] = []
            for key in keyed.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                guard key.stringValue.utf8.count <= PropertyList.keyLimit else { throw Spent() }
                members.append((key.stringValue, try keyed.decode(BinaryValue.self, forKey: key).node))
            }
            node = .mapping(members, .start)
        } else if var list = try? decoder.unkeyedContainer() {
            var items: [Node] = []
            while !list.isAtEnd { items.append(try list.decode(BinaryValue.self).node) }
            node = .list(items, .start)
        } else {
            node = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    /// Flags before numbers: a flag is no number here, and Apple's clients tell them apart.
    private static func scalar(_ value: any SingleValueDecodingContainer) throws -> Node {
        if let flag = try? value.decode(Bool.self) { return .flag(flag, .start) }
        if let text = try? value.decode(String.self) { return .text(text, .start) }
        if let number = try? value.decode(Int64.self) { return .number(String(number), .start) }
        if let number = try? value.decode(Double.self) { return .number(String(number), .start) }
        if let date = try? value.decode(Date.self) { return .text(date.ISO8601Format(), .start) }
        return .text(try value.decode(Data.self).base64EncodedString(), .start)
    }
}
