import Testing

@testable import PinwatchCore

private typealias Evaluator = AlamofireEvaluator

private func keys(_ pins: Pin..., off: Bool = false) -> Evaluator {
    .keys(BundledPins(pins, as: .keys), .init(isDefault: !off, coversHost: !off))
}

private func certificates(_ pins: Pin..., only: Bool = false, off: Bool = false) -> Evaluator {
    .certificates(
        BundledPins(pins, as: .certificates), .init(isDefault: !off, coversHost: !off), acceptsSelfSigned: only)
}

private func verdict(
    _ evaluator: Evaluator, _ presentation: Presentation = Lab.shown(), host: String = "api.example.com",
    all: Bool = true
) -> Verdict {
    AlamofirePolicy(entries: [.init(host: host, evaluator: evaluator)], allHostsMustBeEvaluated: all)
        .verdict(for: presentation)
}

@Suite struct AlamofirePolicyTests {
    @Test func `vectors 1 and 2: a key of any member of the built chain, the root included`() {
        #expect(verdict(keys(Lab.key(Lab.l))).matched?.position == "leaf")
        let root = verdict(keys(Lab.key(Lab.r)))
        #expect(root.kind == .accept && root.matched?.position == "anchor" && root.paths.map(\.kind) == [.accept])
    }

    @Test func `vectors 3 and 4: a renewal with the same key breaks a certificate's pin and not a key's`() {
        let renewal = Lab.shown([Lab.renewed, Lab.i])
        #expect(verdict(certificates(Lab.file(Lab.l)), renewal).code == "no_pin_matched")
        #expect(verdict(certificates(.certificate(Lab.l.fingerprint)), renewal).kind == .rejectPin)
        #expect(verdict(keys(Lab.key(Lab.l)), renewal).kind == .accept)
        #expect(verdict(keys(Lab.file(Lab.l)), renewal).kind == .accept)
    }

    @Test func `vector 5: a host without an evaluator is refused, or goes by unpinned if the flag is off`() {
        let evaluator = keys(Lab.key(Lab.l))
        let refused = verdict(evaluator, host: "example.com")
        #expect(refused.kind == .rejectPin && refused.code == "no_evaluator")
        #expect(refused.reason.hasSuffix("example.com stands for that very name, without its sub-domains"))
        let open = verdict(evaluator, host: "example.com", all: false)
        #expect(Expected(.unpinned, "host_not_listed", by: .trap).holds(for: open))
    }

    @Test func `vector 6: an empty list is refused before the chain is looked at`() {
        for presentation in [Lab.shown(), Lab.shown([Lab.expired, Lab.i])] {
            #expect(Expected(.rejectPin, "empty").holds(for: verdict(certificates(), presentation)))
            #expect(Expected(.rejectPin, "empty").holds(for: verdict(keys(), presentation)))
        }
    }

    @Test func `vector 7: the host's validation alone still validates the chain`() {
        let evaluator = Evaluator.keys(
            BundledPins([Lab.key(Lab.l)], as: .keys), .init(isDefault: false, coversHost: true))
        #expect(Expected(.rejectChain, "expired").holds(for: verdict(evaluator, Lab.shown([Lab.expired, Lab.i]))))
    }

    @Test func `vector 8: with both validations off nothing but the pin counts`() {
        let presentation = Lab.shown([Lab.s], hostMatches: false, code: .selfSigned)
        #expect(verdict(keys(Lab.key(Lab.s), off: true), presentation).kind == .accept)
        #expect(verdict(keys(Lab.key(Lab.l), off: true), presentation).code == "no_pin_matched")
        #expect(verdict(keys(Lab.key(Lab.s)), presentation).kind == .rejectChain)
    }

    @Test func `vector 10: with self-signed accepted the pinned certificates are the only anchors`() {
        #expect(Expected(.rejectChain, "no_path").holds(for: verdict(certificates(Lab.file(Lab.x), only: true))))
        for member in [Lab.l, Lab.i, Lab.r] {
            #expect(verdict(certificates(Lab.file(member), only: true)).kind == .accept)
        }
        let selfSigned = Lab.shown([Lab.s], code: .selfSigned)
        #expect(verdict(certificates(Lab.file(Lab.s), only: true), selfSigned).kind == .accept)
        #expect(verdict(certificates(Lab.file(Lab.s)), selfSigned).kind == .rejectChain)
    }

    @Test func `vector 11: a composite's children must all pass`() {
        let (good, bad) = (keys(Lab.key(Lab.l)), keys(Lab.key(Lab.x)))
        #expect(verdict(.composite([good, bad])).code == "no_pin_matched")
        #expect(verdict(.composite([good, .composite([.standard(.init()), good])])).code == "pin_matched")
        #expect(verdict(.composite([.standard(.init()), .disabled])).code == "no_pins_compared")
        #expect(verdict(.composite([])).code == "no_pins_compared")
    }

    @Test func `vector 12: disabled lets everything through`() {
        let presentation = Lab.shown([Lab.s.with(ends: -1)], hostMatches: false, code: .selfSigned)
        #expect(Expected(.accept, "no_pins_compared").holds(for: verdict(.disabled, presentation)))
    }

    @Test func `a composite is judged path by path: no path that fails one child is saved by another`() {
        let two = Lab.shown(roots: [Lab.r, Lab.r.with(fingerprint: 33)])
        let first = certificates(Lab.file(Lab.r)), second = certificates(Lab.file(Lab.r.with(fingerprint: 33)))
        #expect(verdict(first, two).kind == .dependsOnPath)
        let both = verdict(.composite([first, second]), two)
        #expect(both.kind == .rejectPin && both.paths.map(\.kind) == [.rejectPin, .rejectPin])
        let one = verdict(.composite([first, keys(Lab.key(Lab.l))]), two)
        #expect(one.kind == .dependsOnPath && one.paths.map(\.kind) == [.accept, .rejectPin])
    }

    @Test(
        "default and revocation compare no pin, and validate as they are told",
        arguments: [
            (Evaluator.standard(.init()), Expected(.rejectChain, "host_mismatch")),
            (.standard(.init(isDefault: true, coversHost: false)), Expected(.accept, "no_pins_compared")),
            (.revocation(.init()), Expected(.rejectChain, "host_mismatch")),
            (.revocation(.init(isDefault: false, coversHost: false)), Expected(.accept, "no_pins_compared")),
        ])
    func unpinned(_ evaluator: AlamofireEvaluator, _ expected: Expected) {
        #expect(expected.holds(for: verdict(evaluator, Lab.shown(hostMatches: false))))
        #expect(verdict(evaluator, Lab.shown([Lab.s], code: .selfSigned)).kind == .rejectChain)
    }

    @Test func `a PEM file in the bundle is dropped; alone it leaves an empty list`() {
        let pem = Lab.file(Lab.l, isDER: false)
        let alone = verdict(certificates(pem))
        #expect(alone.code == "empty" && alone.notes.first?.contains("is PEM") == true)
        #expect(verdict(certificates(pem, Lab.file(Lab.i))).matched?.position == "intermediate")
        #expect(verdict(keys(pem, Lab.key(Lab.x))).code == "no_pin_matched")
    }

    @Test func `keys that SecTrust does not extract match nothing, on either side`() {
        let ed = Lab.i.with(family: .ed25519)
        let presentation = Lab.shown([Lab.l, ed])
        #expect(verdict(keys(Lab.key(ed), Lab.key(Lab.x)), presentation).code == "no_pin_matched")
        #expect(verdict(keys(Lab.file(ed)), presentation).code == "empty")
    }

    @Test(arguments: [true, false])
    func `a certificate that is neither sent nor on a path is at hand if the pin file holds it whole`(held: Bool) {
        let evaluator = certificates(.certificate(Lab.r.fingerprint), only: true)
        let policy = AlamofirePolicy(
            entries: [.init(host: "api.example.com", evaluator: evaluator)], allHostsMustBeEvaluated: true)
        let definition = PinSetDefinition(
            identity: PinSetIdentity(app: "a", release: "1", variant: .release, stack: "default"), share: nil,
            platform: nil, trustStore: nil, layers: [PinLayer(client: .alamofire, clientVersion: nil, policy: policy)],
            certificates: held ? [Lab.x, Lab.r] : [Lab.x], source: "", origin: "", managedBy: .api)
        let verdict = ReleaseVerdict.judge(definition, presentation: Lab.shown(roots: [])).deciding
        #expect(verdict.kind == (held ? .accept : .unknown), "\(verdict)")
    }

    @Test func `a fingerprint serves as an anchor or a key only while its certificate is at hand`() {
        let known = Pin.certificate(Lab.r.fingerprint), missing = Pin.certificate(Lab.digest(1, 77))
        #expect(verdict(certificates(known, only: true)).kind == .accept)
        let unknown = Expected(.unknown, "certificate_not_at_hand")
        #expect(unknown.holds(for: verdict(certificates(missing, only: true))))
        #expect(unknown.holds(for: verdict(keys(missing))))
        #expect(verdict(keys(missing, known)).kind == .accept)
        #expect(Expected(.rejectPin, "no_pin_matched").holds(for: verdict(certificates(missing))))
        let late = Lab.shown([Lab.expired, Lab.i])
        #expect(Expected(.rejectChain, "expired").holds(for: verdict(certificates(missing, only: true), late)))
    }

    @Test func `a private root that is not sent anchors by its name, and a note says that nobody saw the signature`() {
        let own = Lab.member(8, "CN=R", by: "CN=R")
        let unverified = Lab.shown(roots: [])
        let inferred = verdict(certificates(Lab.file(own), only: true), unverified)
        #expect(inferred.kind == .accept && inferred.notes.contains(PinnedAnchors.inference))
        let sent = verdict(certificates(Lab.file(Lab.i), only: true), unverified)
        #expect(sent.kind == .accept && sent.notes.contains(PinnedAnchors.inference))
        #expect(!verdict(certificates(Lab.file(Lab.l), only: true), unverified).notes.contains(PinnedAnchors.inference))
        // On a verified path the issuer's key is known, so a name alone does not pass.
        #expect(verdict(certificates(Lab.file(own), only: true)).code == "no_path")
        let reissued = Lab.r.with(fingerprint: 34)
        #expect(verdict(certificates(Lab.file(reissued), only: true)).matched?.position == "anchor")
        let forged = Lab.shown(roots: [], code: .badSignature)
        #expect(verdict(certificates(Lab.file(own), only: true), forged).code == "no_path")
    }

    @Test func `a hash of a key is no certificate, and a note names what it is`() {
        let verdict = verdict(certificates(Lab.key(Lab.l)))
        #expect(verdict.kind == .rejectPin && verdict.notes.contains { $0.contains("compares whole certificates") })
    }

    @Test func `anchors that one child sets are there for those after it`() {
        let selfSigned = Lab.shown([Lab.s], code: .selfSigned)
        let setting = certificates(Lab.file(Lab.s), only: true)
        #expect(verdict(.composite([setting, .standard(.init())]), selfSigned).code == "pin_matched")
        #expect(verdict(.composite([.composite([setting]), .revocation(.init())]), selfSigned).code == "pin_matched")
        #expect(verdict(.composite([.standard(.init()), setting]), selfSigned).kind == .rejectChain)
        let elsewhere = certificates(Lab.file(Lab.x), only: true, off: true)
        #expect(verdict(.composite([elsewhere, .standard(.init())])).kind == .rejectPin)
    }
}
