import Testing

@testable import PinwatchCore

private typealias Entry = ApplePinnedDomainsPolicy.Entry

private func entry(
    _ domain: String, _ includes: PropertyFlag = .boolean(false), leaf: [CertificateSummary]? = nil,
    ca: [CertificateSummary]? = nil
) -> Entry {
    Entry(domain: domain, includesSubdomains: includes, leaves: leaf?.map(Lab.key), authorities: ca?.map(Lab.key))
}

private func verdict(_ entries: [Entry], _ presentation: Presentation = shown()) -> Verdict {
    ApplePinnedDomainsPolicy(entries: entries).verdict(for: presentation)
}

private func shown(
    _ sent: [CertificateSummary] = [Lab.l, Lab.i], host: String = "api.example.com",
    roots: [CertificateSummary] = [Lab.r]
) -> Presentation {
    Lab.shown(sent, roots: roots, host: host, release: Lab.ios("17"))
}

@Suite struct ApplePinnedDomainsPolicyTests {
    @Test func `vector 28: both lists must be satisfied`() {
        #expect(verdict([entry("api.example.com", leaf: [Lab.l], ca: [Lab.x])]).code == "no_pin_matched")
        let both = verdict([entry("api.example.com", leaf: [Lab.l], ca: [Lab.x, Lab.r])])
        #expect(both.kind == .accept && both.matched?.position == "leaf")
    }

    @Test func `vector 29: positions are strict`() {
        let above = verdict([entry("api.example.com", leaf: [Lab.i])])
        #expect(
            above.kind == .rejectPin && above.notes.contains { $0.contains("leaf_identities holds the leaf's alone") })
        let below = verdict([entry("api.example.com", ca: [Lab.l])])
        #expect(below.kind == .rejectPin && below.notes.contains { $0.contains("counts above the leaf only") })
        #expect(verdict([entry("api.example.com", leaf: [Lab.l])]).kind == .accept)
        #expect(verdict([entry("api.example.com", ca: [Lab.r])]).matched?.position == "anchor")
    }

    @Test func `vector 30: an empty list refuses, and so does one of which nothing can be decoded`() {
        #expect(Expected(.rejectPin, "empty").holds(for: verdict([entry("api.example.com", leaf: [])])))
        #expect(Expected(.rejectPin, "empty").holds(for: verdict([entry("api.example.com", leaf: [Lab.l], ca: [])])))
        let bad = Entry(domain: "api.example.com", leaves: [.spki(text: "?"), .spki(text: "sha256/AAAA")])
        let refused = verdict([bad])
        #expect(Expected(.rejectPin, "empty").holds(for: refused) && refused.notes.count == 2)
    }

    @Test func `vector 32: the exact entry does not hide its parent`() {
        let parent = entry("example.com", .boolean(true), ca: [Lab.x])
        let exact = entry("api.example.com", leaf: [Lab.l])
        #expect(verdict([parent, exact]).code == "no_pin_matched")
        let united = [entry("example.com", .boolean(true), ca: [Lab.i]), entry("api.example.com", ca: [Lab.x])]
        #expect(verdict(united).kind == .accept)
    }

    @Test func `vector 34: an entry without lists pins nothing, and only the boolean true includes sub-domains`() {
        #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: verdict([entry("api.example.com")])))
        for flag in [PropertyFlag.other("1"), .other("YES"), .other("true")] {
            let number = verdict([entry("example.com", flag, ca: [Lab.x])])
            #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: number))
            #expect(number.reason.contains("only the boolean true includes sub-domains"))
        }
    }

    @Test(
        "hosts: one label more, without regard to case",
        arguments: [
            ("example.com", "example.com", true, VerdictKind.rejectPin, UnpinnedBy?.none),
            ("example.com", "EXAMPLE.com.", false, .rejectPin, nil),
            ("EXAMPLE.com", "a.example.com", true, .rejectPin, nil),
            ("example.com", "a.b.example.com", true, .unpinned, .trap),
            ("example.com", "a.example.com", false, .unpinned, .design),
            ("*.example.com", "a.example.com", false, .unpinned, .trap),
            ("example.com.", "example.com", false, .unpinned, .trap),
            ("example.com", "badexample.com", true, .unpinned, .design),
            ("example.com", "other.net", true, .unpinned, .design),
        ])
    func lookup(_ domain: String, _ host: String, _ includes: Bool, _ kind: VerdictKind, _ by: UnpinnedBy?) {
        let entries = [entry(domain, .boolean(includes), ca: [Lab.x])]
        let verdict = verdict(entries, shown(host: host))
        #expect(verdict.kind == kind && verdict.by == by)
        let policy = ApplePinnedDomainsPolicy(entries: entries)
        #expect(policy.concerns(host: host) == (by != .design))
        #expect(policy.pins(for: host, now: Lab.now).isEmpty == (kind == .unpinned))
    }

    @Test func `one path that satisfies the lists is enough, for trustd looks for it`() {
        let two = shown(roots: [Lab.member(6, "CN=R", by: "CN=R"), Lab.r])
        let accepted = verdict([entry("api.example.com", ca: [Lab.r])], two)
        #expect(accepted.kind == .accept && accepted.paths.map(\.kind) == [.rejectPin, .accept])
        let refused = verdict([entry("api.example.com", ca: [Lab.x])], two)
        #expect(refused.kind == .rejectPin && refused.paths.map(\.kind) == [.rejectPin, .rejectPin])
    }

    @Test func `a list of authorities needs a path above the leaf`() {
        let path = Path(certificates: [Lab.s], anchor: Lab.s, source: .user)
        let alone = shown([Lab.s], roots: [Lab.s])
        let presentation = Presentation(
            host: alone.host, assessment: alone.assessment,
            verification: Verification(
                trustStore: "system", valid: true, code: .ok, reason: "", hostMatches: true, paths: [path], stray: [],
                missingIssuer: nil), now: Lab.now, release: alone.release)
        let refused = verdict([entry("api.example.com", ca: [Lab.s])], presentation)
        #expect(refused.kind == .rejectPin && refused.reason.contains("the path is the leaf alone"))
        #expect(verdict([entry("api.example.com", leaf: [Lab.s])], presentation).kind == .accept)
    }

    @Test(
        "systems before iOS 14 and macOS 11 do not read it, and the newest are assumed",
        arguments: [
            (
                Platform?.some(Platform(system: .ios, version: VersionNumber("13.7"))),
                Expected(.unpinned, "platform_too_old", by: .trap)
            ),
            (Platform(system: .ios, version: VersionNumber("14")), Expected(.rejectPin, "no_pin_matched")),
            (
                Platform(system: .macos, version: VersionNumber("10.15")),
                Expected(.unpinned, "platform_too_old", by: .trap)
            ),
            (Platform(system: .macos, version: VersionNumber("11.0")), Expected(.rejectPin, "no_pin_matched")),
            (Platform(system: .ios, version: nil), Expected(.rejectPin, "no_pin_matched")),
            (nil, Expected(.rejectPin, "no_pin_matched")),
            (Platform(system: .android, version: nil), Expected(.notEvaluated, "other_platform")),
        ])
    func platforms(_ platform: Platform?, _ expected: Expected) {
        let entries = [entry("api.example.com", ca: [Lab.x])]
        let release = ReleaseFacts(platform: platform)
        #expect(expected.holds(for: verdict(entries, Lab.shown(release: release))))
        // What plain validation refuses, every version refuses.
        let late = verdict(entries, Lab.shown([Lab.expired, Lab.i], release: release))
        #expect(late.kind == (platform?.system == .android ? .notEvaluated : .rejectChain))
        #expect(verdict(entries, Lab.shown(host: "other.net", release: release)).kind == .unpinned)
    }

    @Test(
        "the decoder skips what is not base64, and asks for no length",
        arguments: [
            (" \(Lab.digest(2, 1).base64)\n", true), ("(\(Lab.digest(2, 1).base64))", true),
            (String(Lab.digest(2, 1).base64.dropLast()), false), ("sha256/\(Lab.digest(2, 1).base64)", false),
            (PinText.canonical([UInt8](repeating: 1, count: 20)), false), ("", false),
        ])
    func decoding(_ text: String, _ matches: Bool) {
        #expect((PinnedIdentities.digest(of: .spki(text: text)) == Lab.l.spki) == matches)
    }

    @Test func `a policy is read in the plist's own words`() throws {
        let text = """
            {"domains": {"example.com": {"includes_subdomains": true, "leaf_identities": ["\(Lab.digest(2, 1).base64)"],
              "ca_identities": ["sha256/\(Lab.digest(2, 2).base64)", "file:key3.cer"]}, "b.net": {"includes_subdomains": 1}}}
            """
        let policy = try Lab.good(ApplePinnedDomainsPolicy.self, text)
        #expect(policy.hosts.map(\.match) == ["leaf", "ca", "none"] && policy.allPins.count == 3)
        #expect(policy.entries[1].includesSubdomains == .other("1"))
        #expect(policy.pins(for: "a.example.com", now: Lab.now).count == 3 && policy.expiries.isEmpty)
        #expect(policy.pin(Lab.pin(1), matches: Lab.l) && !policy.pin(.certificate(Lab.l.fingerprint), matches: Lab.l))
        #expect(policy.verdict(for: shown(host: "a.example.com")).kind == .accept)
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            (#"{"domains": []}"#, "domains must be a mapping of keys to values, not a list"),
            (
                #"{"domains": {"a": {"NSPinnedCAIdentities": []}}}"#,
                "unknown key \"NSPinnedCAIdentities\" in domain a; allowed: includes_subdomains, leaf_identities, ca_identities"
            ),
            (
                #"{"domains": {"a": {"includes_subdomains": ""}}}"#,
                "includes_subdomains must be true or false, not nothing"
            ),
            (#"{"domains": {"a": {"leaf_identities": [[]]}}}"#, "a pin of leaf_identities must be text, not a list"),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(ApplePinnedDomainsPolicy.self, text)
        #expect(policy == nil && problems == [message])
    }
}
