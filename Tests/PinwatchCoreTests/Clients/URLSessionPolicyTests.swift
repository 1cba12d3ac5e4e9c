import Testing

@testable import PinwatchCore

@Suite struct URLSessionPolicyTests {
    private func entry(
        _ compare: URLSessionPolicy.Compare, _ pins: [Pin], match: URLSessionPolicy.Match = .leaf
    ) -> URLSessionPolicy.Entry {
        URLSessionPolicy.Entry(host: "api.example.com", compare: compare, match: match, pins: pins, assumptions: [])
    }

    @Test(
        "each comparison takes its own hash and no other",
        arguments: [
            (URLSessionPolicy.Compare.spki, Pin.spki(text: Lab.digest(2, 1).base64), VerdictKind.accept),
            (.spki, .spki(text: Lab.digest(3, 1).base64), .rejectPin),
            (.rawKey, .spki(text: Lab.digest(3, 1).base64), .accept),
            (.rawKey, .spki(text: Lab.digest(2, 1).base64), .rejectPin),
            (.der, .certificate(Lab.digest(1, 1)), .accept), (.der, .spki(text: Lab.digest(2, 1).base64), .rejectPin),
            (.spki, .certificate(Lab.digest(1, 1)), .rejectPin), (.rawKey, .certificate(Lab.digest(1, 1)), .rejectPin),
            (.spki, .spkiSHA1(text: PinText.canonical([UInt8](repeating: 1, count: 20))), .accept),
            (.spki, .file(path: "k", .publicKey(spki: Lab.digest(2, 1))), .accept),
            (.der, .file(path: "c", .certificate(Lab.certificate(1), isDER: true)), .accept),
            (.rawKey, .file(path: "c", .certificate(Lab.certificate(1), isDER: true)), .accept),
        ])
    func comparison(_ compare: URLSessionPolicy.Compare, _ pin: Pin, _ kind: VerdictKind) {
        let policy = URLSessionPolicy(entries: [entry(compare, [pin])])
        #expect(policy.verdict(for: Lab.presentation()).kind == kind)
        #expect(policy.pin(pin, matches: Lab.certificate(1)) == (kind == .accept))
    }

    @Test(
        "text that is not padded standard base64 never matches, and a note says what would",
        arguments: [String(Lab.digest(2, 1).base64.dropLast()), Lab.digest(2, 1).hex])
    func spelling(_ text: String) {
        let verdict = URLSessionPolicy(entries: [entry(.spki, [.spki(text: text)])]).verdict(for: Lab.presentation())
        #expect(verdict.kind == .rejectPin && verdict.code == "no_pin_matched")
        #expect(verdict.notes.first?.contains("written as \(Lab.digest(2, 1).pin) it would match") == true)
    }

    @Test(
        "a hash of the wrong thing is named",
        arguments: [
            (URLSessionPolicy.Compare.spki, UInt8(3), "raw key"), (.spki, 1, "whole certificate"),
            (.rawKey, 2, "SubjectPublicKeyInfo"), (.der, 2, "SubjectPublicKeyInfo"),
        ])
    func wrongKind(_ compare: URLSessionPolicy.Compare, _ kind: UInt8, _ words: String) {
        let pin = Pin.spki(text: Lab.digest(kind, 1).base64)
        let verdict = URLSessionPolicy(entries: [entry(compare, [pin])]).verdict(for: Lab.presentation())
        #expect(verdict.notes.first?.contains("is the hash of the leaf's \(words)") == true)
    }

    @Test func `a PEM file is dropped where DER is loaded, which leaves nothing to match`() {
        let pin = Pin.file(path: "c.pem", .certificate(Lab.certificate(1), isDER: false))
        let policy = URLSessionPolicy(entries: [entry(.der, [pin])])
        let verdict = policy.verdict(for: Lab.presentation())
        #expect(verdict.kind == .rejectPin && verdict.code == "empty")
        #expect(verdict.notes.first?.contains("file:c.pem is not DER") == true)
        #expect(policy.pins(for: "api.example.com", now: Lab.now).isEmpty)
    }

    @Test(
        "hosts compare as spelled, and a near spelling is a trap",
        arguments: [
            ("API.example.com", UnpinnedBy.trap), ("api.example.com.", .trap), ("other.example.com", .design),
        ])
    func spelledHosts(_ host: String, _ by: UnpinnedBy) {
        let policy = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(1)])])
        let verdict = policy.verdict(for: Lab.presentation(host: host))
        #expect(verdict.kind == .unpinned && verdict.by == by && verdict.code == "host_not_listed")
        let untrusted = policy.verdict(for: Lab.presentation(host: host, code: .untrustedRoot))
        #expect(untrusted.kind == .rejectChain && untrusted.by == nil)
    }

    @Test func `an app that refuses unlisted hosts rejects them`() {
        let policy = URLSessionPolicy(entries: [], unlisted: .reject)
        let verdict = policy.verdict(for: Lab.presentation())
        #expect(verdict.kind == .rejectPin && verdict.code == "host_not_listed")
    }

    @Test func `any looks along the path, leaf does not, and paths may disagree`() {
        let any = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(3)], match: .any)])
        #expect(any.verdict(for: Lab.presentation()).matched?.position == "anchor")
        #expect(any.verdict(for: Lab.presentation(anchors: [3, 4])).kind == .dependsOnPath)
        let leaf = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(3)], match: .leaf)])
        #expect(leaf.verdict(for: Lab.presentation(anchors: [3, 4])).kind == .rejectPin)
    }

    @Test func `without trust evaluation a matching pin lets an untrusted chain through, with a note`() {
        let entries = [entry(.spki, [Lab.pin(2)], match: .any)]
        let untrusted = Lab.presentation(anchors: [], code: .missingIssuer)
        #expect(URLSessionPolicy(entries: entries).verdict(for: untrusted).kind == .rejectChain)
        let careless = URLSessionPolicy(entries: entries, evaluatesTrust: false)
        let verdict = careless.verdict(for: untrusted)
        #expect(verdict.kind == .accept && verdict.paths.isEmpty && verdict.matched?.position == "intermediate")
        #expect(verdict.notes.first?.contains("trust is not evaluated") == true)
        let other = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(9)], match: .any)], evaluatesTrust: false)
        #expect(other.verdict(for: untrusted).kind == .rejectPin)
    }

    @Test func `a listed parent and a wildcard look as if they covered the host, and do not`() {
        for listed in ["example.com", "*.example.com"] {
            let entry = URLSessionPolicy.Entry(
                host: listed, compare: .spki, match: .leaf, pins: [Lab.pin(9)], assumptions: [])
            let policy = URLSessionPolicy(entries: [entry])
            #expect(policy.verdict(for: Lab.presentation()).by == .trap && policy.concerns(host: "api.example.com"))
            #expect(!policy.concerns(host: "other.test"))
        }
    }

    @Test func `Apple's own rules go before the pins, and before the lack of them`() {
        let long = Lab.shown([Lab.l.with(ends: 500 * 86_400), Lab.i])
        let policy = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(1)])])
        #expect(policy.verdict(for: long).code == "lifetime_too_long")
        #expect(URLSessionPolicy(entries: []).verdict(for: long).code == "lifetime_too_long")
        let careless = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(1)])], evaluatesTrust: false).verdict(for: long)
        #expect(careless.kind == .accept && careless.notes.first?.contains("Apple takes at most 398") == true)
    }

    @Test func `a stray certificate satisfies no pin, with a path or without`() {
        let policy = URLSessionPolicy(entries: [entry(.spki, [Lab.pin(4)], match: .any)], evaluatesTrust: false)
        for anchors in [[UInt8(3)], []] {
            let code: VerificationCode = anchors.isEmpty ? .missingIssuer : .ok
            let presentation = Lab.presentation(anchors: anchors, stray: [4], code: code)
            #expect(policy.verdict(for: presentation).code == "no_pin_matched")
        }
    }

    @Test func `a policy is read, and what it leaves out is assumed and said`() throws {
        let text = """
            {"hosts": {"a.test": {"pins": ["file:c1.cer"]}, "b.test": {"compare": "raw_key", "match": "any",
              "pins": ["sha256/\(Lab.digest(3, 1).base64)", "file:pem1.cer"]},
              "c.test": {"compare": "der", "match": "leaf", "pins": ["file:key1.cer", "file:c1.cer"]}}, "unlisted": "reject"}
            """
        let policy = try Lab.good(URLSessionPolicy.self, text)
        #expect(policy.verdict(for: Lab.presentation(host: "a.test")).notes.count == 2)
        let raw = policy.verdict(for: Lab.presentation(host: "b.test"))
        #expect(raw.kind == .accept && raw.notes.count == 1 && raw.notes[0].hasPrefix("file:pem1.cer is PEM"))
        let der = policy.verdict(for: Lab.presentation(host: "c.test"))
        #expect(der.kind == .accept && der.notes.first?.contains("is a key, where the app loads certificates") == true)
        #expect(policy.verdict(for: Lab.presentation(host: "d.test")).code == "host_not_listed")
        #expect(policy.concerns(host: "any.test"))
    }
}
