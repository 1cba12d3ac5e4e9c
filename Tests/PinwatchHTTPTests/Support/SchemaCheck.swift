import PinwatchCore

/// Holds values against the schemas of an OpenAPI document, as far as this document uses JSON Schema. A keyword that it
/// does not know is a fault, so that none goes unchecked.
struct SchemaCheck {
    let document: JSON

    func faults(of value: JSON, against schema: JSON, at place: String = "$") -> [String] {
        guard case .object(let keywords) = schema else { return ["\(place): the schema is no object"] }
        return keywords.flatMap { keyword, rule in
            faults(of: value, keyword, rule, schema, place).map { "\(place): \($0)" }
        }
    }

    /// What a reference leads to.
    func resolve(_ reference: String) -> JSON? {
        guard reference.hasPrefix("#/") else { return nil }
        var found: JSON? = document
        for name in reference.dropFirst(2).split(separator: "/") { found = found?[String(name)] }
        return found
    }

    private func faults(
        of value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ place: String
    ) -> [String] {
        switch keyword {
        case "description", "examples": []
        case "$ref":
            rule.string.flatMap(resolve).map { faults(of: value, against: $0, at: place) } ?? ["leads nowhere: \(rule)"]
        case "type":
            types(rule).contains { value.isOf(type: $0) } ? [] : ["\(value.text.prefix(80)) is not \(rule.text)"]
        case "enum": rule.items.contains(value) ? [] : ["\(value.text) is none of \(rule.text)"]
        case "const": rule == value ? [] : ["\(value.text) is not \(rule.text)"]
        case "oneOf": alternatives(value, rule.items, place)
        case "not": faults(of: value, against: rule, at: place).isEmpty ? ["is what \(rule.text) excludes"] : []
        case "properties", "required", "additionalProperties", "propertyNames", "maxProperties":
            value.isOf(type: "object") ? members(value, keyword, rule, schema, place) : []
        case "items", "minItems", "maxItems": value.isOf(type: "array") ? list(value, keyword, rule, place) : []
        case "minLength", "maxLength", "pattern", "format": value.string.map { text($0, keyword, rule) } ?? []
        case "minimum", "maximum": bounds(value, keyword, rule)
        default: ["the check does not know the keyword \(keyword)"]
        }
    }

    private func types(_ rule: JSON) -> [String] { rule.string.map { [$0] } ?? rule.items.compactMap(\.string) }

    private func alternatives(_ value: JSON, _ schemas: [JSON], _ place: String) -> [String] {
        let all = schemas.map { faults(of: value, against: $0, at: place) }
        let fitting = all.count { $0.isEmpty }
        return fitting == 1 ? [] : ["fits \(fitting) of \(schemas.count) alternatives: \(all)"]
    }

    private func members(
        _ value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ place: String
    ) -> [String] {
        let members = value.members
        switch keyword {
        case "properties":
            return members.flatMap { name, member in
                rule[name].map { faults(of: member, against: $0, at: place + "." + name) } ?? []
            }
        case "required":
            return rule.items.compactMap(\.string).filter { value[$0] == nil }.map { "\($0) is missing" }
        case "additionalProperties":
            let others = members.filter { schema["properties"]?[$0.0] == nil }
            if rule == .bool(false) { return others.map { "\($0.0) is not in the schema" } }
            return others.flatMap { faults(of: $0.1, against: rule, at: place + "." + $0.0) }
        case "propertyNames":
            return members.flatMap { faults(of: .string($0.0), against: rule, at: place + " name") }
        default: return members.count <= rule.integer ?? 0 ? [] : ["too many members"]
        }
    }

    private func list(_ value: JSON, _ keyword: String, _ rule: JSON, _ place: String) -> [String] {
        switch keyword {
        case "items":
            value.items.enumerated().flatMap { faults(of: $1, against: rule, at: place + "[\($0)]") }
        case "minItems": value.items.count >= rule.integer ?? 0 ? [] : ["too few items"]
        default: value.items.count <= rule.integer ?? 0 ? [] : ["too many items"]
        }
    }

    private func text(_ text: String, _ keyword: String, _ rule: JSON) -> [String] {
        let count = text.unicodeScalars.count
        switch keyword {
        case "minLength": return count >= rule.integer ?? 0 ? [] : ["too short"]
        case "maxLength": return count <= rule.integer ?? 0 ? [] : ["too long"]
        case "pattern":
            guard let pattern = rule.string.flatMap({ try? Regex($0) }) else { return ["no pattern: \(rule.text)"] }
            return text.contains(pattern) ? [] : ["\"\(text.prefix(80))\" does not match \(rule.text)"]
        default:
            let isOfFormat =
                switch rule.string {
                case "date-time": Instant(rfc3339: text) != nil
                case "ipv4": IPAddress(text).map { !$0.isIPv6 } ?? false
                case "ipv6": IPAddress(text)?.isIPv6 ?? false
                default: false
                }
            return isOfFormat ? [] : ["\"\(text.prefix(80))\" is no \(rule.text)"]
        }
    }

    private func bounds(_ value: JSON, _ keyword: String, _ rule: JSON) -> [String] {
        guard let number = value.double, let bound = rule.double else { return [] }
        return (keyword == "minimum" ? number >= bound : number <= bound) ? [] : ["\(number) is out of bounds"]
    }
}

extension JSON {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var items: [JSON] { if case .array(let items) = self { items } else { [] } }
    var members: [(String, JSON)] { if case .object(let members) = self { members } else { [] } }

    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }

    fileprivate func isOf(type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
