/// What was done, as `audit` names it.
package enum AuditAction: String, Sendable, CaseIterable {
    case targetCreate = "target.create"
    case targetUpdate = "target.update"
    case targetDelete = "target.delete"
    case targetScan = "target.scan"
    case pinSetCreate = "pin_set.create"
    case pinSetUpdate = "pin_set.update"
    case pinSetDelete = "pin_set.delete"
    case channelCreate = "channel.create"
    case channelUpdate = "channel.update"
    case channelDelete = "channel.delete"
    case channelTest = "channel.test"
    case routeCreate = "route.create"
    case routeUpdate = "route.update"
    case routeDelete = "route.delete"
    case silenceCreate = "silence.create"
    case silenceUpdate = "silence.update"
    case silenceDelete = "silence.delete"
    case alertAcknowledge = "alert.acknowledge"
    case alertUnacknowledge = "alert.unacknowledge"
    case deliveryRetry = "delivery.retry"
    case tokenCreate = "token.create"
    case tokenRevoke = "token.revoke"
    case sessionCreate = "session.create"
    case sessionDelete = "session.delete"
    case settingsReload = "settings.reload"
    /// Secrets were sealed again under a new key.
    case secretsReseal = "secrets.reseal"
}

/// What an audited action was done to.
package struct AuditObject: Sendable, Hashable {
    /// `target`, `pin_set`, `channel`, `route`, `silence`, `alert`, `delivery`, `token`, `session`, `settings`.
    package let type: String
    package let id: String
    /// As people know it: a target's label, a release.
    package let name: String

    package init(type: String, id: String, name: String) {
        self.type = type
        self.id = id
        self.name = name
    }
}

/// One line of the audit trail. Appended, never changed; holds no secret.
package struct AuditRecord: Sendable, Hashable {
    /// Ascending, never used again; 0 before it is stored.
    package var id: Int64
    package var at: Instant
    package var principal: Principal
    package var address: IPAddress?
    package var action: AuditAction
    package var object: AuditObject
    /// An object of `field: {from, to}`; empty where nothing has fields.
    package var changes: JSON

    package init(
        id: Int64 = 0, at: Instant, principal: Principal, address: IPAddress?, action: AuditAction,
        object: AuditObject, changes: JSON = .object([])
    ) {
        self.id = id
        self.at = at
        self.principal = principal
        self.address = address
        self.action = action
        self.object = object
        self.changes = changes
    }

    package init(_ change: Change, _ action: AuditAction, _ object: AuditObject, changes: JSON = .object([])) {
        self.init(
            at: change.at, principal: change.principal, address: change.address, action: action, object: object,
            changes: changes)
    }
}
