package import PinwatchCore

extension Store {
    package func acknowledge(_ id: AlertID, note: String?, _ change: Change) async throws -> AlertRecord {
        try await manage(change) { recording in
            let (scope, known, targets) = try recording.standing(id)
            let acknowledgement = Alert.Acknowledgement(by: change.principal.name, at: change.at, note: note)
            let changes = AlertBook.acknowledge(
                known, acknowledgement, policy: recording.policy, targets: { targets[$0] },
                windows: &recording.windows, now: change.at)
            try recording.write(changes, of: scope, labels: { _ in [] })
            try recording.note(
                change, .alertAcknowledge, known.finding.audited(id),
                FieldChanges(
                    from: known.alert?.acknowledged.map { [("note", .text($0.note)), ("by", .string($0.by))] },
                    to: [("note", .text(note)), ("by", .string(acknowledgement.by))]))
            return try recording.record(of: id)
        }
    }

    package func unacknowledge(_ id: AlertID, _ change: Change) async throws -> AlertRecord {
        try await manage(change) { recording in
            let (scope, known, _) = try recording.standing(id)
            guard known.alert?.acknowledged != nil else { return try recording.record(of: id) }
            try recording.write(
                AlertBook.unacknowledge(known), of: scope, labels: { _ in [] })
            try recording.note(change, .alertUnacknowledge, known.finding.audited(id))
            return try recording.record(of: id)
        }
    }
}

extension Recording {
    /// An alert whose finding stands, with what is judged together with it.
    fileprivate func standing(_ id: AlertID) throws -> (EvaluationScope, OpenFinding, [TargetID: Target]) {
        let found = try database.row(
            "SELECT scope_key FROM finding WHERE alert_id = :id", [("id", .integer(id.rawValue))])
        guard let row = found else {
            guard try database.alertRecord(id) != nil else { throw ChangeRefusal.unknown }
            throw ChangeRefusal.conflict("the alert is resolved: there is nothing left to take on")
        }
        let scope = try EvaluationScope(key: try row.text(0))
        guard let known = try openFindings(of: scope).first(where: { $0.alert?.id == id }) else {
            throw ChangeRefusal.unknown
        }
        var targets: [TargetID: Target] = [:]
        if case .host(let host) = scope {
            for target in try database.targets(of: host).live { targets[target.id] = target }
        }
        return (scope, known, targets)
    }

    fileprivate func record(of id: AlertID) throws -> AlertRecord {
        guard let record = try database.alertRecord(id) else { throw ChangeRefusal.unknown }
        return record
    }
}

extension Finding {
    fileprivate func audited(_ id: AlertID) -> AuditObject {
        AuditObject(type: "alert", id: id.text, name: "\(kind.rawValue) \(subject)")
    }
}
