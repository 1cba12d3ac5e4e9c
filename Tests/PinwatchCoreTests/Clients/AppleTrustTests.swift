import Testing

@testable import PinwatchCore

@Suite struct AppleTrustTests {
    private func refusal(
        _ leaf: CertificateSummary, _ source: AnchorSource = .system, root: CertificateSummary = Lab.r
    ) -> Verdict? {
        AppleTrust.evaluate(Lab.shown([leaf, Lab.i], roots: [root], source: source), as: .server).refusal
    }

    private func day(_ text: String) throws -> Int64 { try #require(Instant(day: text)).unixSeconds }

    private static let lifetimes: [(issued: String, days: Int64, more: Int64, source: AnchorSource, passes: Bool)] = [
        ("2026-06-01", 398, 0, .system, true), ("2026-06-01", 398, 1, .system, false),
        ("2026-06-01", 825, 3_600, .given, true), ("2026-06-01", 825, 3_601, .given, false),
        ("2026-06-01", 826, 0, .user, false), ("2026-06-01", 398, 1, .given, true),
        ("2020-08-31", 3_000, 0, .system, false), ("2019-06-30", 4_000, 0, .given, true),
        ("2019-07-01", 4_000, 0, .given, false), ("2018-02-28", 4_000, 0, .system, true),
    ]

    @Test("a leaf may not live too long, by its root and the day of its issue", arguments: lifetimes)
    func lifetime(_ issued: String, _ days: Int64, _ more: Int64, _ source: AnchorSource, _ passes: Bool) throws {
        let start = try day(issued)
        var leaf = Lab.l.with(issued: start)
        leaf.notAfter = Instant(unixSeconds: start + days * 86_400 + more)
        let refusal = refusal(leaf, source)
        #expect((refusal == nil) == passes)
        if let refusal { #expect(Expected(.rejectChain, "lifetime_too_long").holds(for: refusal)) }
    }

    @Test func `a leaf that the user trusts by itself may live as long as it likes`() throws {
        let leaf = Lab.l.with(ends: 4_000 * 86_400, issued: try day("2026-01-01"))
        let path = Path(certificates: [leaf], anchor: leaf, source: .user)
        #expect(AppleServerRules.fault(of: path) == nil)
        #expect(AppleServerRules.fault(of: Path(certificates: [leaf], anchor: leaf, source: .given)) != nil)
    }

    @Test func `weak keys are refused anywhere, weak digests below the anchor`() {
        #expect(refusal(Lab.l.with(weak: ["rsa_1024"]))?.code == "weak")
        #expect(refusal(Lab.l.with(weak: ["sha1_signature"]))?.code == "weak")
        #expect(refusal(Lab.l, root: Lab.r.with(weak: ["sha1_signature"])) == nil)
        #expect(refusal(Lab.l, root: Lab.r.with(weak: ["rsa_1024"]))?.code == "weak")
        let small = PublicKeySummary(type: "EC", bits: 224, curve: "P-224")
        #expect(refusal(Lab.l.with(key: small))?.reason.hasSuffix("as weak: ec_224") == true)
        #expect(refusal(Lab.l.with(key: PublicKeySummary(type: "EC", bits: 256, curve: "P-256"))) == nil)
    }

    @Test func `a path that breaks a rule is not taken where another does not`() {
        let weak = Lab.r.with(fingerprint: 33, weak: ["rsa_1024"])
        let trust = AppleTrust.evaluate(Lab.shown(roots: [weak, Lab.r]), as: .server)
        #expect(trust.refusal == nil && trust.paths.map(\.anchor.fingerprint) == [Lab.r.fingerprint])
    }

    @Test(
        "missing timestamps are noted for public roots, and refuse nothing",
        arguments: [
            (Int?.some(0), AnchorSource.system, 1), (2, .system, 0), (nil, .system, 0), (0, .given, 0), (0, .user, 0),
        ])
    func timestamps(_ scts: Int?, _ source: AnchorSource, _ count: Int) {
        let trust = AppleTrust.evaluate(
            Lab.shown([Lab.l.with(scts: scts), Lab.i], source: source), as: .serverWithHost)
        #expect(trust.refusal == nil && trust.notes.count == count)
    }

    @Test func `the host counts only where the policy was made with it`() {
        let presentation = Lab.shown(hostMatches: false)
        #expect(AppleTrust.evaluate(presentation, as: .serverWithHost).refusal?.code == "host_mismatch")
        #expect(AppleTrust.evaluate(presentation, as: .server).refusal == nil)
        let untrusted = Lab.shown(roots: [], hostMatches: false)
        #expect(AppleTrust.evaluate(untrusted, as: .server).refusal?.code == "no_path")
        #expect(AppleTrust.evaluate(untrusted, as: .anyPurpose).refusal?.code == "no_path")
    }

    @Test func `pinned anchors obey the rules of their own roots`() {
        let long = Lab.l.with(ends: 500 * 86_400)
        let presentation = Lab.shown([long, Lab.i])
        func refusal(_ anchor: CertificateSummary) -> Verdict? {
            let anchors = PinnedAnchors([Lab.file(anchor)], in: presentation)
            return AppleTrust.evaluate(presentation, as: .serverWithHost, anchors: anchors).refusal
        }
        #expect(refusal(Lab.i) == nil)
        #expect(refusal(Lab.r)?.code == "lifetime_too_long")
    }

    @Test(
        "flags count as NSNumber and NSString would have them, or only as booleans",
        arguments: [
            (PropertyFlag.boolean(true), true), (.boolean(false), false), (.other("1"), true), (.other("0"), false),
            (.other("YES"), true), (.other("no"), false), (.other(" +007"), true), (.other("-0"), false),
            (.other("true"), true), (.other("off"), false), (.other("2"), true),
        ])
    func flags(_ flag: PropertyFlag, _ value: Bool) {
        #expect(flag.boolValue == value && flag.isTrue == (flag == .boolean(true)))
    }
}
