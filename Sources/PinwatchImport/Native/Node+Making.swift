package import PinwatchCore

extension Mark {
    /// For files whose places mean nothing to people.
    static let start = Mark(line: 1, column: 1)
}

extension Node {
    /// Text that stays text whatever it looks like.
    static func text(_ text: String, _ mark: Mark) -> Node { Node(value: .scalar(text, plain: false), mark: mark) }

    static func flag(_ flag: Bool, _ mark: Mark) -> Node {
        Node(value: .scalar(flag ? "true" : "false", plain: true), mark: mark)
    }

    /// A word of the native format's own.
    static func word(_ word: String, _ mark: Mark) -> Node { Node(value: .scalar(word, plain: true), mark: mark) }

    /// A number as its file wrote it.
    static func number(_ digits: String, _ mark: Mark) -> Node {
        Node(value: .scalar(digits, plain: true), mark: mark)
    }

    static func list(_ items: [Node], _ mark: Mark) -> Node { Node(value: .sequence(items), mark: mark) }

    /// A mapping whose keys stand where it does.
    static func mapping(_ members: [(String, Node?)], _ mark: Mark) -> Node {
        let kept = members.compactMap { key, value in
            value.map { Node.Member(key: key, keyMark: $0.mark, value: $0) }
        }
        return Node(value: .mapping(kept), mark: mark)
    }

    static func mapping(_ members: [Node.Member], _ mark: Mark) -> Node { Node(value: .mapping(members), mark: mark) }

    subscript(key: String) -> Node? { members.first { $0.key == key }?.value }

    var members: [Node.Member] { if case .mapping(let members) = value { members } else { [] } }

    var items: [Node] { if case .sequence(let items) = value { items } else { [] } }

    var scalar: String? { if case .scalar(let text, _) = value { text } else { nil } }

    /// `true` and `false` as YAML means them, not as text.
    var flag: Bool? {
        switch value {
        case .scalar("true", plain: true): true
        case .scalar("false", plain: true): false
        case .scalar, .sequence, .mapping: nil
        }
    }

    /// The same value with every place forgotten, so that two files that mean the same are equal.
    package var withoutMarks: Node {
        switch value {
        case .scalar: Node(value: value, mark: .start)
        case .sequence(let items): .list(items.map(\.withoutMarks), .start)
        case .mapping(let members):
            .mapping(
                members.map { Node.Member(key: $0.key, keyMark: .start, value: $0.value.withoutMarks) }, .start)
        }
    }

    /// A pin whose text the client reads as it stands: what would mean another kind in a native file is spelled out.
    static func rawPin(_ text: String, _ mark: Mark) -> Node {
        let prefixes = ["sha256/", "sha1/", "file:", "cert-sha256:"]
        return .text(prefixes.contains(where: text.hasPrefix) ? "sha256/" + text : text, mark)
    }
}
