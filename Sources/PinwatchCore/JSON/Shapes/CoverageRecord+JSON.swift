extension CoverageRecord {
    /// `{unpinned, unscanned}`, each with its first items and how many there are.
    package var json: JSON {
        .object([
            (
                "unpinned",
                Self.list(
                    unpinned.map { .object([("target_id", .string($0.id.text)), ("label", .string($0.label))]) },
                    total: unpinnedTotal)
            ),
            ("unscanned", Self.list(unscanned.map(\.json), total: unscannedTotal)),
        ])
    }

    private static func list(_ items: [JSON], total: Int) -> JSON {
        .object([("items", .array(items)), ("total", .integer(Int64(total)))])
    }
}

extension Coverage.Unscanned {
    fileprivate var json: JSON {
        .object([
            ("host", .string(host)),
            (
                "pin_sets",
                .few(
                    pinSets.map {
                        .object([("id", .string($0.id.text)), ("label", .string($0.identity.label))])
                    })
            ),
        ])
    }
}
