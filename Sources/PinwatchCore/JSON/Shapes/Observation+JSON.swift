extension Observation {
    /// The contract's `observation`, as members, so that a command line can add its own after them.
    ///
    /// - Parameters:
    ///   - targetID: `nil` where the target is not stored.
    ///   - fingerprints: The chain's, leaf first; given apart because stored observations carry no certificates.
    ///   - weak: From ``weaknesses(beside:)``, or as stored.
    package func members(
        of identity: TargetIdentity, targetID: TargetID?, fingerprints: [SHA256Digest], weak: [Weakness]
    ) -> [(String, JSON)] {
        [
            ("target_id", .text(targetID?.text)), ("at", .time(at)), ("address", .text(address?.description)),
            ("port", .integer(Int64(identity.port))), ("sni", .text(identity.sni?.ascii)),
            ("starttls", .text(identity.startTLS?.rawValue)), ("profile", .string(profile.rawValue)),
            ("outcome", .string(outcome.word)), ("detail", outcome.detail),
            ("tls_version", .text(tlsVersion?.rawValue)),
            ("cipher", .text(cipher)), ("alpn", .text(alpn)), ("key_family", .text(keyFamily?.rawValue)),
            ("chain", .strings(fingerprints.map(\.hex))), ("weak", .strings(weak.map(\.rawValue))),
            ("stapled_ocsp", .bool(stapledOCSP != nil)), ("scts", .integer(Int64(scts))),
            ("duration_ms", .integer(durationMilliseconds)),
        ]
    }
}
