internal import PinwatchCore

/// Turns a YAML or JSON text into one ``Node``, refusing what makes a file say other than it seems to say: aliases,
/// tags, merge keys, duplicate keys, a second document.
struct YAMLTree {
    /// Deeper nesting is refused.
    static let depthLimit = 32
    /// After so many problems the rest of the file is not read.
    static let problemLimit = 100

    private enum Stop: Error {
        case fault(YAMLEvents.Fault)
        case tooMany
    }

    private let file: String
    private var problems: [Problem] = []

    /// - Parameters:
    ///   - text: The file's bytes.
    ///   - file: Its name as problems show it.
    ///   - limit: The most bytes that are read.
    /// - Returns: The text's node, and what was refused in it; with problems the node only serves to find more of them.
    /// - Throws: The problems of a text that has no end or no structure.
    static func node(
        _ text: [UInt8], file: String, limit: Int
    ) throws(InputProblems) -> (root: Node, problems: [Problem]) {
        guard text.count <= limit else {
            throw InputProblems(file: file, "it is larger than \(limit >> 20) MiB, the most that is read")
        }
        if let mark = Mark(firstInvalidUTF8In: text) {
            throw InputProblems(file: file, mark: mark, "this is not UTF-8; save the file as UTF-8")
        }
        var tree = YAMLTree(file: file)
        return try tree.read(text)
    }

    private init(file: String) { self.file = file }

    private mutating func read(_ text: [UInt8]) throws(InputProblems) -> (root: Node, problems: [Problem]) {
        var root: Node?
        do {
            root = try document(text)
        } catch {
            switch error {
            case .fault(let fault):
                problems.append(Problem(file: file, mark: fault.mark, message: fault.message))
            case .tooMany:
                problems.append(Problem(file: file, mark: nil, message: "there are more problems; mend these first"))
            }
        }
        guard let root else { throw InputProblems(problems) }
        return (root, problems)
    }

    private mutating func document(_ text: [UInt8]) throws(Stop) -> Node? {
        var events = try Self.started(text)
        _ = try Self.next(&events)
        let start = try Self.next(&events)
        guard case .documentStart = start.kind else {
            try report(start.mark, "the file holds nothing but blanks and comments")
            return nil
        }
        let root = try value(try Self.next(&events), &events, depth: 1)
        _ = try Self.next(&events)
        let end = try Self.next(&events)
        if case .documentStart = end.kind { try report(end.mark, "a second document begins here; one is allowed") }
        return root
    }

    private mutating func value(
        _ event: YAMLEvent, _ events: inout YAMLEvents, depth: Int
    ) throws(Stop) -> Node {
        if event.hasAnchor {
            try report(event.mark, "anchors (&name) are not allowed; write the value where it is meant")
        }
        if event.hasTag { try report(event.mark, "tags (!name) are not allowed; remove it") }
        guard depth <= Self.depthLimit else {
            throw .fault(.init(mark: event.mark, message: "nested deeper than \(Self.depthLimit) levels"))
        }
        switch event.kind {
        case .scalar(let text, let plain):
            return Node(value: .scalar(text, plain: plain), mark: event.mark)
        case .sequenceStart:
            return Node(value: .sequence(try items(&events, depth: depth + 1)), mark: event.mark)
        case .mappingStart:
            return Node(value: .mapping(try members(&events, depth: depth + 1)), mark: event.mark)
        case .alias, .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            try report(event.mark, "aliases (*name) are not allowed; write the value where it is meant")
            return Node(value: .scalar("", plain: true), mark: event.mark)
        }
    }

    private mutating func items(_ events: inout YAMLEvents, depth: Int) throws(Stop) -> [Node] {
        var items: [Node] = []
        while true {
            let event = try Self.next(&events)
            if case .sequenceEnd = event.kind { return items }
            items.append(try value(event, &events, depth: depth))
        }
    }

    private mutating func members(_ events: inout YAMLEvents, depth: Int) throws(Stop) -> [Node.Member] {
        var members: [Node.Member] = []
        var marks: [String: Mark] = [:]
        while true {
            let event = try Self.next(&events)
            if case .mappingEnd = event.kind { return members }
            let key = try value(event, &events, depth: depth)
            let member = try value(try Self.next(&events), &events, depth: depth)
            guard case .scalar(let name, let plain) = key.value else {
                try report(key.mark, "a key must be text, not \(key.kindWord)")
                continue
            }
            if name == "<<", plain { try report(key.mark, "merge keys (<<) are not allowed; write the keys out") }
            if let first = marks[name] {
                try report(
                    key.mark,
                    "the key \"\(name)\" stands here and in line \(first.line), column \(first.column); keep one")
                continue
            }
            marks[name] = key.mark
            members.append(Node.Member(key: name, keyMark: key.mark, value: member))
        }
    }

    private mutating func report(_ mark: Mark, _ message: String) throws(Stop) {
        problems.append(Problem(file: file, mark: mark, message: message))
        if problems.count >= Self.problemLimit { throw .tooMany }
    }

    private static func started(_ text: [UInt8]) throws(Stop) -> YAMLEvents {
        do { return try YAMLEvents(text) } catch { throw .fault(error) }
    }

    private static func next(_ events: inout YAMLEvents) throws(Stop) -> YAMLEvent {
        do { return try events.next() } catch { throw .fault(error) }
    }
}
