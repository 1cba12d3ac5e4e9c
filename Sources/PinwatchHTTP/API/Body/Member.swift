internal import PinwatchCore

/// One member of a request's body: the document says of it exactly what the reader takes.
struct Member<Value: Sendable>: Sendable {
    let name: String
    let kind: Kind<Value>
    /// Whether `null` may stand in its place: for a new thing as if it were absent, for a change to set it back.
    let isNullable: Bool
    /// In words, for the document.
    let about: String

    init(_ name: String, _ kind: Kind<Value>, orNull isNullable: Bool = false, _ about: String) {
        self.name = name
        self.kind = kind
        self.isNullable = isNullable
        self.about = about
    }

    var schema: Schema { (isNullable ? kind.schema.orNull : kind.schema).described(about) }
}

/// A kind of value: its schema, and how it is read. What it reports, it reports at the reader's place.
struct Kind<Value: Sendable>: Sendable {
    let schema: Schema
    let read: @Sendable (JSON, inout BodyReader) -> Value?

    /// The same with a value for a reader to begin with, where a schema cannot say all that a good one is.
    func example(_ value: JSON) -> Kind { Kind(schema: schema.example(value), read: read) }
}

/// The members that an object of a request's body may have.
struct BodyShape: Sendable {
    private var members: [(name: String, schema: Schema)] = []
    private(set) var required: [String] = []
    /// Members that people expect and that must not be there, with the reason.
    private(set) var refused: [String: String] = [:]
    /// Whether it has members beside these that somebody else reads.
    private(set) var isOpen = false

    var names: [String] { members.map(\.name) }

    func requiring<Value>(_ member: Member<Value>) -> BodyShape {
        var copy = taking(member)
        copy.required.append(member.name)
        return copy
    }

    func taking<Value>(_ member: Member<Value>) -> BodyShape {
        var copy = self
        copy.members.append((member.name, member.schema))
        return copy
    }

    func refusing(_ names: [String], because reason: String) -> BodyShape {
        var copy = self
        for name in names { copy.refused[name] = reason }
        return copy
    }

    var withOthers: BodyShape {
        var copy = self
        copy.isOpen = true
        return copy
    }

    var schema: Schema {
        let needed = members.filter { required.contains($0.name) }.map { ($0.name, $0.schema) }
        let others = members.filter { !required.contains($0.name) }.map { ($0.name, $0.schema) }
        return isOpen ? .open(needed, optional: others) : .object(needed, optional: others)
    }
}
