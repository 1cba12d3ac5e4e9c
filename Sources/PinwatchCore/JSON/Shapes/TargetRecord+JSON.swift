extension TargetRecord {
    /// The contract's `target`. `next_scan_at` is a period after the last scan, unknown before the first and for a
    /// target that is paused.
    ///
    /// - Parameters:
    ///   - unicode: The host for people; see ``IDNA``.
    ///   - periodSeconds: The configuration's, for a target without one of its own.
    ///   - addressPolicy: The same of `addresses_policy`.
    ///   - clientCertificate: The configuration's for this target.
    package func json(
        unicode: String, periodSeconds: Int64, addressPolicy: AddressPolicy, clientCertificate: ClientCertificate?
    ) -> JSON {
        let settings = target.settings
        let period = settings.periodSeconds ?? periodSeconds
        let next = settings.paused ? nil : lastScanAt.map { $0 + period }
        return .object(
            target.members(unicode: unicode) + [
                ("period_s", .integer(period)),
                ("addresses_policy", .string((settings.addressPolicy ?? addressPolicy).rawValue)),
                ("addresses", .strings(settings.addresses.map(\.description))),
                ("trust_store", .string(settings.trustStore)),
                ("client_certificate", clientCertificate?.json ?? .null), ("paused", .bool(settings.paused)),
                ("managed_by", .string(settings.managedBy.rawValue)), ("state", .string(condition.rawValue)),
                ("stale", .bool(stale)), ("last_scan_at", .time(lastScanAt)), ("next_scan_at", .time(next)),
                ("open_findings", openFindings.json), ("leaf", leaf?.json ?? .null),
                ("revision", .integer(revision)), ("created_at", .time(createdAt)),
            ])
    }
}

extension FindingCounts {
    /// `{critical, warning, info}`.
    package var json: JSON {
        .object([
            ("critical", .integer(Int64(critical))), ("warning", .integer(Int64(warning))),
            ("info", .integer(Int64(info))),
        ])
    }
}

extension TargetRecord.Leaf {
    /// `{sha256, spki, subject, not_after}`.
    package var json: JSON {
        .object([
            ("sha256", .string(fingerprint.hex)), ("spki", .text(spki?.pin)), ("subject", .text(subject)),
            ("not_after", .time(notAfter)),
        ])
    }
}
