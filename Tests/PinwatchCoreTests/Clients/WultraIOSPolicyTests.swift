import Testing

@testable import PinwatchCore

private func entry(
    _ certificate: CertificateSummary, name: String = "api.example.com", expires: Int64 = 100
) -> WultraIOSPolicy.Entry {
    WultraIOSPolicy.Entry(name: name, fingerprint: certificate.fingerprint.base64, expires: Lab.now + expires)
}

private func verdict(
    _ entries: [WultraIOSPolicy.Entry], _ presentation: Presentation = Lab.shown(), expected: [String]? = nil,
    onEmpty: WultraIOSPolicy.OnEmpty? = .reject
) -> Verdict {
    WultraIOSPolicy(entries: entries, expectedNames: expected, onEmpty: onEmpty).verdict(for: presentation)
}

@Suite struct WultraIOSPolicyTests {
    @Test func `vector 52: names compare as text, a wildcard with a wildcard`() {
        let wild = Lab.l.with(subject: "CN=*.example.com")
        let accepted = verdict([entry(wild, name: "*.example.com")], Lab.shown([wild, Lab.i]))
        #expect(accepted.kind == .accept && accepted.matched?.position == "leaf" && accepted.paths.isEmpty)
        #expect(verdict([entry(wild, name: "api.example.com")], Lab.shown([wild, Lab.i])).code == "empty")
    }

    @Test func `vector 54: a renewal is another certificate`() {
        let refused = verdict([entry(Lab.l)], Lab.shown([Lab.renewed, Lab.i]))
        #expect(Expected(.rejectPin, "no_pin_matched").holds(for: refused))
        #expect(verdict([entry(Lab.l), entry(Lab.renewed)], Lab.shown([Lab.renewed, Lab.i])).kind == .accept)
    }

    @Test func `vector 55: what the list trusts is still validated by the system`() {
        let untrusted = verdict([entry(Lab.s)], Lab.shown([Lab.s], code: .selfSigned))
        #expect(Expected(.rejectChain, "no_path").holds(for: untrusted))
        #expect(verdict([entry(Lab.l)], Lab.shown(hostMatches: false)).code == "host_mismatch")
        // The list is asked first.
        #expect(verdict([entry(Lab.x)], Lab.shown([Lab.s], code: .selfSigned)).code == "no_pin_matched")
    }

    @Test func `an entry counts in its last second and is as good as gone in the next`() {
        #expect(verdict([entry(Lab.l, expires: 0)]).kind == .accept)
        let gone = verdict([entry(Lab.l, expires: -1)])
        #expect(Expected(.rejectPin, "empty").holds(for: gone) && gone.reason.hasPrefix("every entry for"))
        #expect(verdict([entry(Lab.x, expires: 5), entry(Lab.l, expires: -1)]).code == "no_pin_matched")
    }

    @Test func `an empty list is the app's to answer`() {
        for entries in [[], [entry(Lab.l, name: "API.example.com")]] {
            #expect(Expected(.rejectPin, "empty").holds(for: verdict(entries)))
            #expect(Expected(.unpinned, "empty", by: .trap).holds(for: verdict(entries, onEmpty: .accept)))
            #expect(verdict(entries, Lab.shown(roots: []), onEmpty: .accept).kind == .rejectChain)
        }
        let assumed = verdict([], onEmpty: nil)
        #expect(assumed.kind == .rejectPin && assumed.notes.first?.contains("reject is assumed") == true)
    }

    @Test func `expected names go first`() {
        let refused = verdict([entry(Lab.l)], expected: ["other.example.com"])
        #expect(Expected(.rejectPin, "common_name_not_expected").holds(for: refused))
        #expect(verdict([entry(Lab.l)], expected: ["api.example.com"]).kind == .accept)
        #expect(verdict([entry(Lab.l)], expected: []).code == "common_name_not_expected")
    }

    @Test(
        "the name is Apple's summary of the subject",
        arguments: [
            ("CN=a.test", "a.test" as String?), ("O=X,CN=a\\,b,C=DE", "a,b"), ("CN=b+OU=x", "b"), ("CN=b,CN=a", "b, a"),
            ("CN=\\c3\\a4", "ä"), ("CN=#0c0161", "a"), ("2.5.4.13=#0c0164,CN=a", "a (d)"), ("O=X", "api.example.com"),
            ("", "api.example.com"), ("CN=\\ x", " x"), ("DCN=z", "api.example.com"), ("CN=a\\", "a\\"),
        ])
    func names(_ subject: String, _ name: String?) {
        let (read, notes) = AppleSubjectSummary.read(Lab.l.with(subject: subject))
        #expect(read == name && notes.isEmpty == (name != "api.example.com"))
    }

    @Test func `a fingerprint that is no base64 spoils the list`() {
        let bad = WultraIOSPolicy.Entry(name: "a", fingerprint: "?", expires: Lab.now)
        #expect(Expected(.configError, "malformed_pin").holds(for: verdict([bad])))
        let short = WultraIOSPolicy.Entry(name: "api.example.com", fingerprint: "AAAA", expires: Lab.now)
        #expect(verdict([short]).code == "no_pin_matched")
    }

    @Test func `a policy is read in the list's own words`() throws {
        let text = """
            {"fingerprints": [{"name": "*.example.com", "fingerprint": "\(Lab.l.fingerprint.base64)", "expires": 1811808000}],
             "expected_common_names": ["*.example.com"], "on_empty": "accept"}
            """
        let policy = try Lab.good(WultraIOSPolicy.self, text)
        #expect(policy.allPins == [.certificate(Lab.l.fingerprint)] && policy.hosts.map(\.pattern) == ["*.example.com"])
        #expect(policy.pins(for: "API.example.com.", now: Lab.now).count == 1)
        #expect(policy.pins(for: "a.b.example.com", now: Lab.now).isEmpty)
        #expect(policy.expiries.map(\.at.unixSeconds) == [1_811_808_000] && policy.concerns(host: "any.test"))
        #expect(policy.pin(.certificate(Lab.l.fingerprint), matches: Lab.l))
        #expect(WultraIOSPolicy(entries: policy.entries, onEmpty: .reject).expiries.isEmpty)
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            ("{}", "policy needs the key \"fingerprints\""),
            (
                #"{"fingerprints": [{"name": "a", "fingerprint": "b"}]}"#,
                "an entry of fingerprints needs the key \"expires\""
            ),
            (
                #"{"fingerprints": [{"name": "a", "fingerprint": "b", "expires": "2027"}]}"#,
                "expires, in Unix seconds, must be a whole number from 0 to 253402300799, not \"2027\""
            ),
            (#"{"fingerprints": [], "on_empty": "allow"}"#, "on_empty must be one of reject, accept, not \"allow\""),
            (
                #"{"fingerprints": [{"name": "a", "fingerprint": "b", "expires": 1, "signature": "c"}]}"#,
                "unknown key \"signature\" in an entry of fingerprints; allowed: name, fingerprint, expires"
            ),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(WultraIOSPolicy.self, text)
        #expect(policy == nil && problems == [message])
    }
}
