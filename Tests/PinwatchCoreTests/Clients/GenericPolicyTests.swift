import Testing

@testable import PinwatchCore

@Suite struct GenericPolicyTests {
    private func verdict(_ entries: [GenericPolicy.Entry], _ presentation: Presentation = Lab.presentation()) -> Verdict
    {
        GenericPolicy(entries: entries).verdict(for: presentation)
    }

    @Test(
        "a pin on any member of the path is enough, the anchor included",
        arguments: [(UInt8(1), "leaf"), (2, "intermediate"), (3, "anchor")])
    func members(_ number: UInt8, _ position: String) {
        let verdict = verdict([Lab.entry("api.example.com", [Lab.pin(9), Lab.pin(number)])])
        #expect(verdict.kind == .accept && verdict.matched?.position == position)
        #expect(verdict.matched?.certificate == Lab.digest(1, number))
        #expect(verdict.paths.map(\.kind) == [.accept])
    }

    @Test func `a pin of nothing on the path rejects, a stray certificate notwithstanding`() {
        let verdict = verdict([Lab.entry("api.example.com", [Lab.pin(4)])], Lab.presentation(stray: [4]))
        #expect(verdict.kind == .rejectPin && verdict.code == "no_pin_matched")
        #expect(verdict.reason.contains("the only pin for api.example.com does not match"))
        #expect(verdict.reason.contains(Lab.digest(2, 1).pin))
    }

    @Test func `a leaf entry looks no further than the leaf`() {
        #expect(verdict([Lab.entry("api.example.com", [Lab.pin(2)], match: .leaf)]).kind == .rejectPin)
        let accepted = verdict([Lab.entry("api.example.com", [Lab.pin(1)], match: .leaf)])
        #expect(accepted.kind == .accept && accepted.paths.isEmpty)
    }

    @Test func `paths that disagree leave it to the device, and the reason names both anchors`() {
        let verdict = verdict([Lab.entry("api.example.com", [Lab.pin(3)])], Lab.presentation(anchors: [3, 4]))
        #expect(verdict.kind == .dependsOnPath && verdict.paths.map(\.kind) == [.accept, .rejectPin])
        #expect(verdict.reason.contains("CN=3, not on the path to CN=4"))
    }

    @Test(
        "plain validation goes before pins, listed or not",
        arguments: [
            (VerificationCode.expired, "expired"), (.notYetValid, "not_yet_valid"), (.untrustedRoot, "no_path"),
            (.missingIssuer, "no_path"), (.selfSigned, "no_path"), (.badSignature, "no_path"), (.weak, "weak"),
            (.wrongPurpose, "wrong_purpose"), (.unreadable, "unreadable"),
        ], ["api.example.com", "other.example"])
    func chain(_ fault: (VerificationCode, String), _ host: String) {
        let verdict = verdict([Lab.entry(host, [Lab.pin(1)])], Lab.presentation(code: fault.0))
        #expect(verdict.kind == .rejectChain && verdict.code == fault.1)
    }

    @Test func `a wrong host name rejects the chain`() {
        let verdict = verdict([Lab.entry("api.example.com", [Lab.pin(1)])], Lab.presentation(hostMatches: false))
        #expect(verdict.kind == .rejectChain && verdict.code == "host_mismatch")
    }

    @Test(
        "hosts are looked up by exact entry, then by one label of wildcard",
        arguments: [
            ("api.example.com", "*.example.com", VerdictKind.accept, UnpinnedBy?.none),
            ("API.Example.com.", "api.example.com", .accept, nil),
            ("example.com", "*.example.com", .unpinned, .trap), ("a.b.example.com", "*.example.com", .unpinned, .trap),
            ("other.test", "*.example.com", .unpinned, .design),
            ("badexample.com", "*.example.com", .unpinned, .design),
            ("a.example.com", "example.com", .unpinned, .design), ("192.0.2.1", "192.0.2.1", .accept, nil),
            ("2001:DB8::1", "2001:db8::1", .accept, nil),
        ])
    func lookup(_ host: String, _ entry: String, _ kind: VerdictKind, _ by: UnpinnedBy?) {
        let verdict = verdict([Lab.entry(entry, [Lab.pin(1)])], Lab.presentation(host: host))
        #expect(verdict.kind == kind && verdict.by == by)
        #expect(kind == .accept || verdict.code == "host_not_listed")
    }

    @Test func `an exact entry goes before a wildcard, also where it rejects`() {
        let entries = [Lab.entry("*.example.com", [Lab.pin(1)]), Lab.entry("api.example.com", [Lab.pin(9)])]
        #expect(verdict(entries).kind == .rejectPin)
    }

    @Test func `pins hold at their last instant and are a trap one second later`() {
        let entry = Lab.entry("api.example.com", [Lab.pin(9)], expires: Lab.now)
        #expect(verdict([entry]).kind == .rejectPin)
        let later = verdict([entry], Lab.presentation(now: Lab.now + 1))
        #expect(later.kind == .unpinned && later.by == .trap && later.code == "expired")
        let policy = GenericPolicy(entries: [entry, Lab.entry("b.test", [], expires: Lab.now - 5)])
        #expect(policy.pins(for: "api.example.com", now: Lab.now).count == 1)
        #expect(policy.pins(for: "api.example.com", now: Lab.now + 1).isEmpty)
        #expect(
            policy.expiries == [
                PinExpiry(at: Lab.now, host: "api.example.com"), PinExpiry(at: Lab.now - 5, host: "b.test"),
            ])
    }

    @Test(
        "a pin's text may be written in several ways",
        arguments: [
            Lab.digest(2, 1).base64, Lab.digest(2, 1).base64url, String(Lab.digest(2, 1).base64.dropLast()),
            Lab.digest(2, 1).hex, "/" + Lab.digest(2, 1).base64, "pin-sha256=\"\(Lab.digest(2, 1).base64)\"",
        ])
    func notations(_ text: String) {
        #expect(verdict([Lab.entry("api.example.com", [.spki(text: text)])]).kind == .accept)
    }

    @Test(
        "a pin that cannot be read makes the whole policy unloadable",
        arguments: [
            Pin.spki(text: ""), .spki(text: "AAAA"), .spki(text: Lab.digest(2, 1).base64 + "="),
            .spki(text: Lab.digest(2, 1).base64.dropLast() + "==="),
            .spki(text: String(Lab.digest(2, 1).base64.dropFirst(4))), .spki(text: " " + Lab.digest(2, 1).base64),
            .spki(text: "sha256/" + Lab.digest(2, 1).base64), .spkiSHA1(text: Lab.digest(2, 1).base64),
        ])
    func malformed(_ pin: Pin) {
        let verdict = verdict([Lab.entry("api.example.com", [Lab.pin(1)]), Lab.entry("b.test", [pin])])
        #expect(verdict.kind == .configError && verdict.code == "malformed_pin")
    }

    @Test func `an entry without pins is an error of its own`() {
        #expect(verdict([Lab.entry("api.example.com", [])]).code == "empty")
    }

    @Test(
        "other pins than SHA-256 of the key compare what they name",
        arguments: [
            (Pin.spkiSHA1(text: PinText.canonical([UInt8](repeating: 1, count: 20))), VerdictKind.accept),
            (.certificate(Lab.digest(1, 2)), .accept), (.certificate(Lab.digest(2, 1)), .rejectPin),
            (.file(path: "k.pem", .publicKey(spki: Lab.digest(2, 3))), .accept),
            (.file(path: "c.pem", .certificate(Lab.certificate(1), isDER: false)), .accept),
            (.file(path: "c.pem", .certificate(Lab.certificate(8), isDER: true)), .rejectPin),
        ])
    func kinds(_ pin: Pin, _ kind: VerdictKind) {
        #expect(verdict([Lab.entry("api.example.com", [pin])]).kind == kind)
    }

    @Test(
        "a hash of something else is recognised",
        arguments: [(UInt8(1), "whole certificate"), (3, "raw key")])
    func recognised(_ kind: UInt8, _ words: String) {
        let verdict = verdict([Lab.entry("api.example.com", [.spki(text: Lab.digest(kind, 1).base64)])])
        #expect(verdict.kind == .rejectPin && verdict.notes.count == 1)
        #expect(verdict.notes.first?.contains("the leaf's \(words)") == true)
    }
}
