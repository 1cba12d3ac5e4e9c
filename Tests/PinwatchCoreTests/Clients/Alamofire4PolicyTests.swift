import Testing

@testable import PinwatchCore

private func verdict(
    _ word: Alamofire4Policy.Word, _ pins: [Pin], _ presentation: Presentation = Lab.shown(), chain: Bool = true,
    host: Bool = true, listed: String = "api.example.com"
) -> Verdict {
    let kind: BundledPins.Kind = word == .pinCertificates ? .certificates : .keys
    let entry = Alamofire4Policy.Entry(
        host: listed, word: word, pins: BundledPins(pins, as: kind), validatesChain: chain, validatesHost: host)
    return Alamofire4Policy(entries: [entry]).verdict(for: presentation)
}

@Suite struct Alamofire4PolicyTests {
    @Test func `pinned certificates are the only anchors, and to be valid is the whole test`() {
        for member in [Lab.l, Lab.i, Lab.r] { #expect(verdict(.pinCertificates, [Lab.file(member)]).kind == .accept) }
        #expect(Expected(.rejectChain, "no_path").holds(for: verdict(.pinCertificates, [Lab.file(Lab.x)])))
        #expect(verdict(.pinCertificates, [Lab.file(Lab.l)], Lab.shown([Lab.renewed, Lab.i])).code == "no_path")
        let selfSigned = Lab.shown([Lab.s], code: .selfSigned)
        #expect(verdict(.pinCertificates, [Lab.file(Lab.s)], selfSigned).matched?.position == "leaf")
    }

    @Test func `a root that ran out does not hurt where an intermediate is the anchor`() {
        let late = Lab.shown(roots: [Lab.r.with(ends: -1)])
        #expect(verdict(.pinCertificates, [Lab.file(Lab.i)], late).kind == .accept)
        #expect(Expected(.rejectChain, "expired").holds(for: verdict(.pinPublicKeys, [Lab.key(Lab.i)], late)))
    }

    @Test func `without chain validation the certificates are compared, and validate_host has no effect`() {
        let presentation = Lab.shown([Lab.expired, Lab.i], hostMatches: false)
        let accepted = verdict(.pinCertificates, [Lab.file(Lab.l)], presentation, chain: false)
        #expect(
            accepted.kind == .accept
                && accepted.notes == [
                    "validate_host has no effect, for pinned certificates are compared without any evaluation"
                ])
        #expect(verdict(.pinCertificates, [Lab.file(Lab.x)], presentation, chain: false).kind == .rejectPin)
        #expect(verdict(.pinCertificates, [Lab.file(Lab.l)], presentation).kind == .rejectChain)
    }

    @Test func `public keys are held against the chain of the system's anchors`() {
        #expect(verdict(.pinPublicKeys, [Lab.key(Lab.r)]).matched?.position == "anchor")
        #expect(verdict(.pinPublicKeys, [Lab.key(Lab.x)]).code == "no_pin_matched")
        let wrongHost = Lab.shown(hostMatches: false)
        #expect(verdict(.pinPublicKeys, [Lab.key(Lab.l)], wrongHost).code == "host_mismatch")
        #expect(verdict(.pinPublicKeys, [Lab.key(Lab.l)], wrongHost, host: false).kind == .accept)
        let selfSigned = Lab.shown([Lab.s], code: .selfSigned)
        #expect(verdict(.pinPublicKeys, [Lab.key(Lab.s)], selfSigned, chain: false).kind == .accept)
    }

    @Test func `empty lists refuse: no key to match, no anchor to reach`() {
        #expect(Expected(.rejectPin, "empty").holds(for: verdict(.pinPublicKeys, [])))
        #expect(Expected(.rejectChain, "empty").holds(for: verdict(.pinCertificates, [Lab.file(Lab.l, isDER: false)])))
        #expect(Expected(.rejectPin, "empty").holds(for: verdict(.pinCertificates, [], chain: false)))
    }

    @Test(
        "policies without pins compare none",
        arguments: [Alamofire4Policy.Word.standard, .revoked, .disabled])
    func unpinned(_ word: Alamofire4Policy.Word) {
        #expect(Expected(.accept, "no_pins_compared").holds(for: verdict(word, [])))
        let untrusted = verdict(word, [], Lab.shown([Lab.s], hostMatches: false, code: .selfSigned))
        #expect(untrusted.kind == (word == .disabled ? .accept : .rejectChain))
    }

    @Test(
        "a missing host is left to plain validation",
        arguments: [
            ("example.com", UnpinnedBy.trap), ("API.example.com", .trap), ("*.example.com", .trap),
            ("example.net", .design),
            ("b.example.com", .design), ("com", .design),
        ])
    func missing(_ listed: String, _ by: UnpinnedBy) {
        let open = verdict(.pinPublicKeys, [Lab.key(Lab.x)], listed: listed)
        #expect(Expected(.unpinned, "host_not_listed", by: by).holds(for: open))
        let untrusted = verdict(.pinPublicKeys, [], Lab.shown(roots: []), listed: listed)
        #expect(untrusted.kind == .rejectChain)
    }

    @Test func `a fingerprint that is not at hand leaves the anchor unknown`() {
        let missing = Pin.certificate(Lab.digest(1, 77))
        #expect(verdict(.pinCertificates, [missing]).kind == .unknown)
        #expect(verdict(.pinCertificates, [missing], Lab.shown(hostMatches: false)).code == "host_mismatch")
        #expect(verdict(.pinCertificates, [missing, .certificate(Lab.i.fingerprint)]).kind == .accept)
    }

    @Test func `a policy is read in the library's own words`() throws {
        let text = """
            {"policies": {"a.test": {"policy": "pin_certificates", "pins": ["file:c1.cer"]},
             "b.test": {"policy": "pin_public_keys", "pins": ["\(Lab.digest(2, 1).base64)"], "validate_host": false},
             "c.test": {"policy": "default"}}}
            """
        let policy = try Lab.good(Alamofire4Policy.self, text)
        #expect(policy.hosts.map(\.match) == ["pin_certificates", "pin_public_keys", "default"])
        #expect(policy.allPins.count == 2 && policy.pins(for: "b.test", now: Lab.now) == [Lab.pin(1)])
        #expect(policy.concerns(host: "a.test.") && !policy.concerns(host: "d.test"))
        #expect(policy.pin(Lab.pin(1), matches: Lab.l) && policy.expiries.isEmpty)
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            (#"{"policies": []}"#, "policies must be a mapping of keys to values, not a list"),
            (#"{"policies": {"a": {"policy": "pin_public_keys"}}}"#, "host a needs the key \"pins\""),
            (
                #"{"policies": {"a": {"policy": "custom"}}}"#,
                "policy must be one of pin_certificates, pin_public_keys, default, revoked, disabled, not \"custom\""
            ),
            (
                #"{"policies": {"a": {"policy": "default", "evaluators": []}}}"#,
                "unknown key \"evaluators\" in host a; allowed: policy, pins, validate_certificate_chain, validate_host"
            ),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(Alamofire4Policy.self, text)
        #expect(policy == nil && problems == [message])
    }
}
