import Testing

@testable import PinwatchCore

private func domain(
    _ name: String, _ pins: [CertificateSummary] = [], includes: Bool = false, enforced: Bool = true,
    expires: Instant? = nil, excluded: Bool = false
) -> TrustKitDomain {
    var domain = TrustKitDomain(name: name, pins: pins.map(Lab.key))
    domain.includesSubdomains = includes
    domain.isEnforced = enforced
    domain.expires = expires
    domain.isExcluded = excluded
    return domain
}

private func policy(_ domains: TrustKitDomain...) -> TrustKitPolicy {
    TrustKitPolicy(domains: domains, suffixes: Lab.Suffixes())
}

/// Keys that are in no chain.
private let x = Lab.x, y = Lab.certificate(8), b = Lab.certificate(7)

@Suite struct TrustKitPolicyTests {
    @Test func `vector 14: a parent that includes sub-domains covers any depth, and any member counts`() {
        let verdict = policy(domain("example.com", [Lab.i, b], includes: true))
            .verdict(for: Lab.shown(host: "a.b.example.com"))
        #expect(Expected(.accept, "pin_matched").holds(for: verdict) && verdict.matched?.position == "intermediate")
    }

    @Test func `vector 15: not enforced, a pin that does not match is reported`() {
        let verdict = policy(domain("api.example.com", [x, y], enforced: false)).verdict(for: Lab.shown())
        #expect(
            Expected(.acceptReport, "report_only").holds(for: verdict) && verdict.paths.map(\.kind) == [.acceptReport])
    }

    @Test func `vector 16: a chain that fails validation is blocked although pins are not enforced`() {
        let verdict = policy(domain("api.example.com", [Lab.l, b], enforced: false))
            .verdict(for: Lab.shown([Lab.expired, Lab.i]))
        #expect(Expected(.rejectChain, "expired").holds(for: verdict))
        #expect(
            verdict.notes.contains("TrustKit blocks a chain that fails validation although it only reports on pins"))
    }

    @Test(
        "vector 17: two distinct pins are needed, one where pins are not enforced",
        arguments: [
            ([Lab.l], true, "api.example.com has 1 distinct pin, and TrustKit wants at least 2"),
            ([Lab.l, Lab.renewed], true, "api.example.com has 1 distinct pin, and TrustKit wants at least 2"),
            ([], false, "api.example.com has 0 distinct pins, and TrustKit wants at least 1"),
        ])
    func tooFew(_ pins: [CertificateSummary], _ enforced: Bool, _ reason: String) {
        let policy = policy(domain("api.example.com", pins, enforced: enforced))
        let verdict = policy.verdict(for: Lab.shown(host: "other.net"))
        #expect(Expected(.configError, "too_few_pins").holds(for: verdict) && policy.configurationError == verdict)
        #expect(verdict.reason == reason + "; TrustKit throws as it starts, which ends the app")
        #expect(policy.concerns(host: "any.test"))
    }

    @Test func `one pin is enough where pins are not enforced`() {
        #expect(policy(domain("api.example.com", [Lab.l], enforced: false)).verdict(for: Lab.shown()).kind == .accept)
    }

    @Test func `vector 20: an exclusion is for the exact host, and deeper names fall to the parent`() {
        let policy = policy(domain("example.com", [x, y], includes: true), domain("api.example.com", excluded: true))
        #expect(Expected(.unpinned, "excluded", by: .design).holds(for: policy.verdict(for: Lab.shown())))
        let deeper = policy.verdict(for: Lab.shown(host: "v1.api.example.com"))
        #expect(Expected(.rejectPin, "no_pin_matched").holds(for: deeper))
        #expect(policy.verdict(for: Lab.shown(roots: [])).kind == .rejectChain)
        #expect(policy.pins(for: "api.example.com", now: Lab.now).isEmpty)
    }

    @Test func `vector 21: an exclusion that the library does not know is an entry without pins`() {
        // What the importer makes of the documented spelling of the key: a plain entry.
        let policy = policy(domain("example.com", [x, y], includes: true), domain("api.example.com"))
        #expect(policy.configurationError.map(Expected(.configError, "too_few_pins").holds) == true)
    }

    @Test func `vector 23: a key that TrustKit cannot hash, met before a match, blocks even where it only reports`() {
        let odd = Lab.i.with(key: PublicKeySummary(type: "EC", bits: 521, curve: "P-521"))
        for enforced in [true, false] {
            let policy = policy(domain("api.example.com", [Lab.l, b], enforced: enforced))
            let verdict = policy.verdict(for: Lab.shown([Lab.l, odd]))
            #expect(Expected(.rejectPin, "unsupported_key").holds(for: verdict))
            #expect(verdict.reason.contains("the intermediate \"CN=I\" has a key that TrustKit cannot hash (EC P-521)"))
        }
        let above = policy(domain("api.example.com", [Lab.r, b])).verdict(for: Lab.shown([Lab.l, odd]))
        #expect(above.kind == .accept && above.matched?.position == "anchor")
    }

    @Test func `vector 25: a trailing dot is another host`() {
        let exact = policy(domain("api.example.com", [x, y])).verdict(for: Lab.shown(host: "api.example.com."))
        #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: exact))
        let parent = policy(domain("example.com", [x, y], includes: true)).verdict(
            for: Lab.shown(host: "a.example.com."))
        #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: parent))
    }

    @Test(
        "hosts: exact before longest parent, letter for letter",
        arguments: [
            ("api.example.com", VerdictKind.rejectPin, UnpinnedBy?.none), ("b.api.example.com", .rejectPin, nil),
            ("b.example.com", .accept, nil), ("example.com", .accept, nil), ("badexample.com", .unpinned, .design),
            ("API.example.com", .accept, nil), ("b.EXAMPLE.com", .unpinned, .trap), ("off.net", .rejectPin, nil),
            ("a.off.net", .unpinned, .design), ("other.com", .unpinned, .design),
        ])
    func lookup(_ host: String, _ kind: VerdictKind, _ by: UnpinnedBy?) {
        let policy = policy(
            domain("example.com", [Lab.l, b], includes: true), domain("api.example.com", [x, y], includes: true),
            domain("off.net", [x, y]))
        let verdict = policy.verdict(for: Lab.shown(host: host))
        #expect(verdict.kind == kind && verdict.by == by)
        #expect(policy.concerns(host: host) == (by != .design))
        #expect(policy.pins(for: host, now: Lab.now).isEmpty == (kind == .unpinned))
    }

    @Test func `a parent does not cover a host under another public suffix`() {
        let policy = policy(domain("net.com", [x, y], includes: true), domain("a.net", [x, y], includes: true))
        #expect(policy.verdict(for: Lab.shown(host: "b.net.com")).kind == .rejectPin)
        let registry = TrustKitPolicy(
            domains: [domain("example.net.io", [x, y], includes: true)],
            suffixes: Lab.Suffixes(list: ["io", "b.example.net.io"]))
        let verdict = registry.verdict(for: Lab.shown(host: "a.b.example.net.io"))
        #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: verdict))
    }

    @Test func `pins hold at the very instant of their end, and a second later they are gone`() throws {
        let text = """
            {"domains": {"api.example.com": {"public_key_hashes": ["\(Lab.digest(2, 9).base64)",
              "\(Lab.digest(2, 8).base64)"], "expiration_date": "2026-12-01"}}}
            """
        let policy = try Lab.good(TrustKitPolicy.self, text)
        let end = try #require(Instant(day: "2026-12-01"))
        #expect(policy.expiries == [PinExpiry(at: end, host: "api.example.com")])
        let fresh = [Lab.l.with(ends: 9_000_000), Lab.i.with(ends: 9_000_000)]
        func verdict(at now: Instant) -> Verdict {
            policy.verdict(for: Lab.shown(fresh, roots: [Lab.r.with(ends: 9_000_000)], now: now))
        }
        #expect(Expected(.rejectPin, "no_pin_matched").holds(for: verdict(at: end)))
        #expect(Expected(.unpinned, "expired", by: .trap).holds(for: verdict(at: end + 1)))
        #expect(policy.pins(for: "api.example.com", now: end).count == 2)
        #expect(policy.pins(for: "api.example.com", now: end + 1).isEmpty)
    }

    @Test(
        "dates as the library's formatter reads them",
        arguments: [
            ("2027-06-30", "2027-06-30" as String?), ("2027-6-3", "2027-06-03"), ("30.06.2027", nil),
            ("2027-02-30", nil),
            ("never", nil), ("27-06-30", "0027-06-30"),
        ])
    func dates(_ text: String, _ day: String?) throws {
        let policy = try Lab.good(
            TrustKitPolicy.self, #"{"domains": {"a.com": {"public_key_hashes": [], "expiration_date": "\#(text)"}}}"#)
        #expect(policy.domains[0].expires == day.flatMap { Instant(day: $0) } && policy.domains[0].notes.count == 1)
        #expect(policy.domains[0].notes[0].contains("not seen on a device"))
    }

    @Test func `paths that disagree leave it to the device`() {
        let verdict = policy(domain("api.example.com", [Lab.r, b]))
            .verdict(for: Lab.shown(roots: [Lab.r, Lab.member(6, "CN=R", by: "CN=R")]))
        #expect(Expected(.dependsOnPath, "paths_disagree").holds(for: verdict))
        #expect(verdict.paths.map(\.kind) == [.accept, .rejectPin])
    }

    @Test func `on a Mac, anchors that its user added are not pinned`() {
        let policy = policy(domain("api.example.com", [x, y]))
        let mac = ReleaseFacts(platform: Platform(system: .macos, version: nil))
        let excused = policy.verdict(for: Lab.shown(source: .user, release: mac))
        #expect(Expected(.unpinned, "user_anchor", by: .trap).holds(for: excused))
        #expect(policy.verdict(for: Lab.shown(source: .user, release: Lab.ios("17"))).kind == .rejectPin)
        #expect(policy.verdict(for: Lab.shown(release: mac)).kind == .rejectPin)
    }
}
