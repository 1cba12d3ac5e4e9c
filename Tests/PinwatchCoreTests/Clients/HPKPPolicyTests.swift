import Testing

@testable import PinwatchCore

@Suite struct HPKPPolicyTests {
    private func entry(
        _ host: String, _ pins: [Pin], subdomains: Bool = false, maxAge: Int? = 5_184_000, reportOnly: Bool = false
    ) -> HPKPPolicy.Entry {
        HPKPPolicy.Entry(
            host: host, pins: pins, includesSubdomains: subdomains, maxAge: maxAge, reportOnly: reportOnly)
    }

    private func verdict(_ entries: [HPKPPolicy.Entry], _ presentation: Presentation = Lab.served()) -> Verdict {
        HPKPPolicy(entries: entries).verdict(for: presentation)
    }

    @Test("any pin on any member of the validated path is enough", arguments: [UInt8(1), 2, 3])
    func members(_ number: UInt8) {
        let verdict = verdict([entry("api.example.com", [Lab.pin(9), Lab.pin(number)])])
        #expect(verdict.kind == .accept && verdict.notes.isEmpty)
    }

    @Test func `no match rejects, a stray certificate notwithstanding, or is only reported`() {
        let shown = Lab.served(sent: [Lab.leaf, Lab.intermediate, Lab.issued(7, by: 7)])
        #expect(verdict([entry("api.example.com", [Lab.pin(7), Lab.pin(9)])], shown).kind == .rejectPin)
        let reported = verdict([entry("api.example.com", [Lab.pin(7), Lab.pin(9)], reportOnly: true)], shown)
        #expect(reported.kind == .acceptReport && reported.code == "report_only")
    }

    @Test(
        "hosts are looked up exactly, then by the nearest entry that includes sub-domains; addresses never",
        arguments: [
            ("API.example.com.", VerdictKind.rejectPin, UnpinnedBy?.none), ("a.b.example.com", .accept, nil),
            ("x.deep.example.com", .rejectPin, nil), ("sub.api.example.com", .accept, nil),
            ("other.test", .unpinned, .design),
            ("192.0.2.1", .unpinned, .trap), ("a.plain.test", .unpinned, .trap),
        ])
    func lookup(_ host: String, _ kind: VerdictKind, _ by: UnpinnedBy?) {
        let (good, bad) = ([Lab.pin(1), Lab.pin(9)], [Lab.pin(8), Lab.pin(9)])
        let policy = HPKPPolicy(entries: [
            entry("example.com", good, subdomains: true), entry("api.example.com", bad),
            entry("deep.example.com", bad, subdomains: true), entry("192.0.2.1", bad), entry("plain.test", bad),
        ])
        let verdict = policy.verdict(for: Lab.served(host: host))
        #expect(verdict.kind == kind && verdict.by == by && policy.concerns(host: host) == (by != .design))
        #expect(policy.pins(for: host, now: Lab.now).isEmpty == (kind == .unpinned))
    }

    @Test(
        "pins that no user agent notes pin nothing",
        arguments: [
            ([Lab.pin(9)], Int?.some(10), "too_few_pins"), ([Lab.pin(9), Lab.pin(9)], nil, "too_few_pins"),
            ([Lab.pin(9), Pin.spki(text: "AAAA")], 10, "too_few_pins"),
            ([Lab.pin(9), Pin.spkiSHA1(text: "AAAA")], 10, "too_few_pins"), ([Lab.pin(8), Lab.pin(9)], 0, "expired"),
        ])
    func unnoted(_ pins: [Pin], _ maxAge: Int?, _ code: String) {
        let policy = HPKPPolicy(entries: [entry("api.example.com", pins, maxAge: maxAge)])
        let verdict = policy.verdict(for: Lab.served())
        #expect(verdict.kind == .unpinned && verdict.by == .trap && verdict.code == code)
        #expect(policy.pins(for: "api.example.com", now: Lab.now) == [] && policy.allPins == pins)
    }

    @Test func `pins that are all on the path are said to lack a backup`() {
        let verdict = verdict([entry("api.example.com", [Lab.pin(1), Lab.pin(3)])])
        #expect(verdict.kind == .accept && verdict.notes.first?.contains("only if one is not") == true)
    }

    @Test func `paths that disagree leave it to the user agent, and users' anchors may be let through`() {
        let paths = [
            Lab.path, Path(certificates: [Lab.leaf, Lab.intermediate], anchor: Lab.issued(4, by: 4), source: .user),
        ]
        let verdict = verdict([entry("api.example.com", [Lab.pin(3), Lab.pin(9)])], Lab.served(paths: paths))
        #expect(verdict.kind == .dependsOnPath && verdict.notes.contains { $0.contains("the user added") })
    }

    @Test func `plain validation goes first`() {
        #expect(
            verdict([entry("api.example.com", [Lab.pin(1), Lab.pin(9)])], Lab.served(paths: [])).kind == .rejectChain)
    }

    @Test func `a policy is read with its own keys`() {
        let host = Node.map([
            "host": .text("Example.com"), "pins": .list([.text(Lab.base64(1))]), "include_subdomains": .plain("true"),
            "max_age": .plain("60"), "report_only": .plain("true"),
        ])
        let read = Lab.read(HPKPPolicy.self, .map(["hosts": .list([host])]))
        let entry = read.policy?.entries.first
        #expect(entry?.host == "example.com" && entry?.maxAge == 60 && entry?.includesSubdomains == true)
        #expect(
            entry?.reportOnly == true && read.policy?.hosts.map(\.pattern) == ["example.com"]
                && read.policy?.expiries == [])
        let twice = Lab.read(HPKPPolicy.self, .map(["hosts": .list([host, host])]))
        #expect(twice.problems == ["host example.com is listed already; put its pins together"])
        let wrong = Lab.read(HPKPPolicy.self, .map(["hosts": .list([.map(["host": .text("a"), "age": .plain("1")])])]))
        #expect(
            wrong.problems == [
                "unknown key \"age\" in an entry of hosts; allowed: host, pins, include_subdomains, max_age, report_only",
                "an entry of hosts needs the key \"pins\"",
            ])
    }
}
