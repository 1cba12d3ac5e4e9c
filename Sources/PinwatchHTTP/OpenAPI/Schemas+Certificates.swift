internal import PinwatchCore

extension Schema {
    static let certificate = object([
        ("sha256", digest), ("spki", pin.orNull), ("subject", text.orNull), ("issuer", text.orNull),
        ("serial", text.orNull.described("Signed hexadecimal of the bytes as sent.")), ("not_before", time.orNull),
        ("not_after", time.orNull), ("lifetime_s", integer.orNull),
        ("names", object([("dns", list(of: text)), ("ip", list(of: text))]).orNull),
        (
            "key",
            object([("type", text), ("bits", count.orNull), ("curve", text.orNull)]).orNull
        ),
        ("signature", text.orNull), ("is_ca", flag.orNull), ("self_signed", flag.orNull), ("scts", count.orNull),
        ("ocsp_urls", list(of: text).orNull), ("aia_urls", list(of: text).orNull),
        (
            "unreadable",
            list(of: object([("field", text), ("why", text)])).described(
                "Fields that could not be read; each of them is null above.")
        ),
        ("pem", text),
        ("revocation", revocation.orNull.described("Null where nobody looked, as for what was never a leaf.")),
        ("served", list(of: named(.sighting)).described("Where and when, newest first, at most 200.")),
    ])

    static let revocation = object([
        ("status", word(RevocationStatus.self)), ("source", word(RevocationSource.self).orNull),
        ("this_update", time.orNull), ("next_update", time.orNull), ("revoked_at", time.orNull),
        ("reason", text.orNull), ("detail", text.orNull), ("checked_at", time),
    ])

    static let sighting = object([
        ("target_id", id), ("label", text), ("certificate", digest),
        ("position", count.described("In the chain as sent; 0 for the leaf.")), ("first_seen", time),
        ("last_seen", time), ("open", flag),
    ])

    static let key = object([
        ("spki", pin), ("key_family", word(KeyFamily.self).orNull), ("certificates", list(of: digest)),
        ("served", list(of: named(.sighting))),
    ])
}
