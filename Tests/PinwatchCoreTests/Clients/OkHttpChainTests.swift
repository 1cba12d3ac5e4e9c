import Testing

@testable import PinwatchCore

/// What OkHttp makes of the chain itself, before and under its pins.
@Suite struct OkHttpChainTests {
    private func policy(
        _ pin: UInt8, issuers: OkHttpPolicy<ModernOkHttp>.AcceptedIssuers = .platform
    ) -> OkHttpPolicy<ModernOkHttp> {
        let idna = Lab.resources().idna
        let entry = OkHttpEntry(pattern: "api.example.com", pins: [Lab.pin(pin)], idna: idna)
        return OkHttpPolicy(entries: [entry], acceptedIssuers: issuers, idna: idna)
    }

    @Test func `vector 48: a sent certificate that is on no path counts for nothing`() {
        let stray = Lab.issued(7, by: 7)
        let shown = Lab.served(sent: [Lab.leaf, Lab.intermediate, stray])
        #expect(policy(7).verdict(for: shown).kind == .rejectPin)
    }

    @Test func `vector 50: a trust-all manager without accepted issuers fails every pinned host`() {
        let policy = self.policy(1, issuers: .none)
        let verdict = policy.verdict(for: Lab.served())
        #expect(verdict.kind == .rejectChain && verdict.code == "no_path")
        let open = policy.verdict(for: Lab.served(host: "other.test", sent: [Lab.leaf], paths: []))
        #expect(open.kind == .unpinned && open.notes.contains { $0.contains("trust is not evaluated") })
        #expect(policy.verdict(for: Lab.served(hostMatches: false)).code == "host_mismatch")
    }

    @Test func `the chain goes before the name, and both before pins`() {
        let policy = self.policy(9)
        #expect(policy.verdict(for: Lab.served(paths: [], hostMatches: false)).code == "no_path")
        #expect(policy.verdict(for: Lab.served(hostMatches: false)).code == "host_mismatch")
        for system in [Platform.System.android, .jvm] {
            let leaf = Lab.issued(1, by: 2, ends: -1)
            let ended = Path(certificates: [leaf, Lab.intermediate], anchor: Lab.root)
            let shown = Lab.served(sent: [leaf], paths: [ended], release: Lab.release(system))
            #expect(policy.verdict(for: shown).code == "expired")
        }
    }

    @Test func `Android takes the first path of its walk, the JVM may have more than one first`() {
        var (small, large) = (Lab.issued(4, by: 4), Lab.issued(5, by: 5))
        small.key = PublicKeySummary(type: "RSA", bits: 2048, curve: nil)
        large.key = PublicKeySummary(type: "RSA", bits: 4096, curve: nil)
        let paths = [small, large].map { Path(certificates: [Lab.leaf, Lab.intermediate], anchor: $0) }
        let policy = self.policy(5)
        let android = policy.verdict(for: Lab.served(paths: paths, release: Lab.release(.android, "34")))
        #expect(android.kind == .accept && android.paths.map(\.kind) == [.accept, .rejectPin])
        #expect(android.notes.contains { $0.contains("\"CN=4\" instead decides otherwise") })
        #expect(policy.verdict(for: Lab.served(paths: paths, release: Lab.release(.jvm))).kind == .dependsOnPath)
        let open = policy.verdict(for: Lab.served(paths: paths))
        #expect(open.kind == .unknown && open.reason.contains("the platform, android or jvm"))
    }

    @Test(
        "users' anchors are trusted below API 24 alone",
        arguments: [("23", VerdictKind.rejectPin), ("24", .rejectChain)])
    func users(_ api: String, _ kind: VerdictKind) {
        let user = Path(certificates: [Lab.leaf, Lab.intermediate], anchor: Lab.root, source: .user)
        let policy = self.policy(9)
        #expect(policy.verdict(for: Lab.served(paths: [user], release: Lab.release(.android, api))).kind == kind)
        #expect(policy.verdict(for: Lab.served(paths: [user], release: Lab.release(.jvm))).kind == .rejectChain)
    }

    @Test func `a trusted leaf helps only where it signed itself`() {
        let policy = self.policy(1)
        for (path, kind) in [
            (Path(certificates: [Lab.leaf], anchor: Lab.leaf), VerdictKind.rejectChain),
            (Path(certificates: [Lab.leaf], anchor: Lab.intermediate, anchored: [Lab.leaf.fingerprint]), .rejectChain),
            (Path(certificates: [Lab.leaf], anchor: Lab.intermediate), .accept),
        ] {
            #expect(policy.verdict(for: Lab.served(paths: [path], release: Lab.release(.jvm))).kind == kind)
        }
        let own = Lab.issued(1, by: 1)
        let alone = Lab.served(
            sent: [own], paths: [Path(certificates: [own], anchor: own)], release: Lab.release(.jvm))
        #expect(policy.verdict(for: alone).kind == .accept)
    }

    @Test func `a chain of more than nine signers is given up on`() {
        let above = (0..<10).map { Lab.issued(UInt8(50 + $0), by: UInt8(51 + $0)) }
        let path = Path(certificates: [Lab.leaf] + above.dropLast(), anchor: above[9])
        let verdict = policy(1)
            .verdict(for: Lab.served(paths: [path], release: Lab.release(.jvm)))
        #expect(verdict.kind == .rejectChain && verdict.code == "chain_too_long")
    }

    @Test func `above a trusted intermediate what was sent counts, up to a root that nobody trusts`() {
        let (leaf, middle, top) = (Lab.issued(1, by: 2), Lab.issued(2, by: 3), Lab.issued(3, by: 3))
        let path = Path(certificates: [leaf], anchor: middle)
        for (sent, kind) in [([leaf, middle, top], VerdictKind.accept), ([leaf, middle], .rejectPin)] {
            let shown = Lab.served(sent: sent, paths: [path], release: Lab.release(.jvm))
            #expect(policy(3).verdict(for: shown).kind == kind)
        }
    }
}
