extension ObservationRecord {
    /// The contract's `observation`, with `first_at` and `times` of the run of equal ones that it stands for.
    package var json: JSON {
        let newest = observation
        return .object([
            ("target_id", .string(targetID.text)), ("at", .time(newest.at)),
            ("address", .text(newest.address?.description)), ("port", .integer(Int64(identity.port))),
            ("sni", .text(identity.sni?.ascii)), ("starttls", .text(identity.startTLS?.rawValue)),
            ("profile", .string(newest.profile.rawValue)), ("outcome", .string(newest.outcome.word)),
            ("detail", newest.outcome.detail), ("tls_version", .text(newest.tlsVersion?.rawValue)),
            ("cipher", .text(newest.cipher)), ("alpn", .text(newest.alpn)),
            ("key_family", .text(newest.keyFamily?.rawValue)), ("chain", .strings(fingerprints.map(\.hex))),
            ("weak", .strings(weak.map(\.rawValue))), ("stapled_ocsp", .bool(newest.stapledOCSP != nil)),
            ("scts", .integer(Int64(newest.scts))), ("duration_ms", .integer(newest.durationMilliseconds)),
            ("first_at", .time(firstAt)), ("times", .integer(times)),
        ])
    }
}
