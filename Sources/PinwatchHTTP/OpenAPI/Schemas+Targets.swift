internal import PinwatchCore

extension Schema {
    private static let host = text.described("A-labels in lower case without a trailing dot, or an address.")
    static let port = integer(1...65_535)
    static let labels = map(of: text)
    static let revision = integer(1...).described("Moves on with every change; `If-Match` compares it.")
    static let managedBy = word([ManagedBy.config.rawValue, ManagedBy.api.rawValue])
        .described("What is set in the configuration file is changed there.")

    /// What messages show of a target, and every other shape of one begins with.
    private static let identity: [(String, Schema)] = [
        ("id", id), ("host", host), ("host_unicode", text.described("The host as people write it.")), ("port", port),
        ("sni", text.orNull.described("The server name sent; null sends none.")),
        ("starttls", word(StartTLS.self).orNull), ("owner", word(Owner.self)), ("labels", labels),
    ]

    static let messageTarget = object(identity)

    static let target = object(
        identity + [
            ("period_s", integer(1...).described("Seconds between scans.")),
            ("addresses_policy", word(AddressPolicy.self)),
            ("addresses", list(of: address).described("Addresses that replace resolution.")),
            ("trust_store", text), ("client_certificate", clientCertificate.orNull), ("paused", flag),
            ("managed_by", managedBy),
            ("state", word(TargetCondition.self)),
            ("stale", flag.described("It stopped answering, so this is what was last known.")),
            ("last_scan_at", time.orNull), ("next_scan_at", time.orNull),
            ("open_findings", named(.findingCounts)), ("leaf", named(.targetLeaf).orNull), ("revision", revision),
            ("created_at", time),
        ])

    private static let clientCertificate = object([
        ("sha256", digest), ("subject", text.orNull), ("not_after", time.orNull),
    ]).described("What the target is shown if it asks, once it is verified; it comes by the configuration file only.")

    static let targetLeaf = object([
        ("sha256", digest), ("spki", pin.orNull), ("subject", text.orNull), ("not_after", time.orNull),
    ]).described("The leaf certificate that most addresses serve now.")

    static let targetPreview = object([
        ("items", list(of: previewLine)),
        ("counts", object(TargetPreview.Status.allCases.map { ($0.rawValue, count) })),
    ])

    private static let previewLine = object([
        ("line", integer(1...)), ("text", text), ("status", word(TargetPreview.Status.self)),
        ("reason", text.orNull), ("target_id", id.orNull),
        (
            "target",
            object([
                ("host", host), ("host_unicode", text), ("port", port), ("sni", text.orNull),
                ("starttls", word(StartTLS.self).orNull), ("labels", labels),
                ("owner", word(Owner.self)),
            ]).orNull.described("What to post to add it.")
        ),
    ])

    static let scanQueued = object([("target_id", id), ("state", constant("queued"))])
    static let scanDone = object([
        ("items", list(of: named(.observationRun))), ("target", named(.target)),
    ])

    static let span = object([
        ("id", id), ("target_id", id), ("key_family", word(KeyFamily.self).orNull), ("chain", list(of: digest)),
        ("spki", pin.orNull), ("first_seen", time), ("last_seen", time), ("open", flag),
        ("scans", count), ("flaps", count),
        (
            "addresses",
            list(of: object([("address", address), ("first_seen", time), ("last_seen", time), ("current", flag)]))
        ),
    ])

    static let observationRun = object([
        ("target_id", id), ("at", time), ("address", address.orNull), ("port", port), ("sni", text.orNull),
        ("starttls", word(StartTLS.self).orNull), ("profile", word(HelloProfile.self)), ("outcome", word(outcomes)),
        ("detail", named(.observationDetail).orNull), ("tls_version", word(TLSVersion.self).orNull),
        ("cipher", text.orNull), ("alpn", text.orNull), ("key_family", word(KeyFamily.self).orNull),
        ("chain", list(of: digest)), ("weak", list(of: text)), ("stapled_ocsp", flag), ("scts", count),
        ("duration_ms", count), ("first_at", time),
        ("times", integer(1...).described("How many equal observations in a row it stands for.")),
    ])

    private static let outcomes = [
        "ok", "client_certificate_required", "resolve_failed", "connect_refused", "connect_timeout", "unreachable",
        "proxy_refused", "starttls_refused", "handshake_timeout", "closed", "reset", "not_tls", "alert",
        "no_certificate", "no_such_key_family", "protocol_unsupported", "certificate_too_large",
        "certificate_malformed", "blocked_by_policy",
    ]

    static let observationDetail = one(of: [
        object([("message", text)]), object([("number", integer(0...255)), ("name", text)]),
        object([("first_bytes", text), ("text", text)]), object([("limit", count)]), object([("rule", text)]),
    ])

    static let verdict = object(verdictRecord)

    static let verdictRecord: [(String, Schema)] =
        pinSetIdentity + [
            ("address", address), ("key_family", word(KeyFamily.self).orNull), ("chain", list(of: digest)),
        ] + layeredVerdict

    static let layeredVerdict: [(String, Schema)] =
        verdictMembers + [("layers", list(of: object([("client", word(Client.self))] + verdictMembers)))]

    static let pinSetIdentity: [(String, Schema)] = [
        ("pin_set_id", id), ("app", text), ("release", text), ("variant", word(Variant.self)),
    ]

    private static let verdictMembers: [(String, Schema)] = [
        ("verdict", word(VerdictKind.self)),
        ("by", word([UnpinnedBy.design.rawValue, UnpinnedBy.trap.rawValue]).orNull), ("code", text),
        ("reason", text), ("notes", list(of: text)), ("matched", named(.pinMatch).orNull),
    ]

    static let pinMatch = object([
        ("pin", text), ("position", word(["leaf", "intermediate", "anchor"])),
        ("sha256", digest.orNull.described("Null for a certificate that is still to be issued.")),
    ])

    static let verdicts = page(
        of: named(.verdict),
        more: [("accepted", list(of: object(pinSetIdentity + [("count", count)])))])
}
