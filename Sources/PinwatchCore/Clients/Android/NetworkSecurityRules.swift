/// The decision of Android's default trust manager over a network security configuration (pin-semantics 4).
struct NetworkSecurityRules: Sendable {
    let config: NetworkSecurityConfig
    let targetSDK: Int
    /// `nil` takes the release's variant: a debug build is debuggable.
    let debuggable: Bool?
    /// What the caller makes of a `reject_pin`, for a library that may let it through.
    var onMismatch: @Sendable (Verdict) -> Verdict = { $0 }

    func verdict(for presentation: Presentation) -> Verdict {
        let release = presentation.release
        if let elsewhere = release.notOnAndroid { return elsewhere }
        if let level = release.androidLevel, level < 24 { return Self.ignored(level, presentation) }
        let debuggable = isDebuggable(release.variant)
        if debuggable, case .refused(let fault) = config.debug { return fault.verdict(in: "debug-overrides") }
        if presentation.host.hasPrefix(".") {
            return Verdict(
                .rejectChain, code: "invalid_host",
                reason: "Android throws for \(presentation.host): a host name must not begin with a dot")
        }
        let match = config.match(presentation.host)
        let anchors = config.anchors(of: match?.entry, targetSDK: targetSDK, debuggable: debuggable)
        var notes = Self.notes(config, debuggable: debuggable)
        switch ConscryptOrder.walk(presentation, trusting: { path in anchors.contains { $0.contain(anchorOf: path) } })
        {
        case .rejected(let rejection): return Self.rejected(rejection, anchors, presentation).noting(notes)
        case .validated(let paths):
            if let rejection = presentation.hostRejection { return rejection.noting(notes) }
            guard let match else {
                return presentation.notListed(near: config.nearMiss(presentation.host)).noting(notes)
            }
            if let first = paths.first, let note = Self.note(anchors, first) { notes.append(note) }
            return decided(match, paths, anchors, presentation).noting(notes)
        }
    }

    func isDebuggable(_ variant: Variant) -> Bool { debuggable ?? (variant == .debug) }

    /// The platform's own order: no pins, pins that ended, an anchor that overrides, pins.
    private func decided(
        _ match: NetworkSecurityConfig.Match, _ paths: [Path], _ anchors: [NetworkSecurityConfig.Anchors],
        _ presentation: Presentation
    ) -> Verdict {
        guard let set = config.pinSet(of: match.entry), !set.pins.isEmpty else {
            return unpinned(match, presentation)
        }
        return AndroidExpiry.verdict(
            pinned(match, set, paths, anchors), of: match.domain.name, ending: set.expires, at: presentation.now)
    }

    private func pinned(
        _ match: NetworkSecurityConfig.Match, _ set: NetworkSecurityConfig.PinSet, _ paths: [Path],
        _ anchors: [NetworkSecurityConfig.Anchors]
    ) -> Verdict {
        if let path = paths.first,
            let overriding = anchors.first(where: { $0.overridesPins && $0.contain(anchorOf: path) })
        {
            return Verdict(
                .unpinned, by: .trap, code: "override_pins",
                reason:
                    "the chain ends in \(path.anchor.shortName), and <certificates> in line \(overriding.mark.line) "
                    + "has overridePins, so the pins for \(match.domain.name) are not looked at")
        }
        let test = PinTest(
            entry: match.domain.name, pins: set.pins.map { .spki(text: $0.text) }, matches: Self.matches,
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: .spki) })
        let verdict = test.firstPath(of: paths)
        return verdict.kind == .rejectPin ? onMismatch(verdict) : verdict
    }

    private func unpinned(_ match: NetworkSecurityConfig.Match, _ presentation: Presentation) -> Verdict {
        let emptied = config.pinSet(of: match.entry) != nil
        if let near = config.nearMiss(presentation.host) ?? (emptied ? "its <pin-set> is empty" : nil) {
            return Verdict(
                .unpinned, by: .trap, code: emptied ? "empty" : "host_not_listed",
                reason: "<domain> \(match.domain.name) has no pins: \(near); so it is not pinned")
        }
        return Verdict(
            .unpinned, by: .design, code: "host_not_listed",
            reason: "<domain> \(match.domain.name) has no pins, so plain TLS validation decides")
    }

    /// Android compares bytes, so every text that decodes to the hash will do.
    static func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        switch pin {
        case .spki(let text): certificate.spki.map { AndroidBase64.decode(text) == $0.bytes } ?? false
        case .spkiSHA1, .certificate, .file: false
        }
    }

    static func ignored(_ level: Int, _ presentation: Presentation) -> Verdict {
        switch ConscryptOrder.walk(presentation, trusting: { _ in true }) {
        case .rejected(let rejection): return rejection
        case .validated:
            return presentation.hostRejection
                ?? Verdict(
                    .unpinned, by: .trap, code: "platform_too_old",
                    reason: "Android before 7.0 (API 24) ignores the file, and this is API \(level): nothing is pinned")
        }
    }

    /// A chain that leads nowhere may end in a resource's certificate, which nobody here has seen.
    private static func rejected(
        _ rejection: Verdict, _ anchors: [NetworkSecurityConfig.Anchors], _ presentation: Presentation
    ) -> Verdict {
        guard rejection.code == "no_path", let resource = anchors.first(where: \.isResource),
            case .resource(let name) = resource.source
        else { return rejection }
        return Verdict(
            .unknown, code: "anchor_not_at_hand",
            reason: "the app trusts \(name) for this host, which is not at hand; give its certificate by --ca-file: "
                + rejection.reason)
    }

    private static func note(_ anchors: [NetworkSecurityConfig.Anchors], _ path: Path) -> String? {
        guard path.source != .given, let resource = anchors.first(where: { $0.isResource && $0.overridesPins }),
            case .resource(let name) = resource.source
        else { return nil }
        return "\(name) overrides pins; if it holds \(path.anchor.shortName), the pins are not looked at"
    }

    private static func notes(_ config: NetworkSecurityConfig, debuggable: Bool) -> [String] {
        guard debuggable, case .missing = config.debug else { return [] }
        return ["a debuggable app also reads the file's twin with _debug in its name, which is not at hand"]
    }
}

extension ReleaseFacts {
    /// The answer for a release whose file names another system.
    var notOnAndroid: Verdict? {
        guard let platform, platform.system != .android else { return nil }
        return Verdict(
            .notEvaluated, code: "other_platform",
            reason: "these rules are Android's, and the release is for \(platform.system.rawValue)")
    }

    /// Android's API level, where the release is for Android and its file says which.
    var androidLevel: Int? {
        guard let platform, platform.system == .android else { return nil }
        return platform.version?.major
    }
}
