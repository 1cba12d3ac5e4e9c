import Testing

@testable import PinwatchCore

private func verdict(
    _ mode: AFNetworkingPolicy.Mode, _ pins: [Pin], _ presentation: Presentation = Lab.shown(), invalid: Bool = false,
    domain: Bool = true
) -> Verdict {
    AFNetworkingPolicy(mode: mode, pins: pins, allowsInvalid: invalid, validatesDomainName: domain)
        .verdict(for: presentation)
}

@Suite struct AFNetworkingPolicyTests {
    @Test func `vector 58: a pinned intermediate becomes the anchor and is in the chain`() {
        let accepted = verdict(.certificate, [Lab.file(Lab.i)])
        #expect(accepted.kind == .accept && accepted.matched?.certificate == Lab.i.fingerprint)
        #expect(Expected(.rejectChain, "no_path").holds(for: verdict(.certificate, [Lab.file(Lab.x)])))
    }

    @Test func `a leaf's certificate breaks at the renewal, its key does not`() {
        let renewal = Lab.shown([Lab.renewed, Lab.i])
        #expect(verdict(.certificate, [Lab.file(Lab.l)], renewal).kind == .rejectChain)
        #expect(verdict(.publicKey, [Lab.file(Lab.l)], renewal).kind == .accept)
        #expect(verdict(.publicKey, [Lab.key(Lab.r)]).matched?.position == "anchor")
        #expect(Expected(.rejectPin, "no_pin_matched").holds(for: verdict(.publicKey, [Lab.key(Lab.x)])))
    }

    @Test func `certificate mode validates twice: by the system's anchors, then by the pinned ones`() {
        let selfSigned = Lab.shown([Lab.s], code: .selfSigned)
        #expect(verdict(.certificate, [Lab.file(Lab.s)], selfSigned).code == "no_path")
        #expect(verdict(.certificate, [Lab.file(Lab.s)], selfSigned, invalid: true).kind == .accept)
        let late = Lab.shown([Lab.s.with(ends: -1)], code: .selfSigned)
        #expect(verdict(.certificate, [Lab.file(Lab.s)], late, invalid: true).code == "expired")
    }

    @Test func `public keys with invalid certificates allowed are compared without any validation`() {
        let bad = Lab.shown([Lab.s.with(ends: -1)], hostMatches: false, code: .selfSigned)
        #expect(verdict(.publicKey, [Lab.key(Lab.s)], bad, invalid: true).kind == .accept)
        #expect(verdict(.publicKey, [Lab.key(Lab.x)], bad, invalid: true).kind == .rejectPin)
        #expect(verdict(.publicKey, [Lab.key(Lab.s)], bad).kind == .rejectChain)
    }

    @Test func `an empty set refuses, and so do invalid certificates with a domain name but no pins`() {
        for mode in [AFNetworkingPolicy.Mode.certificate, .publicKey] {
            #expect(Expected(.rejectPin, "empty").holds(for: verdict(mode, [])))
            #expect(verdict(mode, [], Lab.shown(roots: [])).kind == .rejectChain)
        }
        for mode in AFNetworkingPolicy.Mode.allCases {
            let refused = verdict(mode, mode == .unpinned ? [Lab.key(Lab.l)] : [], invalid: true)
            #expect(Expected(.rejectPin, "empty").holds(for: refused))
        }
    }

    @Test func `without a pinning mode no pin is compared`() {
        #expect(Expected(.accept, "no_pins_compared").holds(for: verdict(.unpinned, [])))
        #expect(verdict(.unpinned, [], Lab.shown(roots: [])).kind == .rejectChain)
        let open = verdict(.unpinned, [], Lab.shown(roots: [], hostMatches: false), invalid: true, domain: false)
        #expect(open.kind == .accept && open.notes.count == 1)
    }

    @Test func `without the domain name neither the host nor the rules for servers are asked for`() {
        let long = Lab.l.with(issued: 1_700_000_000, weak: ["rsa_1024"])
        let presentation = Lab.shown([long, Lab.i], hostMatches: false)
        #expect(verdict(.publicKey, [Lab.key(Lab.l)], presentation, domain: false).kind == .accept)
        #expect(verdict(.publicKey, [Lab.key(Lab.l)], presentation).code == "host_mismatch")
        let strict = verdict(.publicKey, [Lab.key(Lab.l)], Lab.shown([long, Lab.i]))
        #expect(strict.kind == .rejectChain)
    }

    @Test func `a PEM file is dropped, and a note says that it may be worse`() {
        let pem = Lab.file(Lab.l, isDER: false)
        let alone = verdict(.certificate, [pem])
        #expect(Expected(.rejectPin, "empty").holds(for: alone) && alone.notes.contains { $0.contains("may crash") })
        #expect(!verdict(.publicKey, [pem, Lab.key(Lab.l)]).notes.contains { $0.contains("may crash") })
    }

    @Test func `one set stands for every host`() throws {
        let text = #"{"mode": "public_key", "pins": ["\#(Lab.digest(2, 1).base64)"], "validates_domain_name": false}"#
        let policy = try Lab.good(AFNetworkingPolicy.self, text)
        #expect(policy.concerns(host: "any.test") && policy.pins(for: "any.test", now: Lab.now) == [Lab.pin(1)])
        #expect(policy.hosts.map(\.pattern) == ["*"] && policy.hosts.map(\.match) == ["public_key"])
        #expect(policy.pin(Lab.pin(1), matches: Lab.l) && policy.expiries.isEmpty)
        let none = try Lab.good(AFNetworkingPolicy.self, "{}")
        #expect(none.hosts.isEmpty && none.pins(for: "any.test", now: Lab.now).isEmpty)
        #expect(none.verdict(for: Lab.shown()).code == "no_pins_compared")
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            (#"{"mode": "certificate"}"#, "policy needs the key \"pins\""),
            (#"{"mode": "pinned"}"#, "mode must be one of none, certificate, public_key, not \"pinned\""),
            (
                #"{"hosts": {}}"#,
                "unknown key \"hosts\" in policy; allowed: mode, pins, allow_invalid, validates_domain_name"
            ),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(AFNetworkingPolicy.self, text)
        #expect(policy == nil && problems == [message])
    }
}
