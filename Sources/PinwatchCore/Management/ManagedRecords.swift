/// A pin set as lists show it.
package struct PinSetRecord: Sendable {
    package var pinSet: PinSet
    package var revision: Int64
    package var createdAt: Instant
    package var updatedAt: Instant
    /// Targets that serve something it has an answer to; one that was not scanned yet is not among them.
    package var targetCount: Int
    /// Over targets, addresses and key families, by verdict.
    package var verdicts: [VerdictKind: Int]
    /// Whether the files that it was read from are stored beside it.
    package var hasOriginals: Bool

    package init(
        pinSet: PinSet, revision: Int64, createdAt: Instant, updatedAt: Instant, targetCount: Int,
        verdicts: [VerdictKind: Int], hasOriginals: Bool = false
    ) {
        self.pinSet = pinSet
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.targetCount = targetCount
        self.verdicts = verdicts
        self.hasOriginals = hasOriginals
    }
}

/// What a pin set says of one target: its worst verdict there, and at how many addresses.
package struct PinSetTarget: Sendable {
    package var targetID: TargetID
    package var label: String
    package var verdict: VerdictKind
    package var code: String
    package var reason: String
    package var addresses: Int

    package init(
        targetID: TargetID, label: String, verdict: VerdictKind, code: String, reason: String, addresses: Int
    ) {
        self.targetID = targetID
        self.label = label
        self.verdict = verdict
        self.code = code
        self.reason = reason
        self.addresses = addresses
    }
}

/// A channel as it is stored: what is secret of it only sealed.
package struct StoredChannel: Sendable, Hashable {
    /// What is secret of a channel, sealed.
    package struct Sealed: Sendable, Hashable {
        package var url: [UInt8]
        /// Newest first, at most two.
        package var secrets: [[UInt8]]
        package init(url: [UInt8], secrets: [[UInt8]]) {
            self.url = url
            self.secrets = secrets
        }
    }

    /// Unique; its id in the API.
    package var name: String
    package var kind: Channel.Kind
    /// The URL's host, which is no secret: `hooks.slack.com`.
    package var urlHost: String
    package var allowPrivate: Bool
    package var managedBy: ManagedBy
    /// How many secrets sign.
    package var secretCount: Int
    /// `nil` for a channel of the configuration file, whose secrets are never stored.
    package var sealed: Sealed?

    package init(
        name: String, kind: Channel.Kind, urlHost: String, allowPrivate: Bool, managedBy: ManagedBy, secretCount: Int,
        sealed: Sealed?
    ) {
        self.name = name
        self.kind = kind
        self.urlHost = urlHost
        self.allowPrivate = allowPrivate
        self.managedBy = managedBy
        self.secretCount = secretCount
        self.sealed = sealed
    }
}

/// A channel with how it fares, as far as the store knows.
package struct ChannelRecord: Sendable, Hashable {
    package var channel: StoredChannel
    package var revision: Int64
    package var createdAt: Instant
    /// When its receiver answered 410 Gone; `nil` while it is used.
    package var disabledAt: Instant?
    /// Failed tries since the last success.
    package var failures: Int
    package var lastError: String?
    package var lastDeliveryAt: Instant?

    package init(
        channel: StoredChannel, revision: Int64, createdAt: Instant, disabledAt: Instant?, failures: Int,
        lastError: String?, lastDeliveryAt: Instant?
    ) {
        self.channel = channel
        self.revision = revision
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.failures = failures
        self.lastError = lastError
        self.lastDeliveryAt = lastDeliveryAt
    }
}

/// A route with its number.
package struct RouteRecord: Sendable, Hashable {
    package var id: Int64
    package var route: Route
    package var managedBy: ManagedBy
    package var revision: Int64

    package init(id: Int64, route: Route, managedBy: ManagedBy, revision: Int64) {
        self.id = id
        self.route = route
        self.managedBy = managedBy
        self.revision = revision
    }
}

/// A browser's session. Only the SHA-256 of its cookie's value is kept.
package struct SessionRecord: Sendable, Hashable {
    package var token: TokenRecord
    package var createdAt: Instant
    package var expiresAt: Instant

    package init(token: TokenRecord, createdAt: Instant, expiresAt: Instant) {
        self.token = token
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// A session lives no longer than its token.
    package func isValid(at now: Instant) -> Bool { now < expiresAt && token.isValid(at: now) }
}

/// What is stored under a target's identity.
package struct KnownTarget: Sendable, Hashable {
    package var id: TargetID
    /// Whether it was deleted, and would come back with its history.
    package var removed: Bool
    package init(id: TargetID, removed: Bool) {
        self.id = id
        self.removed = removed
    }
}
