internal import PinwatchCore

/// What differs between two states of a thing, field by field, in the order of the newer one. Holds no secret: fields
/// that are secret are given as `<secret>`, and noted as changed by ``note(secret:)``.
struct FieldChanges {
    private(set) var fields: [(name: String, from: JSON, to: JSON)] = []

    /// - Parameter old: `nil` for what did not exist, `new` for what no longer does.
    init(from old: [(String, JSON)]?, to new: [(String, JSON)]?) {
        let before = Dictionary(old ?? []) { first, _ in first }
        let after = Dictionary(new ?? []) { first, _ in first }
        for (name, _) in new ?? old ?? [] {
            let (from, to) = (before[name] ?? .null, after[name] ?? .null)
            if from != to { fields.append((name, from, to)) }
        }
    }

    var isEmpty: Bool { fields.isEmpty }

    mutating func note(secret name: String) {
        let hidden = JSON.string(Secret("").description)
        fields.append((name, hidden, hidden))
    }

    /// `{field: {from, to}}`.
    var json: JSON { .object(fields.map { ($0.name, .object([("from", $0.from), ("to", $0.to)])) }) }
}

extension TargetSettings {
    /// What can be changed of a target, by the API's names.
    var fields: [(String, JSON)] {
        [
            ("owner", .string(owner.rawValue)), ("labels", storedLabels), ("period_s", .stored(periodSeconds)),
            ("addresses", .strings(addresses.map(\.description))), ("addresses_policy", .text(addressPolicy?.rawValue)),
            ("trust_store", .string(trustStore)), ("paused", .bool(paused)),
            ("managed_by", .string(managedBy.rawValue)),
        ]
    }
}

extension PinSetDefinition {
    /// Pins listed in a change; an app seldom has more.
    private static let shownPins = 200

    /// What can be changed of a pin set; its text by length alone, since it may have megabytes.
    var fields: [(String, JSON)] {
        [
            ("share", share.map { .number($0) } ?? .null), ("trust_store", .text(trustStore)),
            ("clients", .strings(layers.map(\.client.rawValue))),
            ("pins", .strings(layers.flatMap(\.policy.allPins).prefix(Self.shownPins).map(\.text))),
            ("source_bytes", .integer(Int64(source.utf8.count))),
            (
                "read_files",
                .strings(layers.flatMap(\.policy.readTexts).map { "\($0.path) (\($0.text.utf8.count) bytes)" })
            ),
            ("managed_by", .string(managedBy.rawValue)),
        ]
    }
}

extension StoredChannel {
    /// What can be changed of a channel, apart from what is secret.
    var fields: [(String, JSON)] {
        [
            ("type", .string(kind.rawValue)), ("url_host", .string(urlHost)), ("allow_private", .bool(allowPrivate)),
            ("secrets", .integer(Int64(secretCount))), ("managed_by", .string(managedBy.rawValue)),
        ]
    }
}
