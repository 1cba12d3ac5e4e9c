internal import PinwatchCore

extension Kind where Value == String {
    /// On one line, its length in code points.
    static func line(_ characters: ClosedRange<Int>) -> Kind {
        Kind(schema: .line(characters)) { value, reader in
            guard let text = reader.text(value, characters) else { return nil }
            if text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) { return text }
            reader.report("must be on one line, without control characters")
            return nil
        }
    }

    /// Any text but one with U+0000, which databases end a text at; its length in code points.
    static func text(_ characters: ClosedRange<Int>) -> Kind {
        Kind(schema: .prose(characters)) { value, reader in
            guard let text = reader.text(value, characters) else { return nil }
            if !text.utf8.contains(0) { return text }
            reader.report("must not hold the character U+0000")
            return nil
        }
    }

    /// What other things refer to, and addresses carry: a channel's name, a label's.
    static let name = Kind(schema: .text(pattern: NameRule.pattern)) { value, reader in
        guard let text = reader.text(value, 1...64) else { return nil }
        if NameRule.allows(text) { return text }
        reader.report("must be \(NameRule.words)")
        return nil
    }
}

extension Kind where Value == Int64 {
    static func integer(_ bounds: ClosedRange<Int64>) -> Kind {
        Kind(schema: .integer(bounds)) { value, reader in
            let number: Int64? =
                switch value {
                case .integer(let number): number
                // JSON Schema takes 1.0 for an integer as well.
                case .number(let number): Int64(exactly: number)
                case .null, .bool, .string, .array, .object: nil
                }
            if let number, bounds.contains(number) { return number }
            reader.report("must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            return nil
        }
    }
}

extension Kind where Value == Bool {
    static let flag = Kind(schema: .flag) { value, reader in
        if case .bool(let flag) = value { return flag }
        reader.report("must be true or false, not \(value.kindWord)")
        return nil
    }
}

extension Kind where Value == Instant {
    /// RFC 3339 with its zone; fractions of a second are dropped.
    static let time = Kind(schema: .time) { value, reader in
        if case .string(let text) = value, text.utf8.count <= 64, let time = Instant(rfc3339: text) { return time }
        reader.report("must be a time such as 2026-12-01T08:00:00Z")
        return nil
    }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's words.
    static func word(of type: Value.Type) -> Kind {
        Kind(schema: .word(Value.self)) { value, reader in
            if case .string(let text) = value, let word = Value(rawValue: text) { return word }
            reader.report("must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
    }
}

extension Kind where Value == IPAddress {
    static let address = Kind(schema: .address) { value, reader in
        if case .string(let text) = value, let address = IPAddress(text) { return address }
        reader.report("must be an IP address such as 192.0.2.1 or 2001:db8::1")
        return nil
    }
}

extension Kind where Value == [String: String] {
    /// Free names and values of a target, and of what asks for targets.
    static let labels = Kind(
        schema: .map(of: .line(0...200), names: .text(pattern: NameRule.pattern), maximum: LabelRules.maximum)
    ) { value, reader in
        guard let changes = LabelRules.read(value, &reader, takesNull: false) else { return nil }
        return changes.compactMapValues { $0 }
    }
}

extension Kind where Value == [String: String?] {
    /// A merge patch of labels (RFC 7396): `null` takes one away.
    static let labelChanges = Kind(
        schema: .map(
            of: .line(0...200).orNull, names: .text(pattern: NameRule.pattern), maximum: LabelRules.maximum)
    ) { value, reader in LabelRules.read(value, &reader, takesNull: true) }
}

extension Kind {
    /// A list of values of a kind.
    static func list<Item>(of kind: Kind<Item>, _ count: ClosedRange<Int>) -> Kind<[Item]> where Value == [Item] {
        Kind<[Item]>(schema: .list(of: kind.schema, count)) { value, reader in
            guard case .array(let items) = value else {
                reader.report("must be a list, not \(value.kindWord)")
                return nil
            }
            guard count.contains(items.count) else {
                reader.report("must hold \(count.lowerBound) to \(count.upperBound), not \(items.count)")
                return nil
            }
            return items.enumerated().compactMap { index, item in reader.at(item: index) { kind.read(item, &$0) } }
        }
    }

    /// An object of a shape, made into a value.
    static func object(
        _ shape: BodyShape, _ read: @escaping @Sendable (BodyMembers, inout BodyReader) -> Value?
    ) -> Kind {
        Kind(schema: shape.schema) { value, reader in reader.object(value, shape).flatMap { read($0, &reader) } }
    }

    /// The same values, held to a rule more. `check` returns what is wrong, or the other value.
    func checked<Other>(
        _ check: @escaping @Sendable (Value, inout BodyReader) -> Other?
    ) -> Kind<Other> {
        let read = read
        return Kind<Other>(schema: schema) { value, reader in read(value, &reader).flatMap { check($0, &reader) } }
    }
}

extension BodyReader {
    fileprivate mutating func text(_ value: JSON, _ characters: ClosedRange<Int>) -> String? {
        guard case .string(let text) = value else {
            report("must be a text, not \(value.kindWord)")
            return nil
        }
        if characters.contains(text.unicodeScalars.count) { return text }
        report("must have \(characters.lowerBound) to \(characters.upperBound) characters")
        return nil
    }
}

/// What labels may be called and say, the same as in the configuration file.
private enum LabelRules {
    static let maximum = 64

    static func read(_ value: JSON, _ reader: inout BodyReader, takesNull: Bool) -> [String: String?]? {
        guard case .object(let members) = value else {
            reader.report("must be an object of names and texts, not \(value.kindWord)")
            return nil
        }
        guard members.count <= maximum else {
            reader.report("must hold at most \(maximum) labels, not \(members.count)")
            return nil
        }
        var labels: [String: String?] = [:]
        for (name, value) in members {
            reader.at(member: name) { reader in
                guard NameRule.allows(name) else { return reader.report("a label's name must be \(NameRule.words)") }
                if value == .null, takesNull {
                    labels.updateValue(nil, forKey: name)
                } else if let text = Kind<String>.line(0...200).read(value, &reader) {
                    labels[name] = text
                }
            }
        }
        return labels
    }
}
