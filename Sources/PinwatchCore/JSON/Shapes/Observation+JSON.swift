extension Observation {
    /// The contract's `observation`, as members, so that a command line can add its own after them.
    ///
    /// - Parameters:
    ///   - targetID: `nil` where the target is not stored.
    ///   - fingerprints: The chain's, leaf first; given apart because stored observations carry no certificates.
    ///   - weak: From ``weaknesses(tlsVersion:summaries:)``, or as stored.
    package func members(
        of identity: TargetIdentity, targetID: TargetID?, fingerprints: [SHA256Digest], weak: [String]
    ) -> [(String, JSON)] {
        [
            ("target_id", .text(targetID?.text)), ("at", .time(at)), ("address", .text(address?.description)),
            ("port", .integer(Int64(identity.port))), ("sni", .text(identity.sni?.ascii)),
            ("starttls", .text(identity.startTLS?.rawValue)), ("profile", .string(profile.rawValue)),
            ("outcome", .string(outcome.word)), ("detail", outcome.detail),
            ("tls_version", .text(tlsVersion?.rawValue)),
            ("cipher", .text(cipher)), ("alpn", .text(alpn)), ("key_family", .text(keyFamily?.rawValue)),
            ("chain", .strings(fingerprints.map(\.hex))), ("weak", .strings(weak)),
            ("stapled_ocsp", .bool(stapledOCSP != nil)), ("scts", .integer(Int64(scts))),
            ("duration_ms", .integer(durationMilliseconds)),
        ]
    }

    /// What is weak about a handshake, in the contract's words and order: the protocol's version, and what the
    /// summaries of the chain say. A self-signed certificate's signature proves nothing, so it cannot be weak.
    package static func weaknesses(tlsVersion: TLSVersion?, summaries: [CertificateSummary]) -> [String] {
        var found: Set<String> = []
        for summary in summaries {
            let signatures: Set<String> = summary.selfSigned == true ? ["sha1_signature", "md5_signature"] : []
            found.formUnion(summary.weak.filter { !signatures.contains($0) })
        }
        switch tlsVersion {
        case .tls10: found.insert("tls1.0")
        case .tls11: found.insert("tls1.1")
        case .tls12, .tls13, nil: break
        }
        return ["sha1_signature", "md5_signature", "rsa_1024", "dsa", "tls1.0", "tls1.1"].filter { found.contains($0) }
    }
}
