import Testing

@testable import PinwatchCore

@Suite struct WultraAndroidPolicyTests {
    private func entry(_ name: String, _ number: UInt8 = 1, ends: Int64 = 10) -> WultraList.Entry {
        WultraList.Entry(name: name, fingerprint: Lab.digest(1, number).base64, expires: Lab.now + ends)
    }

    private func verdict(
        _ entries: [WultraList.Entry], expected: [String]? = nil, onEmpty: WultraList.OnEmpty? = nil,
        subject: String = "CN=api.example.com,O=Shop", _ change: (inout CertificateSummary) -> Void = { _ in },
        paths: [Path]? = nil, hostMatches: Bool = true
    ) -> Verdict {
        var leaf = Lab.leaf
        leaf.subject = subject
        change(&leaf)
        let list = WultraList(entries: entries, expectedCommonNames: expected, onEmpty: onEmpty)
        return WultraAndroidPolicy(list: list).verdict(
            for: Lab.served(
                sent: [leaf, Lab.intermediate],
                paths: paths ?? [Path(certificates: [leaf, Lab.intermediate], anchor: Lab.root)],
                hostMatches: hostMatches))
    }

    @Test func `vector 52: a wildcard's common name is looked up as it is written`() {
        let accepted = verdict([entry("*.example.com")], subject: "CN=*.example.com")
        #expect(accepted.kind == .accept && accepted.matched?.position == "leaf" && accepted.paths.isEmpty)
        let other = verdict([entry("*.example.com")])
        #expect(other.kind == .rejectPin && other.code == "empty")
        #expect(other.reason.contains("no entry is named api.example.com"))
    }

    @Test func `vector 54: a renewal with the same key does not match`() {
        let verdict = verdict([entry("api.example.com", 8), entry("api.example.com", 7)])
        #expect(verdict.kind == .rejectPin && verdict.code == "no_pin_matched")
        #expect(
            verdict.reason.contains("none of the 2 fingerprints") && verdict.reason.contains(Lab.digest(1, 1).base64))
        let key = WultraList.Entry(name: "api.example.com", fingerprint: Lab.base64(1), expires: Lab.now)
        #expect(self.verdict([key]).notes.contains { $0.contains("SubjectPublicKeyInfo") })
    }

    @Test func `vector 55: neither chain nor dates are validated on Android, which is said`() {
        let untrusted = verdict([entry("api.example.com")], paths: [])
        #expect(untrusted.kind == .accept && untrusted.notes.contains { $0.contains("not validated on Android") })
        let ended = verdict([entry("api.example.com")], { $0.notAfter = Lab.now - 1 })
        #expect(ended.kind == .accept && ended.notes.count == 1)
        #expect(verdict([entry("api.example.com")]).notes.isEmpty)
    }

    @Test func `the host name is left to the HTTP stack, after the fingerprint`() {
        #expect(verdict([entry("api.example.com")], hostMatches: false).code == "host_mismatch")
        #expect(verdict([entry("api.example.com", 9)], hostMatches: false).code == "no_pin_matched")
    }

    @Test(
        "steps come in the client's order",
        arguments: [
            (["other.test"], "api.example.com", Int64(10), "common_name_not_expected"),
            (["api.example.com"], "api.example.com", 10, "pin_matched"),
            ([], "api.example.com", 10, "common_name_not_expected"),
            (nil, "api.example.com", 0, "pin_matched"), (nil, "api.example.com", -1, "empty"),
            (nil, "API.example.com", 10, "empty"),
        ])
    func steps(_ expected: [String]?, _ name: String, _ ends: Int64, _ code: String) {
        #expect(verdict([entry(name, ends: ends)], expected: expected).code == code)
    }

    @Test func `where the list is silent the app decides`() {
        let open = verdict([], onEmpty: .accept)
        #expect(open.kind == .unpinned && open.by == .trap && open.code == "empty")
        #expect(verdict([], onEmpty: .accept, hostMatches: false).kind == .rejectChain)
        #expect(verdict([]).kind == .rejectPin && verdict([]).notes.first?.contains("reject is assumed") == true)
        #expect(verdict([], onEmpty: .reject).kind == .rejectPin && verdict([], onEmpty: .reject).notes.isEmpty)
    }

    @Test(
        "the common name is the subject's most specific one",
        arguments: [
            ("CN=a\\,b\\2B\\c3\\bc,O=X", String?.some("a,b+ü")), ("O=CN\\, no,CN=x", "x"), ("OU=a+CN=x,O=y", "x"),
            ("CN=one,CN=two", "one"), ("O=Shop", nil), ("", nil), ("cn=x", "x"), ("CN=", ""),
        ])
    func names(_ subject: String, _ name: String?) {
        var certificate = Lab.leaf
        certificate.subject = subject
        #expect(certificate.commonName == name)
    }

    @Test func `a leaf without a common name makes the client fail`() {
        let verdict = verdict([entry("api.example.com")], subject: "O=Shop")
        #expect(verdict.kind == .rejectPin && verdict.code == "no_common_name" && verdict.notes.count == 1)
    }

    @Test func `an entry that is no base64 loses the list, one of another length never matches`() {
        let bad = WultraList.Entry(name: "a", fingerprint: "A", expires: Lab.now)
        #expect(verdict([entry("api.example.com"), bad]).code == "malformed_pin")
        let short = WultraList.Entry(name: "api.example.com", fingerprint: "AAAA", expires: Lab.now)
        let verdict = verdict([short])
        #expect(verdict.code == "no_pin_matched" && verdict.notes.first?.contains("32 bytes") == true)
        let unpadded = WultraList.Entry(
            name: "api.example.com", fingerprint: String(Lab.digest(1, 1).base64.dropLast()), expires: Lab.now)
        #expect(self.verdict([unpadded]).kind == .accept)
    }

    @Test func `entries are shown by their names, with their ends`() {
        let list = WultraList(entries: [
            entry("api.example.com"), entry("*.example.com", 2, ends: -1), entry("b.test", 3),
        ])
        let policy = WultraAndroidPolicy(list: list)
        #expect(policy.allPins == [1, 2, 3].map { .certificate(Lab.digest(1, $0)) } && policy.concerns(host: "x"))
        #expect(policy.pins(for: "API.example.com", now: Lab.now) == [.certificate(Lab.digest(1, 1))])
        #expect(policy.pins(for: "api.example.com", now: Lab.now - 1).count == 2)
        #expect(policy.expiries.map(\.at) == [Lab.now + 10, Lab.now - 1, Lab.now + 10])
        #expect(
            policy.pin(.certificate(Lab.digest(1, 1)), matches: Lab.leaf) && !policy.pin(Lab.pin(1), matches: Lab.leaf))
    }

    @Test func `a list is read with its own keys`() {
        let fingerprint = Node.map([
            "name": .text("a"), "fingerprint": .text("AAAA"), "expires": .plain("1811808000"),
        ])
        let read = Lab.read(
            WultraAndroidPolicy.self,
            .map([
                "fingerprints": .list([fingerprint]), "expected_common_names": .list([.text("a")]),
                "on_empty": .text("accept"),
            ]))
        #expect(read.problems.isEmpty && read.policy?.list.onEmpty == .accept)
        #expect(read.policy?.list.expectedCommonNames == ["a"])
        #expect(read.policy?.list.entries.first?.expires == Instant(unixSeconds: 1_811_808_000))
        let wrong = Lab.read(
            WultraAndroidPolicy.self,
            .map([
                "fingerprints": .list([.map(["name": .text("a"), "expires": .text("soon")])]), "on_empty": .text("ask"),
            ]))
        #expect(
            wrong.problems == [
                "an entry of fingerprints needs the key \"fingerprint\"",
                "expires must be a whole number from 0 to 1099511627776, not \"soon\"",
                "on_empty must be one of reject, accept, not \"ask\"",
            ])
    }
}
