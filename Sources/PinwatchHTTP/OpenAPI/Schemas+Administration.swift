internal import PinwatchCore

extension Schema {
    private static let tokenMembers: [(String, Schema)] = [
        ("id", id), ("name", text), ("role", word(Role.self)), ("created_at", time),
        ("expires_at", time.orNull), ("revoked_at", time.orNull), ("last_used_at", time.orNull),
        ("state", word(TokenRecord.State.self)),
    ]

    static let token = object(tokenMembers)
    static let tokenWithText = object(
        tokenMembers + [("token", text(pattern: "^pw_").described("The token itself; shown this once."))])

    static let session = object([
        ("open", flag.described("No token exists yet and the service listens on loopback: all is allowed.")),
        ("authenticated", flag), ("via", word(["loopback", "token", "session"])), ("name", text.orNull),
        ("role", word(Role.self)), ("expires_at", time.orNull), ("environments", list(of: text)),
        ("trust_stores", list(of: text)), ("version", text),
    ])

    static let settings = object([
        ("managed_by", constant(ManagedBy.config.rawValue)), ("config_file", text.orNull), ("version", text),
        ("listen", text), ("public_url", text.orNull), ("database", text), ("tls", flag),
        ("trusted_proxies", list(of: text)),
        ("secret_key", flag.described("Whether secrets that come by the API can be sealed.")),
        ("environments", list(of: text)),
        (
            "scan",
            object([
                ("period_s", count), ("timeout_s", count), ("addresses", word(AddressPolicy.self)),
                ("max_addresses", count), ("in_flight", count),
                (
                    "proxy",
                    object([("url", text), ("authenticated", flag), ("no_proxy", list(of: text))]).orNull.described(
                        "What targets are connected to through, without its user and password.")
                ),
                ("allow_ports", list(of: port)), ("deny_addresses", list(of: text)),
            ])
        ),
        ("trust_stores", list(of: text)),
        (
            "thresholds",
            object([
                ("near_s", count), ("soon_s", count), ("imminent_s", count), ("lead_time_s", count),
                ("failing_after", count),
                ("flap_window_s", count),
            ])
        ),
        ("retention", object([("spans_s", count), ("events_s", count), ("deliveries_s", count)])),
        ("loaded_at", time), ("restart_needed", restartNeeded),
    ])

    private static let restartNeeded = list(of: text).described(
        "Keys that the file says otherwise than what is in force, because they are read at a start only.")

    static let reloadReport = object([
        ("changed", flag),
        (
            "changes",
            list(
                of: object([
                    ("section", text), ("name", text), ("what", word(ReloadReport.What.self)), ("detail", text),
                ]))
        ),
        ("restart_needed", restartNeeded), ("loaded_at", time),
    ])

    static let auditRecord = object([
        ("id", id), ("at", time),
        ("actor", object([("name", text), ("via", word(Principal.Via.self)), ("role", word(Role.self))])),
        ("address", address.orNull), ("action", word(AuditAction.self)),
        ("object", object([("type", word(AuditTrail.objects)), ("id", text), ("name", text)])),
        (
            "changes",
            map(of: object([("from", anything), ("to", anything)])).described("By field; what is secret is `<secret>`.")
        ),
    ])
}
