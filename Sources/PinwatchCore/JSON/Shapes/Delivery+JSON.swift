extension Delivery {
    /// The contract's `delivery`, with `message_id` (the `webhook-id`) and `created_at`; never the body.
    package var json: JSON { .object(members) }

    /// The same with `message`, the body as it is sent: a JSON value, or a text where a body is none.
    package var jsonWithMessage: JSON {
        let text = String(decoding: body, as: UTF8.self)
        return .object(members + [("message", (try? JSON(parsing: body, maximumDepth: 64)) ?? .string(text))])
    }

    private var members: [(String, JSON)] {
        [
            ("id", .string(String(id))), ("message_id", .string(messageID)), ("alert_id", .text(alertID?.text)),
            ("type", .string(type)), ("channel", .string(channel)), ("state", .string(state.rawValue)),
            ("attempts", .array(attempts.map(\.json))), ("next_attempt_at", .time(nextAttemptAt)),
            ("created_at", .time(createdAt)),
        ]
    }
}

extension Attempt {
    /// `{at, status, error, ms}`.
    package var json: JSON {
        .object([
            ("at", .time(at)), ("status", .whole(status)), ("error", .text(error)), ("ms", .integer(milliseconds)),
        ])
    }
}
