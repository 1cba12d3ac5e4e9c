extension ReleaseMatrix {
    /// `{columns, rows}`; a row's cells are in the order of the columns.
    package func json(now: Instant) -> JSON {
        .object([("columns", .array(columns.map(\.json))), ("rows", .array(rows.map { $0.json(now: now) }))])
    }
}

extension ReleaseMatrix.Column {
    fileprivate var json: JSON {
        .object([
            ("key_family", .text(family?.rawValue)), ("chain", .strings(chain.map(\.hex))), ("spki", .text(spki?.pin)),
            ("addresses", .strings(addresses.map(\.description))), ("not_after", .time(notAfter)),
        ])
    }
}

extension ReleaseMatrix.Row {
    fileprivate func json(now: Instant) -> JSON {
        let definition = pinSet.definition
        return .object(
            pinSet.identity.members(id: pinSet.id) + [
                ("stack", .string(pinSet.identity.stack)), ("share", .share(definition.share)),
                ("clients", .strings(definition.layers.map(\.client.rawValue))),
                ("runs_out", runsOut?.json(now: now) ?? .null),
                ("cells", .array(cells.map { .object($0.recordMembers) })),
            ])
    }
}
