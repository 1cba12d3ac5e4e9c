extension RouteRecord {
    /// The contract's `route`, its words in their own order, so that equal routes read equal.
    package var json: JSON {
        .object([
            ("id", .string(String(id))), ("severity", route.severities.json), ("kind", route.kinds.json),
            ("labels", route.labels.json), ("events", route.events.json), ("channels", .strings(route.channels)),
            ("managed_by", .string(managedBy.rawValue)), ("revision", .integer(revision)),
        ])
    }
}

extension Set where Element: RawRepresentable & CaseIterable, Element.RawValue == String {
    /// The words of an enumeration that a set holds, in the enumeration's order.
    package var json: JSON { .strings(Element.allCases.filter(contains).map(\.rawValue)) }
}

extension [String: String] {
    /// Labels, by name.
    package var json: JSON { .object(sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }) }
}
