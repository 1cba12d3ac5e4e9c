extension Sighting {
    /// `{target_id, label, certificate, position, first_seen, last_seen, open}`.
    package var json: JSON {
        .object([
            ("target_id", .string(targetID.text)), ("label", .string(label)),
            ("certificate", .string(certificate.hex)), ("position", .integer(Int64(position))),
            ("first_seen", .time(firstSeen)), ("last_seen", .time(lastSeen)), ("open", .bool(open)),
        ])
    }
}

extension CertificateRecord {
    /// The contract's `certificate` with `revocation` and `served` after its members.
    package func json(_ certificate: JSON) -> JSON {
        let more: [(String, JSON)] = [
            ("revocation", revocation?.json ?? .null), ("served", .array(sightings.map(\.json))),
        ]
        guard case .object(let members) = certificate else { return .object([("certificate", certificate)] + more) }
        return .object(members + more)
    }
}

extension KeyRecord {
    /// `{spki, key_family, certificates, served}`.
    package var json: JSON {
        .object([
            ("spki", .string(spki.pin)), ("key_family", .text(family?.rawValue)),
            ("certificates", .strings(certificates.map(\.hex))), ("served", .array(sightings.map(\.json))),
        ])
    }
}
