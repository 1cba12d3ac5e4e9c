internal import PinwatchCore

extension Recording {
    /// Keeps a row for each silence of the configuration file, ends those that the file drops, and puts all that have
    /// not ended in force. Silences have no name: one that differs is another one.
    mutating func synchronize(silences wanted: [Silence]) throws(StoreError) {
        var left = wanted
        for known in try standingSilences() where known.managedBy == .config {
            let stored = known.silence.stored
            if let index = left.firstIndex(where: { $0.stored == stored && $0.endsAt == known.silence.endsAt }) {
                left.remove(at: index)
            } else {
                try end(known.id)
            }
        }
        for silence in left where !silence.hasEnded(at: now) {
            _ = try add(silence, by: Principal.config.name, managedBy: .config)
        }
        let standing = try standingSilences()
        policy.silences = standing.map { EvaluationPolicy.NumberedSilence(id: $0.id, silence: $0.silence) }
        if commit.topics.contains(.silences) { try database.schedule(.silences, at: now) }
    }

    mutating func add(_ silence: Silence, by name: String, managedBy: ManagedBy) throws(StoreError) -> SilenceID {
        commit.topics.insert(.silences)
        return SilenceID(
            try database.number(
                """
                INSERT INTO silence (body, weekly, starts_at, ends_at, created_by, created_at, managed_by, revision)
                VALUES (:body, :weekly, :starts, :ends, :by, :now, :managed_by, 1) RETURNING id
                """,
                [
                    ("body", .text(silence.stored.text)), ("weekly", .flag(silence.weekly != nil)),
                    ("starts", .at(silence.startsAt)), ("ends", .optional(silence.endsAt)), ("by", .text(name)),
                    ("now", .at(now)), ("managed_by", .text(managedBy.rawValue)),
                ]))
    }

    /// The record stays until retention ends.
    mutating func end(_ id: SilenceID) throws(StoreError) {
        commit.topics.insert(.silences)
        try database.run(
            "UPDATE silence SET ends_at = :now, revision = revision + 1 WHERE id = :id",
            [("id", .integer(id.rawValue)), ("now", .at(now))])
    }

    /// Those that have not ended, in the order made.
    func standingSilences() throws(StoreError) -> [SilenceRecord] {
        var silences: [SilenceRecord] = []
        for row in try database.rows(
            """
            SELECT \(SilenceRecord.columns) FROM silence WHERE ends_at IS NULL OR ends_at > :now ORDER BY id
            """, [("now", .at(now))])
        {
            silences.append(try SilenceRecord(row: row, alerts: 0, now: now, zones: policy.timeZones))
        }
        return silences
    }
}
