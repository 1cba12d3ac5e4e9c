/// Decodes ``Node``s and gathers every fault, so that a file's problems are told together.
///
/// Each method returns `nil` after reporting what was found and what is allowed. A caller goes on reading what is left.
package struct NodeReader {
    /// The file's name as messages show it.
    package let file: String
    package private(set) var problems: [Problem] = []
    /// What policies are read with; its files are bounded to the folder of `file`.
    package let resources: PolicyResources

    package init(file: String, resources: PolicyResources) {
        self.file = file
        self.resources = resources
    }

    /// Problems that are told of one text; whoever mends a hundred asks again.
    package static let problemLimit = 100
    /// The most pins of one list. Apps ship a handful; what is larger is a mistake, or worse.
    package static let pinLimit = 10_000

    package mutating func report(_ mark: Mark, _ message: String) {
        guard problems.count < Self.problemLimit else { return }
        problems.append(Problem(file: file, mark: mark, message: message))
    }

    /// Takes over problems that were found in another file.
    package mutating func report(_ others: [Problem]) {
        problems += others
    }

    /// The members of a mapping; members outside `allowed` are reported (with the nearest allowed name) and left out.
    package mutating func mapping(_ node: Node, _ what: String, allowed: [String]) -> NodeMapping? {
        guard let members = members(node, what) else { return nil }
        var kept: [String: Node] = [:]
        for member in members {
            if allowed.contains(member.key) {
                kept[member.key] = member.value
            } else {
                let names = allowed.joined(separator: ", ")
                report(member.keyMark, "unknown key \"\(member.key)\" in \(what); allowed: \(names)")
            }
        }
        return NodeMapping(members: kept, what: what, mark: node.mark)
    }

    /// The members of a mapping whose keys are free, in file order.
    package mutating func members(_ node: Node, _ what: String) -> [Node.Member]? {
        guard case .mapping(let members) = node.value else {
            report(node.mark, "\(what) must be a mapping of keys to values, not \(node.kindWord)")
            return nil
        }
        return members
    }

    package mutating func sequence(_ node: Node, _ what: String) -> [Node]? {
        guard case .sequence(let items) = node.value else {
            report(node.mark, "\(what) must be a list, not \(node.kindWord)")
            return nil
        }
        return items
    }

    /// Any scalar's text, quoted or not.
    package mutating func string(_ node: Node, _ what: String) -> String? {
        guard case .scalar(let text, _) = node.value else {
            report(node.mark, "\(what) must be text, not \(node.kindWord)")
            return nil
        }
        return text
    }

    /// `true` or `false` without quotes (YAML 1.2's core schema).
    package mutating func flag(_ node: Node, _ what: String) -> Bool? {
        switch node.value {
        case .scalar("true", plain: true): return true
        case .scalar("false", plain: true): return false
        case .scalar, .sequence, .mapping:
            report(node.mark, "\(what) must be true or false, not \(node.shown)")
            return nil
        }
    }

    package mutating func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
        if case .scalar(let text, plain: true) = node.value, let number = Int(text), range.contains(number) {
            return number
        }
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        report(node.mark, "\(what) must be a whole number from \(bounds), not \(node.shown)")
        return nil
    }

    /// A number from 0 to 1.
    package mutating func fraction(_ node: Node, _ what: String) -> Double? {
        if case .scalar(let text, plain: true) = node.value, let number = Double(text), (0...1).contains(number) {
            return number
        }
        report(node.mark, "\(what) must be a number from 0 to 1, not \(node.shown)")
        return nil
    }

    /// A duration such as `30s`, `5m`, `6h` or `21d`, in seconds.
    package mutating func duration(_ node: Node, _ what: String, in range: ClosedRange<Int64>) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        if case .scalar(let text, _) = node.value, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast())
        {
            let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
            if !overflow, range.contains(seconds) { return seconds }
            let bounds = "\(NodeReader.words(range.lowerBound)) to \(NodeReader.words(range.upperBound))"
            report(node.mark, "\(what) must be from \(bounds), not \(node.shown)")
            return nil
        }
        report(node.mark, "\(what) must be a duration such as 30s, 5m, 6h or 21d, not \(node.shown)")
        return nil
    }

    /// One of an enumeration's words.
    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ node: Node, _ what: String, of type: Word.Type
    ) -> Word? where Word.RawValue == String {
        if case .scalar(let text, _) = node.value, let word = Word(rawValue: text) { return word }
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        report(node.mark, "\(what) must be one of \(allowed), not \(node.shown)")
        return nil
    }

    /// A `yyyy-MM-dd` date as the instant at which that day begins in UTC.
    package mutating func date(_ node: Node, _ what: String) -> Instant? {
        if case .scalar(let text, _) = node.value, let instant = Instant(day: text) { return instant }
        report(node.mark, "\(what) must be a date as yyyy-MM-dd, not \(node.shown)")
        return nil
    }

    /// A list of pins in the contract's notations; see ``Pin``.
    package mutating func pins(_ node: Node, _ what: String) -> [Pin]? {
        guard let items = sequence(node, what) else { return nil }
        guard items.count <= Self.pinLimit else {
            report(node.mark, "\(what) holds \(items.count) pins; at most \(Self.pinLimit) are taken")
            return nil
        }
        let before = problems.count
        let pins = items.compactMap { pin($0, what) }
        return problems.count == before ? pins : nil
    }

    private mutating func pin(_ node: Node, _ what: String) -> Pin? {
        guard let text = string(node, "a pin of \(what)") else { return nil }
        if text.hasPrefix("file:") {
            let path = String(text.dropFirst(5))
            do {
                return .file(path: path, try resources.readPinFile(try resources.loadFile(path)))
            } catch {
                report(node.mark, "pin file \(path): \(error.description)")
                return nil
            }
        }
        if text.hasPrefix("cert-sha256:") {
            if let digest = SHA256Digest(hex: text.dropFirst(12).filter { $0 != ":" }) { return .certificate(digest) }
            report(node.mark, "cert-sha256: takes 64 hexadecimal digits, colons allowed, not \(node.shown)")
            return nil
        }
        if text.hasPrefix("sha1/") { return .spkiSHA1(text: String(text.dropFirst(5))) }
        return .spki(text: text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text)
    }

    /// `90s` as a person would write it: in the largest unit that divides it.
    static func words(_ seconds: Int64) -> String {
        for (unit, size) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds > 0 && seconds % size == 0 {
            return "\(seconds / size)\(unit)"
        }
        return "\(seconds)s"
    }
}

/// A mapping's known members.
package struct NodeMapping {
    private let members: [String: Node]
    private let what: String
    package let mark: Mark

    init(members: [String: Node], what: String, mark: Mark) {
        self.members = members
        self.what = what
        self.mark = mark
    }

    package subscript(key: String) -> Node? { members[key] }
    /// Whether it holds no known member.
    package var isEmpty: Bool { members.isEmpty }

    /// A member that must be there; its absence is reported at the mapping's place.
    package func required(_ key: String, _ reader: inout NodeReader) -> Node? {
        if let node = members[key] { return node }
        reader.report(mark, "\(what) needs the key \"\(key)\"")
        return nil
    }
}

extension Node {
    /// What kind of value stands here, for messages.
    package var kindWord: String {
        switch value {
        case .scalar("", plain: true): "nothing"
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The value as a message quotes it, shortened to 60 characters.
    package var shown: String {
        guard case .scalar(let text, _) = value else { return kindWord }
        let cut = text.count > 60 ? text.prefix(60) + "…" : text[...]
        return text.isEmpty ? "nothing" : "\"\(cut)\""
    }
}
