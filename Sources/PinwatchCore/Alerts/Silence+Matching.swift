extension Silence.Matchers {
    /// Whether all matchers that are set are met.
    ///
    /// - Parameter targets: The targets that the finding concerns: its own, or all of its host. One that concerns several
    ///   is covered only if each of them is; one that concerns none is covered by kind and severity alone.
    package func cover(_ finding: Finding, targets: [Target]) -> Bool {
        guard !isEmpty, kinds.isEmpty || kinds.contains(finding.kind),
            severities.isEmpty || severities.contains(finding.severity)
        else { return false }
        if asksForTarget { return !targets.isEmpty && targets.allSatisfy(cover) }
        return true
    }

    /// Whether the matchers about targets are met; true where none is set.
    package func cover(_ target: Target) -> Bool {
        (targets.isEmpty || targets.contains(target.id)) && (host.map { Self.host($0, covers: target.host) } ?? true)
            && labels.allSatisfy { target.settings.labels[$0.key] == $0.value }
    }

    /// The host as targets' hosts are written: a name or an address, or `*.` and what names end in.
    package var normalisedHost: String? { host.map(HostPattern.normalised) }

    private var asksForTarget: Bool { !targets.isEmpty || host != nil || !labels.isEmpty }

    /// `*.` stands for one label or more.
    private static func host(_ pattern: String, covers host: TargetHost) -> Bool {
        let wanted = HostPattern.normalised(pattern)
        guard wanted.hasPrefix("*.") else { return wanted == host.text }
        return host.text.hasSuffix(wanted.dropFirst())
    }
}

extension EvaluationPolicy {
    /// The silences that are active at an instant, in the order made.
    package func activeSilences(at instant: Instant) -> [NumberedSilence] {
        silences.filter { $0.silence.isActive(at: instant, in: timeZones) }
    }

    /// When the first of the silences may begin or end after an instant.
    package func nextSilenceChange(after instant: Instant) -> Instant? {
        silences.compactMap { $0.silence.nextChange(after: instant, in: timeZones) }.min()
    }
}
