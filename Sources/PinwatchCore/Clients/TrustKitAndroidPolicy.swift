/// TrustKit for Android (pin-semantics 2.3). From API 24 on the platform pins by the same file and TrustKit alone decides
/// whether its refusal stands, for connections by its factory; on API 17 to 23 it pins itself; below, nothing does.
package struct TrustKitAndroidPolicy: PinPolicy {
    /// Who makes the connection.
    enum Via: String, CaseIterable {
        /// TrustKit's own socket factory or trust manager.
        case factory
        /// Plain HttpsURLConnection and the like, which TrustKit never sees.
        case platform
    }

    let file: NetworkSecurityFile
    let via: Via
    /// What the library made of the file: it is read when the app starts, whoever connects.
    private let own: Result<TrustKitAndroidConfig, NetworkSecurityConfig.Fault>?

    init(file: NetworkSecurityFile, via: Via = .factory) {
        self.file = file
        self.via = via
        own = file.root.map { root in
            Result { () throws(NetworkSecurityConfig.Fault) in try TrustKitAndroidConfig(root) }
        }
    }

    package init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard let policy = reader.mapping(node, "policy", allowed: ["xml", "file", "via"]) else { return nil }
        let file = NetworkSecurityFile(from: policy, reader: &reader)
        let via = policy["via"].map { reader.word($0, "via", of: Via.self) }
        guard reader.problems.count == before, let file else { return nil }
        self.init(file: file, via: (via ?? .factory) ?? .factory)
    }

    package func verdict(for presentation: Presentation) -> Verdict {
        if let refusal = presentation.release.notOnAndroid ?? libraryError { return refusal }
        guard case .success(let own)? = own else { return file.refusal ?? presentation.notListed(near: nil) }
        switch (presentation.release.androidLevel, via) {
        case (let level?, .platform) where level < 24: return NetworkSecurityRules.ignored(level, presentation)
        case (let level?, .factory) where level < 17: return Self.tooOld(level, presentation)
        case (let level?, .factory) where level < 24: return byLibrary(own, presentation)
        case (.some, _), (nil, .platform): return byPlatform(own, presentation)
        case (nil, .factory):
            return Verdict.newest(
                "Android 7.0 (API 24) or newer", byPlatform(own, presentation),
                older: ("API 17 to 23", byLibrary(own, presentation)))
        }
    }

    package var configurationError: Verdict? { libraryError ?? file.refusal }

    package func concerns(host: String) -> Bool {
        guard let config = file.config, case .success(let own)? = own else { return true }
        return config.concerns(host: host) || own.match(host) != nil || !TrustKitAndroidConfig.isValid(host)
    }

    package func patterns(covering host: String) -> [String] {
        file.config?.match(host).map { [$0.domain.name] } ?? []
    }

    package var hosts: [PinnedHost] { file.config?.hosts ?? [] }
    package var allPins: [Pin] { file.config?.allPins ?? [] }
    package var expiries: [PinExpiry] { file.config?.expiries ?? [] }
    package var readTexts: [PolicyText] { file.text.map { [$0] } ?? [] }

    package func pins(for host: String, now: Instant) -> [Pin] { file.config?.pins(for: host, now: now) ?? [] }

    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
        NetworkSecurityRules.matches(pin, certificate)
    }

    private var libraryError: Verdict? {
        guard case .failure(let fault)? = own else { return nil }
        return Verdict(
            .configError, code: fault.isPin ? "malformed_pin" : "malformed_config",
            reason: "TrustKit throws when it is initialised, line \(fault.mark.line), column \(fault.mark.column): "
                + fault.words)
    }

    /// API 24 and newer: the platform refuses, and the library lets through what it does not enforce.
    private func byPlatform(_ own: TrustKitAndroidConfig, _ presentation: Presentation) -> Verdict {
        switch file.content {
        case .refused(let refusal): return refusal
        case .config(let config):
            var rules = NetworkSecurityRules(config: config, targetSDK: 35, debuggable: nil)
            guard via == .factory else { return rules.verdict(for: presentation) }
            if let refusal = Self.invalid(presentation) { return refusal }
            if !isOverridden(own, presentation), let entry = own.match(presentation.host), !entry.enforcesPinning {
                rules.onMismatch = { Self.reported($0, entry) }
            }
            return rules.verdict(for: presentation)
        }
    }

    /// API 17 to 23: TrustKit compares itself, by text.
    private func byLibrary(_ own: TrustKitAndroidConfig, _ presentation: Presentation) -> Verdict {
        if let refusal = Self.invalid(presentation) { return refusal }
        let paths: [Path]
        switch ConscryptOrder.walk(presentation, trusting: { _ in true }) {
        case .rejected(let rejection): return rejection
        case .validated(let validated): paths = validated
        }
        if let rejection = presentation.hostRejection { return rejection }
        if isOverridden(own, presentation) {
            return Verdict(
                .unpinned, by: .trap, code: "override_pins",
                reason: "debug-overrides has overridePins, so TrustKit looks at no pins in a debuggable app")
        }
        guard let entry = own.match(presentation.host) else {
            return presentation.notListed(near: Self.nearMiss(own, file.config, presentation.host))
        }
        return AndroidExpiry.verdict(
            Self.pinned(entry, paths), of: entry.hostname, ending: entry.expires, at: presentation.now)
    }

    private func isOverridden(_ own: TrustKitAndroidConfig, _ presentation: Presentation) -> Bool {
        own.overridesPins && presentation.release.variant == .debug
    }

    private static func pinned(_ entry: TrustKitAndroidConfig.Entry, _ paths: [Path]) -> Verdict {
        guard !entry.pins.isEmpty else {
            return Verdict(
                .unpinned, by: .trap, code: "empty", reason: "\(entry.hostname) has no pins, so nothing is pinned",
                notes: ["that TrustKit compares nothing where a domain has no pins is inferred"])
        }
        let test = PinTest(
            entry: entry.hostname, pins: entry.pins.map { .spki(text: $0) },
            matches: { pin, certificate in
                guard case .spki(let text) = pin else { return false }
                return certificate.spki.map { $0.base64 == text } ?? false
            },
            diagnose: { PinDiagnosis.note($0, against: $1, comparing: .spki) })
        let verdict = test.firstPath(of: paths)
        return verdict.kind == .rejectPin && !entry.enforcesPinning ? reported(verdict, entry) : verdict
    }

    private static func reported(_ verdict: Verdict, _ entry: TrustKitAndroidConfig.Entry) -> Verdict {
        Verdict(
            .acceptReport, code: "report_only",
            reason: "TrustKit lets the connection through and reports it, since enforcePinning for \(entry.hostname) "
                + "is not true: \(verdict.reason)",
            notes: verdict.notes, paths: verdict.paths)
    }

    private static func invalid(_ presentation: Presentation) -> Verdict? {
        guard !TrustKitAndroidConfig.isValid(presentation.host) else { return nil }
        return Verdict(
            .rejectChain, code: "invalid_host",
            reason: "TrustKit throws for \(presentation.host), which its validator takes for no domain")
    }

    private static func tooOld(_ level: Int, _ presentation: Presentation) -> Verdict {
        let plain = NetworkSecurityRules.ignored(level, presentation)
        guard plain.kind == .unpinned else { return plain }
        return Verdict(
            .unpinned, by: .trap, code: "platform_too_old",
            reason: "TrustKit checks nothing before Android 4.2 (API 17), and this is API \(level): nothing is pinned")
    }

    /// Domains that the platform would honour and the library drops, or spells otherwise.
    private static func nearMiss(
        _ own: TrustKitAndroidConfig, _ config: NetworkSecurityConfig?, _ host: String
    ) -> String? {
        if let match = config?.match(host), config?.pinSet(of: match.entry)?.pins.isEmpty == false {
            let isKept = own.entries.contains { $0.hostname.lowercased() == match.domain.name }
            return isKept
                ? "TrustKit compares hosts letter by letter with \(match.domain.name)"
                : "TrustKit keeps the last <domain> of a domain-config only, and \(match.domain.name) is not it"
        }
        return config?.nearMiss(host)
    }
}
