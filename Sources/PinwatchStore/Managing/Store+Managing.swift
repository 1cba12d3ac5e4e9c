internal import PinwatchCore

/// One extension for each topic stands in the other files of this folder.
extension Store: ManagingStore {}

extension Store {
    /// One transaction of what somebody asks for: all of it, with its line in the audit trail, or none.
    ///
    /// - Throws: ``ChangeRefusal``, or ``StoreError``.
    func manage<Result: Sendable>(
        _ change: Change, _ body: @Sendable (inout Recording) throws -> Result
    ) async throws -> Result {
        try await writer.manage(change, body)
    }
}

extension Writer {
    func manage<Result>(_ change: Change, _ body: (inout Recording) throws -> Result) throws -> Result {
        options.checkpoint("store.manage.before_begin")
        let (done, result) = try attempt { database in
            var recording = begin(database, assessor: NoAssessor(), now: change.at)
            let result = try body(&recording)
            options.checkpoint("store.manage.before_commit")
            return (recording, result)
        }
        options.checkpoint("store.manage.after_commit")
        takeOver(done)
        return result
    }

    /// Reads on the writer's turn, for what is to agree with the policy in force.
    func reading<Result>(_ body: (any Database) throws -> Result) throws -> Result {
        try body(try connection())
    }
}

extension Change {
    /// Refuses a change of what the file manages, and of another state than it expects.
    func check(_ managedBy: ManagedBy, revision: Int64) throws(ChangeRefusal) {
        guard managedBy == .api else { throw .managedByConfig }
        guard expecting.map({ $0 == revision }) ?? true else { throw .revised(current: revision) }
    }
}

extension Recording {
    /// Appends a line to the audit trail.
    func note(
        _ change: Change, _ action: AuditAction, _ object: AuditObject, _ changes: FieldChanges? = nil
    ) throws(StoreError) {
        try database.append(AuditRecord(change, action, object, changes: changes?.json ?? .object([])))
        options.checkpoint("store.manage.after_audit")
    }
}
