internal import PinwatchCore

/// A JSON Schema (draft 2020-12, which OpenAPI 3.1 takes as it is), as far as this API needs one.
struct Schema: Sendable, Hashable {
    private var members: [Member]

    private struct Member: Sendable, Hashable {
        let name: String
        var value: JSON
    }

    private init(_ members: [(String, JSON)]) {
        self.members = members.map { Member(name: $0.0, value: $0.1) }
    }

    var json: JSON { .object(members.map { ($0.name, $0.value) }) }

    private func adding(_ name: String, _ value: JSON) -> Schema {
        var copy = self
        copy.members.append(Member(name: name, value: value))
        return copy
    }

    /// The same with words for a reader.
    func described(_ text: String) -> Schema { adding("description", .string(text)) }

    func example(_ value: JSON) -> Schema { adding("examples", .array([value])) }

    /// The same, or `null`.
    var orNull: Schema {
        guard let type = members.firstIndex(where: { $0.name == "type" }), case .string(let word) = members[type].value
        else { return .one(of: [self, Schema([("type", .string("null"))])]) }
        var copy = self
        copy.members[type].value = .strings([word, "null"])
        if let values = copy.members.firstIndex(where: { $0.name == "enum" }),
            case .array(let words) = copy.members[values].value
        {
            copy.members[values].value = .array(words + [.null])
        }
        return copy
    }
}

// MARK: Single values

extension Schema {
    /// Any JSON value: facts whose members depend on their kind.
    static let anything = Schema([])
    static let flag = Schema([("type", .string("boolean"))])
    /// Bytes that are no JSON.
    static let binary = Schema([])
    static let number = Schema([("type", .string("number"))])
    static let text = Schema([("type", .string("string"))])
    /// RFC 3339 in UTC.
    static let time = text(format: "date-time")
    /// An opaque id, which here is a decimal number.
    static let id = text(pattern: "^[1-9][0-9]{0,17}$")
    /// 64 lower-case hexadecimal digits.
    static let digest = text(pattern: "^[0-9a-f]{64}$")
    /// `sha256/` and base64 of 32 bytes.
    static let pin = text(pattern: "^sha256/[A-Za-z0-9+/]{43}=$")
    static let count = integer(0...)
    static let address = one(of: [text(format: "ipv4"), text(format: "ipv6")])

    static func text(format: String) -> Schema { text.adding("format", .string(format)) }
    static func text(pattern: String) -> Schema { text.adding("pattern", .string(pattern)) }

    /// Characters counted as code points, as JSON Schema counts them.
    static func text(_ characters: ClosedRange<Int>) -> Schema {
        text.adding("minLength", .whole(characters.lowerBound)).adding("maxLength", .whole(characters.upperBound))
    }

    /// Over any number of lines, without U+0000.
    static func prose(_ characters: ClosedRange<Int>) -> Schema {
        // Not by a pattern of the whole text: what makes texts from documents builds millions of states for a long one.
        text(characters).adding(
            "not", .object([("type", .string("string")), ("pattern", .string(#"\u0000"#))]))
    }

    /// Any text but nothing, without U+0000; how long it may be, the limit of the body says.
    static let unboundedProse = text.adding("minLength", .whole(1)).adding(
        "not", .object([("type", .string("string")), ("pattern", .string(#"\u0000"#))]))

    /// On one line: no control characters.
    static func line(_ characters: ClosedRange<Int>) -> Schema {
        text(characters).adding("pattern", .string(#"^[^\u0000-\u001f\u007f-\u009f]*$"#))
    }

    static func integer(_ bounds: ClosedRange<Int64>) -> Schema {
        integer(bounds.lowerBound...).adding("maximum", .integer(bounds.upperBound))
    }

    static func integer(_ bounds: PartialRangeFrom<Int64>) -> Schema {
        integer.adding("minimum", .integer(bounds.lowerBound))
    }

    static let integer = Schema([("type", .string("integer"))])

    func bounded(_ minimum: Int64, _ maximum: Int64) -> Schema {
        adding("minimum", .integer(minimum)).adding("maximum", .integer(maximum))
    }

    static func word(_ words: [String]) -> Schema { text.adding("enum", .strings(words)) }

    static func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Schema
    where Word.RawValue == String { word(type.allCases.map(\.rawValue)) }

    static func constant(_ word: String) -> Schema { text.adding("const", .string(word)) }
}

// MARK: Values that hold others

extension Schema {
    static func list(of item: Schema, _ count: ClosedRange<Int>? = nil) -> Schema {
        let list = Schema([("type", .string("array")), ("items", item.json)])
        guard let count else { return list }
        return list.adding("minItems", .whole(count.lowerBound)).adding("maxItems", .whole(count.upperBound))
    }

    /// An object whose members' names are free.
    static func map(of value: Schema, names: Schema? = nil, maximum: Int? = nil) -> Schema {
        var map = Schema([("type", .string("object")), ("additionalProperties", value.json)])
        if let names { map = map.adding("propertyNames", names.json) }
        if let maximum { map = map.adding("maxProperties", .whole(maximum)) }
        return map
    }

    /// An object with these members, all of which are there, and no others.
    static func object(_ members: [(String, Schema)], optional: [(String, Schema)] = []) -> Schema {
        Schema([
            ("type", .string("object")),
            ("properties", .object((members + optional).map { ($0.0, $0.1.json) })),
            ("required", .strings(members.map(\.0))), ("additionalProperties", .bool(false)),
        ])
    }

    /// An object that has these members, and others that depend on what it is.
    static func open(_ members: [(String, Schema)], optional: [(String, Schema)] = []) -> Schema {
        Schema([
            ("type", .string("object")), ("properties", .object((members + optional).map { ($0.0, $0.1.json) })),
            ("required", .strings(members.map(\.0))),
        ])
    }

    /// A list as the contract pages it, with `more` members after the usual ones.
    static func page(of item: Schema, more: [(String, Schema)] = []) -> Schema {
        object(
            [
                ("items", list(of: item)),
                ("next", text.orNull.described("The `cursor` of the page after this one; null on the last.")),
                ("total", count.described("How many there are over all pages.")),
            ] + more)
    }

    static func one(of schemas: [Schema]) -> Schema {
        Schema([("oneOf", .array(schemas.map(\.json)))])
    }

    /// A schema of the document's components.
    static func named(_ name: SchemaName) -> Schema {
        Schema([("$ref", .string("#/components/schemas/" + name.rawValue))])
    }
}
