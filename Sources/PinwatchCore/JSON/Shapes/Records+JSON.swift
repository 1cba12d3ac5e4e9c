extension AlertRecord {
    /// The contract's `alert`, with the `finding` that it tells as it is or last was.
    package var json: JSON {
        guard case .object(let members) = alert.json(subjects: subjects) else { return alert.json(subjects: subjects) }
        return .object(members + [("finding", finding.json)])
    }
}

extension EventRecord {
    /// ``Event/json(id:)`` with the stream's cursor.
    package var json: JSON { event.json(id: id) }
}
