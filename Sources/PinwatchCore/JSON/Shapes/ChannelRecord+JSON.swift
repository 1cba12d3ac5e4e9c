extension ChannelRecord {
    /// How a channel fares, the gravest first.
    package enum State: String, Sendable, CaseIterable {
        /// Its receiver said that it is gone; another URL enables it again.
        case disabled
        /// No configured key opens its seal.
        case sealed
        /// The last try failed.
        case failing
        case ok
    }

    package func state(_ outlook: ChannelOutlook) -> State {
        if disabledAt != nil { return .disabled }
        if outlook.isSealed { return .sealed }
        return failures > 0 ? .failing : .ok
    }

    /// The contract's `channel`, as members, so that the answer that makes a secret can add it this once. The name is
    /// the id.
    package func members(_ outlook: ChannelOutlook) -> [(String, JSON)] {
        [
            ("id", .string(channel.name)), ("name", .string(channel.name)), ("type", .string(channel.kind.rawValue)),
            ("url_host", .string(channel.urlHost)), ("allow_private", .bool(channel.allowPrivate)),
            ("secret_set", .bool(channel.secretCount > 0)), ("secrets", .integer(Int64(channel.secretCount))),
            ("managed_by", .string(channel.managedBy.rawValue)), ("revision", .integer(revision)),
            ("created_at", .time(createdAt)), ("state", .string(state(outlook).rawValue)),
            ("failures", .integer(Int64(failures))), ("last_error", .text(lastError)),
            ("paused_until", .time(outlook.pausedUntil)), ("last_delivery_at", .time(lastDeliveryAt)),
        ]
    }
}
