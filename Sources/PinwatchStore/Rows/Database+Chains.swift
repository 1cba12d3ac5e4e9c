internal import PinwatchCore

extension Database {
    /// A chain as it was sent; `nil` if it is not stored.
    func chain(_ id: ChainID) throws(StoreError) -> Chain? {
        var certificates: [Certificate] = []
        for row in try rows(
            """
            SELECT certificate.der, certificate.sha256
            FROM chain_certificate JOIN certificate ON certificate.sha256 = chain_certificate.sha256
            WHERE chain_certificate.chain_id = :chain ORDER BY chain_certificate.position
            """, [("chain", .digest(id.digest))])
        {
            certificates.append(Certificate(der: try row.blob(0), fingerprint: try row.digest(1)))
        }
        return certificates.isEmpty ? nil : Chain(id: id, certificates: certificates)
    }

    /// The fingerprints of a chain in the order sent.
    func fingerprints(of chain: ChainID) throws(StoreError) -> [SHA256Digest] {
        var fingerprints: [SHA256Digest] = []
        for row in try rows(
            "SELECT sha256 FROM chain_certificate WHERE chain_id = :chain ORDER BY position",
            [("chain", .digest(chain.digest))])
        {
            fingerprints.append(try row.digest(0))
        }
        return fingerprints
    }

    /// Keeps a chain, its certificates and their keys; what is there already stays as it is.
    ///
    /// - Parameter summaries: One per certificate where they could be had.
    func keep(_ chain: Chain, summaries: [CertificateSummary]?, at: Instant) throws(StoreError) {
        let added = try run(
            "INSERT INTO chain (id, weak) VALUES (:id, :weak) ON CONFLICT DO NOTHING",
            [
                ("id", .digest(chain.id.digest)),
                ("weak", .text((summaries ?? []).weaknesses.map(\.rawValue).joined(separator: " "))),
            ])
        guard added > 0 else { return }
        for (position, certificate) in chain.certificates.enumerated() {
            let summary = summaries?.dropFirst(position).first
            try keep(certificate, summary, at: at)
            try run(
                "INSERT INTO chain_certificate (chain_id, position, sha256) VALUES (:chain, :position, :sha256)",
                [
                    ("chain", .digest(chain.id.digest)), ("position", .integer(Int64(position))),
                    ("sha256", .digest(certificate.fingerprint)),
                ])
        }
    }

    private func keep(
        _ certificate: Certificate, _ summary: CertificateSummary?, at: Instant
    ) throws(StoreError) {
        try run(
            """
            INSERT INTO certificate (sha256, spki, subject, not_before_at, not_after_at, first_seen_at, der)
            VALUES (:sha256, :spki, :subject, :not_before, :not_after, :first_seen, :der) ON CONFLICT DO NOTHING
            """,
            [
                ("sha256", .digest(certificate.fingerprint)), ("spki", .optional(summary?.spki?.bytes)),
                ("subject", .optional(summary?.subject)), ("not_before", .optional(summary?.notBefore)),
                ("not_after", .optional(summary?.notAfter)), ("first_seen", .at(at)), ("der", .blob(certificate.der)),
            ])
        guard let spki = summary?.spki else { return }
        try run(
            "INSERT INTO public_key (spki, family) VALUES (:spki, :family) ON CONFLICT DO NOTHING",
            [("spki", .digest(spki)), ("family", .family(summary?.family))])
    }
}
