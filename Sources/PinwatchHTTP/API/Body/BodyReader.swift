internal import PinwatchCore

/// Reads a request's JSON body and gathers every fault with the place of its value, so that all are told together.
///
/// Each method returns `nil` after reporting what was found and what is allowed. A caller goes on reading what is left.
struct BodyReader {
    /// Beyond these the first ones are enough to go on with, and the answer stays small.
    private static let maximumErrors = 100

    private(set) var errors: [Problem.FieldError] = []
    /// `[3]`, `.labels`, `.app`: the place that is being read.
    private var place: [String] = []

    /// Says what is wrong with the value that is being read.
    mutating func report(_ message: String) {
        guard errors.count < Self.maximumErrors else { return }
        let path = place.joined()
        errors.append(.init(field: path.hasPrefix(".") ? String(path.dropFirst()) : path, message: message))
    }

    mutating func report(member name: String, _ message: String) {
        at(member: name) { $0.report(message) }
    }

    mutating func at<Value>(member name: String, _ read: (inout BodyReader) -> Value) -> Value {
        at("." + name.prefix(64), read)
    }

    mutating func at<Value>(item index: Int, _ read: (inout BodyReader) -> Value) -> Value {
        at("[\(index)]", read)
    }

    private mutating func at<Value>(_ step: String, _ read: (inout BodyReader) -> Value) -> Value {
        place.append(step)
        defer { place.removeLast() }
        return read(&self)
    }

    /// The members of an object of a known shape. Members that a closed shape lacks are reported by name, and so is
    /// what it requires and is not there.
    mutating func object(_ value: JSON, _ shape: BodyShape) -> BodyMembers? {
        guard case .object(let members) = value else {
            report("must be an object, not \(value.kindWord)")
            return nil
        }
        let known = shape.names
        for (name, _) in members where !known.contains(name) && !shape.isOpen {
            report(
                member: name, shape.refused[name] ?? "is not a member here; there are \(known.joined(separator: ", "))")
        }
        for name in shape.required where !members.contains(where: { $0.0 == name }) {
            report(member: name, "is needed")
        }
        return BodyMembers(Dictionary(members) { first, _ in first })
    }

    /// - Throws: A ``Problem`` 422 with all that was reported, if anything was.
    func finish() throws(Problem) {
        guard !errors.isEmpty else { return }
        throw Problem(422, "The request's body is JSON, but not what is needed here; see errors.", errors: errors)
    }
}

/// What stands in the place of a member.
enum Given<Value: Sendable>: Sendable {
    case absent
    case null
    case value(Value)

    /// The value, where there is one.
    var value: Value? {
        switch self {
        case .absent, .null: nil
        case .value(let value): value
        }
    }

    func map<Other: Sendable>(_ transform: (Value) -> Other) -> Given<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(transform(value))
        }
    }

    /// What is there then, where nothing may be.
    func merged(into value: Value?) -> Value? {
        switch self {
        case .absent: value
        case .null: nil
        case .value(let new): new
        }
    }

    /// Merges into what is there (RFC 7396): nothing given leaves it, `null` sets it back.
    func merge(into value: inout Value, default fallback: Value) {
        switch self {
        case .absent: break
        case .null: value = fallback
        case .value(let new): value = new
        }
    }
}

/// An object's members, as they were sent.
struct BodyMembers: Sendable {
    private let members: [String: JSON]
    init(_ members: [String: JSON]) { self.members = members }

    subscript(name: String) -> JSON? { members[name] }

    /// What a member says. One that is at fault was reported, and counts as absent.
    func given<Value>(_ member: Member<Value>, _ reader: inout BodyReader) -> Given<Value> {
        guard let value = members[member.name] else { return .absent }
        if value == .null, member.isNullable { return .null }
        let read = reader.at(member: member.name) { member.kind.read(value, &$0) }
        return read.map { .value($0) } ?? .absent
    }

    /// A member's value; `nil` for one that is absent, null or at fault.
    func value<Value>(_ member: Member<Value>, _ reader: inout BodyReader) -> Value? {
        given(member, &reader).value
    }
}

extension JSON {
    /// What kind of value this is, for messages.
    var kindWord: String {
        switch self {
        case .null: "null"
        case .bool: "a flag"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension Call {
    /// The body as JSON.
    ///
    /// - Parameter empty: What no body at all means; `nil` refuses it.
    /// - Throws: A ``Problem`` 400 for what is no JSON.
    func json(empty: JSON? = nil) throws(Problem) -> JSON {
        if request.body.isEmpty, let empty { return empty }
        do {
            return try JSON(parsing: request.body)
        } catch {
            throw Problem(
                400, "The body is no JSON: line \(error.line), column \(error.column): \(error.message).")
        }
    }

    /// Reads the body by `read`.
    ///
    /// - Throws: A ``Problem`` 400 for what is no JSON, 422 for faults that `read` reported, or where it gave `nil`.
    func read<Value>(empty: JSON? = nil, _ read: (JSON, inout BodyReader) -> Value?) throws(Problem) -> Value {
        let body = try json(empty: empty)
        var reader = BodyReader()
        let value = read(body, &reader)
        try reader.finish()
        guard let value else { throw Problem(422, "The request's body is JSON, but not what is needed here.") }
        return value
    }

    /// Reads a body that is an object of a shape.
    func read<Value>(
        _ shape: BodyShape, empty: JSON? = nil, _ read: (BodyMembers, inout BodyReader) -> Value?
    ) throws(Problem) -> Value {
        try self.read(empty: empty) { body, reader in reader.object(body, shape).flatMap { read($0, &reader) } }
    }
}
