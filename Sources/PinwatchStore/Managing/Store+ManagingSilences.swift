package import PinwatchCore

extension Store {
    package func addSilence(_ silence: Silence, _ change: Change) async throws -> SilenceRecord {
        try await manage(change) { recording in
            guard !silence.matchers.isEmpty else {
                throw ChangeRefusal.invalid(
                    field: "matchers", message: "at least one is needed: targets, host, labels, kind or severity")
            }
            guard !silence.hasEnded(at: change.at), silence.endsAt.map({ silence.startsAt < $0 }) ?? true else {
                throw ChangeRefusal.invalid(field: "ends_at", message: "it must lie ahead, and after starts_at")
            }
            let id = try recording.add(silence, by: change.principal.name, managedBy: .api)
            try recording.refreshSilences(changed: id)
            try recording.note(change, .silenceCreate, silence.audited(id), FieldChanges(from: nil, to: silence.fields))
            return try recording.record(of: id)
        }
    }

    package func changeSilence(
        _ id: SilenceID, _ change: Change, _ edit: @escaping @Sendable (inout Silence) throws(ChangeRefusal) -> Void
    ) async throws -> SilenceRecord {
        try await manage(change) { recording in
            let known = try recording.managedSilence(id, change)
            var silence = known.silence
            try edit(&silence)
            guard silence != known.silence else { return known }
            guard silence.endsAt.map({ silence.startsAt < $0 }) ?? true else {
                throw ChangeRefusal.invalid(field: "ends_at", message: "it must lie after starts_at")
            }
            try recording.replace(id, by: silence)
            try recording.refreshSilences(changed: id)
            try recording.note(
                change, .silenceUpdate, silence.audited(id),
                FieldChanges(from: known.silence.fields, to: silence.fields))
            return try recording.record(of: id)
        }
    }

    package func removeSilence(_ id: SilenceID, _ change: Change) async throws {
        try await manage(change) { recording in
            let known = try recording.managedSilence(id, change)
            try recording.end(id)
            try recording.refreshSilences(changed: id)
            try recording.note(change, .silenceDelete, known.silence.audited(id))
        }
    }
}

extension Recording {
    fileprivate mutating func replace(_ id: SilenceID, by silence: Silence) throws(StoreError) {
        commit.topics.insert(.silences)
        try database.run(
            """
            UPDATE silence SET body = :body, weekly = :weekly, starts_at = :starts, ends_at = :ends,
              revision = revision + 1
            WHERE id = :id
            """,
            [
                ("id", .integer(id.rawValue)), ("body", .text(silence.stored.text)),
                ("weekly", .flag(silence.weekly != nil)), ("starts", .at(silence.startsAt)),
                ("ends", .optional(silence.endsAt)),
            ])
    }

    /// Puts the silences in force, and has alerts follow the one that changed at once.
    fileprivate mutating func refreshSilences(changed id: SilenceID) throws(StoreError) {
        policy.silences = try standingSilences().map {
            EvaluationPolicy.NumberedSilence(id: $0.id, silence: $0.silence)
        }
        try judgeSilences(changed: id)
    }

    /// A silence that is there and may be changed so. One that has ended is history.
    fileprivate func managedSilence(_ id: SilenceID, _ change: Change) throws -> SilenceRecord {
        guard let known = try database.silenceRecord(id, now: now, zones: policy.timeZones) else {
            throw ChangeRefusal.unknown
        }
        try change.check(known.managedBy, revision: known.revision)
        guard known.state != .ended else { throw ChangeRefusal.conflict("the silence has ended; make another one") }
        return known
    }

    fileprivate func record(of id: SilenceID) throws -> SilenceRecord {
        guard let record = try database.silenceRecord(id, now: now, zones: policy.timeZones) else {
            throw ChangeRefusal.unknown
        }
        return record
    }
}

extension Silence {
    fileprivate func audited(_ id: SilenceID) -> AuditObject {
        AuditObject(type: "silence", id: id.text, name: label)
    }
}
