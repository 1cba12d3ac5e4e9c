extension ChainAssessment {
    /// The way up from the leaf by names alone, among what was sent: each certificate's issuer is the next one's
    /// subject. What is sent beside it is not on it, and a name that comes round again ends it.
    package var lineage: [CertificateSummary] {
        guard let leaf else { return [] }
        var (way, seen) = ([leaf], [leaf.fingerprint] as Set)
        while way.count < Self.longestLineage, let issuer = way[way.count - 1].issuerDER {
            guard let next = certificates.first(where: { $0.subjectDER == issuer && !seen.contains($0.fingerprint) })
            else { break }
            seen.insert(next.fingerprint)
            way.append(next)
        }
        return way
    }

    /// As deep as paths are built.
    private static let longestLineage = 10
}
