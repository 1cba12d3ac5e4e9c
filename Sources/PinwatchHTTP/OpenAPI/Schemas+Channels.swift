internal import PinwatchCore

extension Schema {
    private static let channelMembers: [(String, Schema)] = [
        ("id", text.described("The name.")), ("name", text), ("type", word(Channel.Kind.self)),
        ("url_host", text.described("The URL's host: the URL itself is not shown again.")), ("allow_private", flag),
        ("secret_set", flag), ("secrets", integer(0...2)), ("managed_by", managedBy), ("revision", revision),
        ("created_at", time), ("state", word(ChannelRecord.State.self)),
        ("failures", count.described("Tries that failed since the last success.")), ("last_error", text.orNull),
        ("paused_until", time.orNull.described("Nothing is tried before, after too many failures.")),
        ("last_delivery_at", time.orNull),
    ]

    static let channel = object(channelMembers)
    static let channelWithSecret = object(
        channelMembers,
        optional: [
            ("secret", text(pattern: "^whsec_").described("A secret that was made for it; shown this once."))
        ])

    static let channelTest = object([
        ("delivered", flag), ("status", integer(100...599).orNull), ("error", text.orNull), ("ms", count),
    ])

    static let route = object([
        ("id", id), ("severity", list(of: word(Severity.self))), ("kind", list(of: word(FindingKind.self))),
        ("labels", labels), ("events", list(of: word(EventKind.self))), ("channels", list(of: text)),
        ("managed_by", managedBy), ("revision", revision),
    ])

    private static let deliveryMembers: [(String, Schema)] = [
        ("id", id), ("message_id", text.described("The `webhook-id` of every try.")), ("alert_id", id.orNull),
        ("type", text), ("channel", text), ("state", word(DeliveryState.self)),
        ("attempts", list(of: named(.attempt))), ("next_attempt_at", time.orNull), ("created_at", time),
    ]

    static let delivery = object(deliveryMembers)
    static let deliveryWithMessage = object(
        deliveryMembers + [("message", anything.described("The body, as it is sent on every try."))])

    static let attempt = object([
        ("at", time), ("status", integer(100...999).orNull), ("error", text.orNull), ("ms", count),
    ])

    // MARK: What webhooks receive

    private static func message(_ type: Schema, _ data: Schema) -> Schema {
        object([
            ("id", text(pattern: "^msg_[^.]+$").described("Told again by `webhook-id`; the same on every try.")),
            ("type", type), ("timestamp", time), ("data", data),
        ])
    }

    private static let links = object([("dashboard", text), ("api", text)])

    static let alertMessage = message(
        word(AlertChangeKind.self),
        object([
            ("alert", named(.alert)), ("finding", named(.finding)),
            ("subjects", list(of: named(.messageTarget))), ("subject_count", count),
            ("affected_share", fraction.orNull), ("next_step", text), ("links", links),
            ("alerts", list(of: id).described("Every alert that a grouped message tells.")),
        ]))

    static let eventMessage = message(
        word(EventKind.allCases.map { "event." + $0.rawValue }),
        object([("event", named(.event)), ("subjects", list(of: named(.messageTarget))), ("links", links)]))

    static let testMessage = message(constant("channel.test"), map(of: anything))
}
