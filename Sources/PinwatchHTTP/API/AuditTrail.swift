internal import PinwatchCore

/// `audit`: who changed what, newest first.
enum AuditTrail {
    /// What actions are done to.
    static let objects = [
        "target", "pin_set", "channel", "route", "silence", "alert", "delivery", "token", "session", "settings",
    ]

    static func routes(_ context: ServiceContext) -> [Route] {
        let query = ListQuery(filters: [
            "action": .word(AuditAction.allCases.map(\.rawValue)), "actor": .text, "object_type": .word(objects),
        ])
        return [
            Route(.get, "/api/v1/audit", .listAudit(query), access: .role(.admin)) { call in
                try await context.managing.audit(query.request(call)).response(\.json)
            }
        ]
    }
}
