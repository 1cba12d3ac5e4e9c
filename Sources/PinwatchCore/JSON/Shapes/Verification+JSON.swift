extension Verification {
    /// The contract's `verification`.
    package var json: JSON {
        .object([
            ("trust_store", .string(trustStore)), ("valid", .bool(valid)), ("code", .string(code.rawValue)),
            ("reason", .string(reason)), ("host_matches", .bool(hostMatches)), ("paths", .array(paths.map(\.json))),
            ("stray", .strings(stray.map(\.hex))), ("missing_issuer", missingIssuer?.json ?? .null),
        ])
    }
}

extension ChainAssessment {
    /// The contract's `verification` of an observation: `null` where no leaf was sent, or one without a readable key.
    package static func json(
        of assessment: ChainAssessment?, at now: Instant, for reference: ReferenceIdentity
    ) -> JSON {
        guard let assessment, assessment.leaf?.spki != nil else { return .null }
        return assessment.verification(at: now, for: reference).json
    }
}

extension Path {
    /// One of a verification's `paths`: fingerprints from the leaf to the last before the anchor.
    package var json: JSON {
        .object([
            ("certificates", .strings(certificates.map(\.fingerprint.hex))),
            (
                "anchor",
                .object([("subject", .text(anchor.subject)), ("sha256", .string(anchor.fingerprint.hex))])
            ),
        ])
    }
}

extension MissingIssuer {
    /// `missing_issuer` of a verification.
    package var json: JSON {
        .object([
            ("subject", .text(subject)), ("aia_urls", .strings(aiaURLs)), ("known", .strings(known.map(\.hex))),
        ])
    }
}
