import Testing

@testable import PinwatchCore

@Suite struct TrustKitAndroidPolicyTests {
    private func policy(_ lines: String, via: TrustKitAndroidPolicy.Via = .factory) -> TrustKitAndroidPolicy {
        TrustKitAndroidPolicy(
            file: NetworkSecurityFile(securityConfig(lines), place: "nsc.xml", resources: Lab.resources()), via: via)
    }

    private func shown(_ api: String?, host: String = "api.example.com", variant: Variant = .release) -> Presentation {
        Lab.served(host: host, release: Lab.release(.android, api, variant: variant))
    }

    private let enforced = "<trustkit-config enforcePinning=\"true\"/>"

    @Test(
        "vector 26: the platform always enforces, TrustKit's factory only if told to",
        arguments: [
            (TrustKitAndroidPolicy.Via.factory, "", VerdictKind.acceptReport),
            (.factory, "<trustkit-config enforcePinning=\"false\"/>", .acceptReport),
            (.factory, "<trustkit-config enforcePinning=\"TRUE\"/>", .rejectPin), (.platform, "", .rejectPin),
        ])
    func vector26(_ via: TrustKitAndroidPolicy.Via, _ config: String, _ kind: VerdictKind) {
        let policy = policy(domainConfig(["api.example.com"], pinSet([8, 9]) + config), via: via)
        let verdict = policy.verdict(for: shown("34"))
        #expect(verdict.kind == kind)
        #expect(kind != .acceptReport || (verdict.code == "report_only" && verdict.reason.contains("enforcePinning")))
        #expect(
            self.policy(domainConfig(["api.example.com"], pinSet([1, 9]) + config), via: via)
                .verdict(for: shown("34")).kind == .accept)
    }

    @Test(
        "who pins depends on the API level",
        arguments: [
            ("34", TrustKitAndroidPolicy.Via.factory, VerdictKind.rejectPin), ("23", .factory, .rejectPin),
            ("17", .factory, .rejectPin), ("16", .factory, .unpinned), ("23", .platform, .unpinned),
            ("24", .platform, .rejectPin),
        ])
    func levels(_ api: String, _ via: TrustKitAndroidPolicy.Via, _ kind: VerdictKind) {
        let verdict = policy(domainConfig(["api.example.com"], pinSet([8, 9]) + enforced), via: via)
            .verdict(for: shown(api))
        #expect(
            verdict.kind == kind && (kind != .unpinned || (verdict.by == .trap && verdict.code == "platform_too_old")))
    }

    @Test func `without a version the newest is assumed, and noted where older ones differ`() {
        let both = policy(domainConfig(["api.example.com"], pinSet([8, 9])))
        #expect(both.verdict(for: shown(nil)).kind == .acceptReport)
        let last = policy(domainConfig(["api.example.com", "b.example.com"], pinSet([8, 9])))
        let verdict = last.verdict(for: shown(nil))
        #expect(verdict.kind == .rejectPin)
        #expect(verdict.notes.first?.contains("on API 17 to 23 it is unpinned") == true)
    }

    @Test func `TrustKit keeps the last domain of a domain-config alone`() {
        let policy = policy(domainConfig(["api.example.com", "b.example.com"], pinSet([8, 9]) + enforced))
        #expect(policy.verdict(for: shown("34")).kind == .rejectPin)
        let old = policy.verdict(for: shown("23"))
        #expect(old.kind == .unpinned && old.by == .trap && old.reason.contains("keeps the last <domain>"))
        #expect(policy.verdict(for: shown("23", host: "b.example.com")).kind == .rejectPin)
        let unenforced = self.policy(domainConfig(["api.example.com", "b.example.com"], pinSet([8, 9])))
        #expect(unenforced.verdict(for: shown("34")).kind == .rejectPin)
    }

    @Test func `hosts are compared letter by letter, and invalid ones throw`() {
        let policy = policy(domainConfig(["+example.com"], pinSet([8, 9]) + enforced))
        #expect(policy.verdict(for: shown("23", host: "a.b.example.com")).kind == .rejectPin)
        let upper = policy.verdict(for: shown("23", host: "a.EXAMPLE.com"))
        #expect(upper.kind == .unpinned && upper.by == .trap && upper.reason.contains("letter by letter"))
        for host in ["a_b.example.com", "localhost", "192.0.2.1", "-a.example.com"] {
            let verdict = policy.verdict(for: shown("23", host: host))
            #expect(verdict.kind == .rejectChain && verdict.code == "invalid_host")
            #expect(policy.concerns(host: host))
        }
        #expect(!policy.concerns(host: "other.test"))
    }

    @Test(
        "before API 24 pins compare as text",
        arguments: [
            (Lab.base64(1), VerdictKind.accept), (" \(Lab.base64(1))\n", .accept),
            (String(Lab.base64(1).dropLast()), .rejectPin),
        ])
    func text(_ pin: String, _ kind: VerdictKind) {
        let pins =
            "<pin-set><pin digest=\"SHA-256\">\(pin)</pin><pin digest=\"SHA-256\">\(Lab.base64(9))</pin></pin-set>"
        let policy = policy(domainConfig(["api.example.com"], pins + enforced))
        let verdict = policy.verdict(for: shown("23"))
        #expect(verdict.kind == kind && policy.verdict(for: shown("24")).kind == .accept)
        #expect(kind == .accept || verdict.notes.contains { $0.contains("this client compares the text") })
    }

    @Test(
        "what TrustKit refuses crashes the app at its start",
        arguments: [
            (
                domainConfig(["a.test"], pinSet([1]) + "<trustkit-config enforcePinning=\"true\"/>"),
                "Less than two pins"
            ),
            (
                domainConfig(["a.test"], pinSet([1, 1]) + "<trustkit-config enforcePinning=\"true\"/>"),
                "Less than two pins"
            ),
            (domainConfig(["a.test"], "<trustkit-config enforcePinning=\"true\"/>"), "An empty pin-set"),
            (
                domainConfig(["a.test"], "<pin-set><pin digest=\"sha-256\">\(Lab.base64(1))</pin></pin-set>"),
                "Unexpected digest value: sha-256"
            ),
            (domainConfig(["a.test"], pinSet([1], expiration: "soon")), "Invalid expiration date"),
            (domainConfig(["a.test"], "<pin-set><pin digest=\"SHA-256\">AAAA</pin></pin-set>"), "Invalid pin: AAAA"),
            (domainConfig(["*.a.test"], pinSet([1])), "Tried to pin an invalid domain: *.a.test"),
            (domainConfig([], pinSet([1])), "Tried to pin an invalid domain: null"), ("", "Policy contains 0 domains"),
            (domainConfig(["a.test"], "") + domainConfig(["a.test"], ""), "defined twice: a.test"),
            (
                domainConfig(["a.test"], pinSet([1, 2]) + enforcedText + domainConfig(["b.test"], pinSet([1]))),
                "Less than two pins"
            ),
        ])
    func refused(_ lines: String, _ words: String) {
        let policy = policy(lines, via: .platform)
        #expect(policy.configurationError?.kind == .configError)
        let verdict = policy.verdict(for: shown("34"))
        #expect(verdict.kind == .configError && verdict.reason.contains(words), "\(verdict.reason)")
    }

    private static let enforcedText = "<trustkit-config enforcePinning=\"true\"/>"

    @Test func `one pin is enough where nothing is enforced, and settings are inherited`() {
        #expect(policy(domainConfig(["api.example.com"], pinSet([1]))).verdict(for: shown("23")).kind == .accept)
        let nested = domainConfig(["+example.com"], pinSet([8, 9]) + enforced + domainConfig(["api.example.com"], ""))
        #expect(policy(nested).verdict(for: shown("23")).kind == .rejectPin)
        let loosened = domainConfig(
            ["+example.com"],
            pinSet([8, 9]) + enforced
                + domainConfig(["api.example.com"], "<trustkit-config enforcePinning=\"false\"/>"))
        #expect(policy(loosened).verdict(for: shown("23")).kind == .acceptReport)
        #expect(policy(loosened).verdict(for: shown("34")).kind == .acceptReport)
    }

    @Test func `what the platform alone refuses stops it from API 24 on`() {
        let lines = domainConfig(["api.example.com"], pinSet([1, 9]) + pinSet([1, 9]))
        #expect(policy(lines).verdict(for: shown("34")).kind == .configError)
        #expect(policy(lines).verdict(for: shown("23")).kind == .accept)
    }

    @Test func `debug-overrides with overridePins turn TrustKit off in debug builds`() {
        let overrides =
            "<debug-overrides><trust-anchors><certificates src=\"system\" overridePins=\"true\"/>"
            + "</trust-anchors></debug-overrides>"
        let policy = policy(domainConfig(["api.example.com"], pinSet([8, 9]) + enforced) + overrides)
        #expect(policy.verdict(for: shown("23", variant: .debug)).code == "override_pins")
        #expect(policy.verdict(for: shown("34", variant: .debug)).code == "override_pins")
        #expect(policy.verdict(for: shown("23")).kind == .rejectPin)
    }

    @Test func `expiry is the device's midnight here too, and chains go first`() {
        let day = Lab.now.rfc3339.map { String($0.prefix(10)) } ?? ""
        let policy = policy(domainConfig(["api.example.com"], pinSet([8, 9], expiration: day) + enforced))
        let midnight = Instant(day: day) ?? Lab.now
        let kinds = [Int64(-50_400), 0, 43_201].map { offset in
            let far = (1...3).map { Lab.issued($0, by: $0 == 3 ? 3 : $0 + 1, ends: 1_000_000) }.map { certificate in
                var certificate = certificate
                certificate.notBefore = Lab.now - 1_000_000
                return certificate
            }
            let path = Path(certificates: Array(far.prefix(2)), anchor: far[2])
            return policy.verdict(
                for: Lab.served(
                    sent: Array(far.prefix(2)), paths: [path], now: midnight + offset,
                    release: Lab.release(.android, "23"))
            ).kind
        }
        #expect(kinds == [.rejectPin, .unknown, .unpinned])
        let broken = Lab.served(sent: [Lab.leaf], paths: [], release: Lab.release(.android, "23"))
        #expect(policy.verdict(for: broken).kind == .rejectChain)
        let elsewhere = Lab.served(hostMatches: false, release: Lab.release(.android, "23"))
        #expect(policy.verdict(for: elsewhere).code == "host_mismatch")
    }

    @Test func `inside the hours in which zones differ, what is only reported is told as that`() {
        let day = (Lab.now + 3_600).rfc3339.map { String($0.prefix(10)) } ?? ""
        let verdict = policy(domainConfig(["api.example.com"], pinSet([8, 9], expiration: day))).verdict(
            for: shown("34"))
        #expect(verdict.kind == .unknown && verdict.code == "expiry_zone_dependent")
        #expect(verdict.reason.contains("before it accept_report"), "\(verdict.reason)")
    }

    @Test func `an invalid host throws in the factory whatever the platform makes of it`() {
        let policy = policy(domainConfig(["api.example.com"], pinSet([1])))
        #expect(policy.verdict(for: shown("34", host: "a_b.test")).code == "invalid_host")
    }

    @Test func `another system has none of this`() {
        let verdict = policy("").verdict(for: Lab.served(release: Lab.release(.ios, "17")))
        #expect(verdict.kind == .notEvaluated && verdict.code == "other_platform")
    }

    @Test func `a policy names who connects`() {
        let text = securityConfig(domainConfig(["api.example.com"], pinSet([1])))
        let read = Lab.read(TrustKitAndroidPolicy.self, .map(["xml": .text(text), "via": .text("platform")]))
        #expect(read.policy?.via == .platform && read.policy?.allPins == [Lab.pin(1)])
        #expect(
            Lab.read(TrustKitAndroidPolicy.self, .map(["xml": .text(text), "via": .text("app")])).problems
                == ["via must be one of factory, platform, not \"app\""])
    }
}
