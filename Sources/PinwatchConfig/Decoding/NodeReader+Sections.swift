internal import PinwatchCore

extension NodeReader {
    /// The members of a section. Keys that the contract knows and this version does not yet read are refused by name,
    /// since ignoring them would let a file promise what nobody keeps.
    mutating func section(_ node: Node, _ what: String, keys: [String], later: [String]) -> NodeMapping? {
        guard let members = members(node, what) else { return nil }
        for member in members where later.contains(member.key) {
            report(member.keyMark, "\(what).\(member.key) is not supported by this version yet; remove it")
        }
        let known = members.filter { !later.contains($0.key) }
        return mapping(Node(value: .mapping(known), mark: node.mark), what, allowed: keys)
    }

    /// Puts what `read` makes of a member in the place of a default; leaves the default where there is none.
    mutating func set<Value>(
        _ value: inout Value, from node: Node?, _ read: (inout NodeReader, Node) -> Value?
    ) {
        if let node, let new = read(&self, node) { value = new }
    }

    /// A list of anything, each item by itself; items that were reported are left out.
    mutating func list<Item>(
        _ node: Node?, _ what: String, _ read: (inout NodeReader, Node) -> Item?
    ) -> [Item] {
        guard let node, let items = sequence(node, what) else { return [] }
        return items.compactMap { read(&self, $0) }
    }

    /// A list of an enumeration's words; an empty one would ask for nothing, so it is refused.
    ///
    /// - Parameter absent: What to write instead.
    mutating func words<Word: RawRepresentable & CaseIterable>(
        _ node: Node?, _ what: String, of type: Word.Type, absent: String = "leave it out to ask for all"
    ) -> [Word] where Word.RawValue == String {
        guard let node else { return [] }
        if case .sequence(let items) = node.value, items.isEmpty {
            report(node.mark, "\(what) must name at least one; \(absent)")
        }
        return list(node, what) { $0.word($1, what, of: type) }
    }

    /// Names and values as labels are written: a mapping of text to text.
    mutating func labels(_ node: Node?, _ what: String) -> [String: String] {
        guard let node, let members = members(node, what) else { return [:] }
        var labels: [String: String] = [:]
        for member in members {
            guard NameRule.allows(member.key) else {
                report(member.keyMark, "a label's name takes \(NameRule.words), not \"\(member.key.prefix(60))\"")
                continue
            }
            guard let text = string(member.value, "label \(member.key)") else { continue }
            if text.utf8.count > 200 {
                report(member.value.mark, "label \(member.key) is longer than 200 bytes")
            }
            labels[member.key] = text
        }
        return labels
    }

    /// A name that other parts of the file refer to.
    mutating func name(_ node: Node, _ what: String) -> String? {
        guard let text = string(node, what) else { return nil }
        if NameRule.allows(text) { return text }
        report(node.mark, "\(what) takes \(NameRule.words), not \(node.shown)")
        return nil
    }
}
