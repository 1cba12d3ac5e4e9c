package import PinwatchCore

extension Store {
    package func certificate(_ fingerprint: SHA256Digest) async throws -> CertificateRecord? {
        try await read { database in
            let values: Values = [("sha256", .digest(fingerprint))]
            let found = try database.row("SELECT der FROM certificate WHERE sha256 = :sha256", values)
            guard let row = found else { return nil }
            return CertificateRecord(
                certificate: Certificate(der: try row.blob(0), fingerprint: fingerprint),
                sightings: try database.sightings(where: "link.sha256 = :sha256", values),
                revocation: try database.revocation(of: fingerprint))
        }
    }

    /// Certificates that were served above a leaf, those of most chains first.
    package func issuers(limit: Int = 4_000) async throws -> [Certificate] {
        try await read { database in
            try database.rows(
                """
                SELECT certificate.der, certificate.sha256 FROM (
                  SELECT sha256, count(*) AS chains FROM chain_certificate WHERE position > 0
                  GROUP BY sha256 ORDER BY chains DESC, sha256 LIMIT :limit
                ) AS link JOIN certificate ON certificate.sha256 = link.sha256
                """, [("limit", .integer(Int64(limit)))]
            ).map { Certificate(der: try $0.blob(0), fingerprint: try $0.digest(1)) }
        }
    }

    package func key(_ spki: SHA256Digest) async throws -> KeyRecord? {
        try await read { database in
            let values: Values = [("spki", .digest(spki))]
            let found = try database.row("SELECT family FROM public_key WHERE spki = :spki", values)
            guard let row = found else { return nil }
            let certificates = try database.rows(
                """
                SELECT sha256 FROM certificate WHERE spki = :spki ORDER BY first_seen_at DESC, sha256 LIMIT 200
                """, values
            ).map { try $0.digest(0) }
            return KeyRecord(
                spki: spki, family: try row.wordOrNil(0), certificates: certificates,
                sightings: try database.sightings(
                    where: "link.sha256 IN (SELECT sha256 FROM certificate WHERE spki = :spki)", values))
        }
    }
}

extension Database {
    /// The spans whose chains hold certificates, newest first.
    fileprivate func sightings(where condition: String, _ values: Values) throws(StoreError) -> [Sighting] {
        var sightings: [Sighting] = []
        for row in try rows(
            """
            SELECT \(Target.columns), link.sha256, link.position, span.first_seen_at, seen.last_seen_at, span.closed_at
            FROM chain_certificate link JOIN span ON span.chain_id = link.chain_id
            JOIN span_sighting seen ON seen.span_id = span.id JOIN target ON target.id = span.target_id
            WHERE \(condition) ORDER BY seen.last_seen_at DESC, span.id DESC, link.position LIMIT 200
            """, values)
        {
            let target = try Target(row: row, at: 0)
            let first = Target.columnCount
            sightings.append(
                Sighting(
                    targetID: target.id, label: target.identity.label, certificate: try row.digest(first),
                    position: try row.whole(first + 1), firstSeen: try row.instant(first + 2),
                    lastSeen: try row.instant(first + 3), open: try row.instantOrNil(first + 4) == nil))
        }
        return sightings
    }
}
