extension TargetRecord {
    /// The contract's `target`. `next_scan_at` is a period after the last scan, unknown before the first and for a
    /// target that is paused.
    ///
    /// - Parameters:
    ///   - unicode: The host for people; see ``IDNA``.
    ///   - periodSeconds: The target's own period or the configuration's.
    package func json(unicode: String, periodSeconds: Int64, addressPolicy: AddressPolicy) -> JSON {
        let settings = target.settings
        let next = settings.paused ? nil : lastScanAt.map { $0 + periodSeconds }
        return .object(
            target.members(unicode: unicode) + [
                ("period_s", .integer(periodSeconds)), ("addresses_policy", .string(addressPolicy.rawValue)),
                ("trust_store", .string(settings.trustStore)), ("paused", .bool(settings.paused)),
                ("managed_by", .string(settings.managedBy.rawValue)), ("state", .string(condition.rawValue)),
                ("stale", .bool(stale)), ("last_scan_at", .time(lastScanAt)), ("next_scan_at", .time(next)),
                ("open_findings", openFindings.json), ("leaf", leaf?.json ?? .null),
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
