/// Something owed to one channel and not yet in a message. Written in the transaction that saw its cause.
package struct OutboxItem: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        /// An alert changed; the finding as it was then (at its last, for `resolved`).
        case alert(AlertChangeKind, Alert, Finding)
        /// A route asked for an event.
        case event(Event)
    }

    /// The store's number, ascending in the order written; 0 before it is stored.
    package var id: Int64
    package var channel: String
    package var subject: Subject
    /// The targets concerned, for the message's `subjects`.
    package var target: Target?
    /// When it may leave: at once, or at the end of the channel's gathering window for its kind.
    package var holdUntil: Instant
    package var at: Instant

    package init(id: Int64 = 0, channel: String, subject: Subject, target: Target?, holdUntil: Instant, at: Instant) {
        self.id = id
        self.channel = channel
        self.subject = subject
        self.target = target
        self.holdUntil = holdUntil
        self.at = at
    }

    /// The message type: `alert.opened`, `event.key.changed` …
    package var type: String {
        switch subject {
        case .alert(let change, _, _): change.rawValue
        case .event(let event): "event." + event.kind.rawValue
        }
    }

    /// Items of one channel with equal group keys may share a message: never findings of different kinds.
    package var groupKey: String {
        switch subject {
        case .alert(let change, let alert, _): change.rawValue + " " + alert.kind.rawValue
        case .event(let event): "event." + event.kind.rawValue
        }
    }
}

package enum DeliveryState: String, Sendable, CaseIterable {
    case pending, delivered
    /// Tries ran out, or the channel was disabled; kept to be sent again by hand.
    case dead
    /// The channel is no longer configured.
    case dropped
}

/// One try at a delivery.
package struct Attempt: Sendable, Hashable {
    package let at: Instant
    /// The HTTP status; `nil` where no answer came.
    package let status: Int?
    /// Why it failed, in words; `nil` for a success.
    package let error: String?
    package let milliseconds: Int64

    package init(at: Instant, status: Int?, error: String?, milliseconds: Int64) {
        self.at = at
        self.status = status
        self.error = error
        self.milliseconds = milliseconds
    }
}

/// A composed message on its way to one channel. `messageID` and `body` never change once stored.
package struct Delivery: Sendable, Hashable {
    /// The store's number; its decimal text is the API's opaque id.
    package var id: Int64
    /// `msg_…`, the `webhook-id` of every try.
    package var messageID: String
    package var type: String
    package var channel: String
    package var alertID: AlertID?
    package var body: [UInt8]
    package var state: DeliveryState
    package var attempts: [Attempt]
    package var nextAttemptAt: Instant?
    package var createdAt: Instant
    /// When somebody last asked for it to be tried again; `nil` if nobody did.
    package var retriedAt: Instant?
    /// Somebody wants it tried now, whatever its channel has come to; until the next try.
    package var isAskedFor: Bool

    package init(
        id: Int64, messageID: String, type: String, channel: String, alertID: AlertID?, body: [UInt8],
        state: DeliveryState, attempts: [Attempt], nextAttemptAt: Instant?, createdAt: Instant,
        retriedAt: Instant? = nil, isAskedFor: Bool = false
    ) {
        self.id = id
        self.messageID = messageID
        self.type = type
        self.channel = channel
        self.alertID = alertID
        self.body = body
        self.state = state
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
        self.retriedAt = retriedAt
        self.isAskedFor = isAskedFor
    }

    /// Since when its tries count: see ``RetryPolicy``.
    package var triedSince: Instant { retriedAt ?? createdAt }

    /// Tries since then.
    package var tries: Int { attempts.count { $0.at >= triedSince } }
}

/// What an attempt leads to.
package enum AttemptResult: Sendable, Hashable {
    case delivered
    case retry(at: Instant)
    /// No try is left.
    case dead
    /// The receiver answered 410 Gone: this delivery is dead and the channel is disabled until its URL changes.
    case channelGone
}
