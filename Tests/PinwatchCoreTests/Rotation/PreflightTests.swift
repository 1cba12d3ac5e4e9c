import Testing

@testable import PinwatchCore

@Suite("Before a rotation") struct PreflightTests {
    private let host = PreflightLab.host

    @Test func `a key that is pinned for the leaf is accepted whoever issues its certificate`() throws {
        let verdict = try #require(try PreflightLab.verdict(PreflightLab.key(1), PreflightLab.generic([1, 7])))
        #expect(verdict.kind == .accept && verdict.matched?.position == "leaf" && verdict.paths.isEmpty)
        #expect(verdict.matched?.json.text.contains(#""sha256":null"#) == true)
    }

    @Test(arguments: [
        (PublicKeySummary(type: "RSA", bits: 1_024, curve: nil), KeyFamily.rsa, VerdictKind.rejectChain),
        (PublicKeySummary(type: "RSA", bits: 2_048, curve: nil), .rsa, .accept),
        (PublicKeySummary(type: "EC", bits: 192, curve: "P-192"), .ecdsa, .rejectChain),
        (PublicKeySummary(type: "Ed25519", bits: 256, curve: nil), .ed25519, .accept),
    ])
    func `a key that is too weak is refused though it is pinned`(
        key: PublicKeySummary, family: KeyFamily, kind: VerdictKind
    ) throws {
        let candidate = PreflightLab.key(1, is: key, family: family)
        #expect(try PreflightLab.verdict(candidate, PreflightLab.generic([1, 7]))?.kind == kind)
    }

    @Test func `a key that no pin names depends on the issuer where one of the pins may be an issuer's`() throws {
        let verdict = try #require(try PreflightLab.verdict(PreflightLab.key(5), PreflightLab.generic([1, 7])))
        #expect(verdict.kind == .unknown && verdict.code == "depends_on_issuer")
        #expect(verdict.reason.contains("accept if by the authority that \(Lab.pin(1).text) stands for"))
        #expect(verdict.reason.contains("reject_pin if by an authority that no pin matches"))
    }

    @Test func `a client that looks at the leaf alone rejects a foreign key for certain`() throws {
        let curl = CurlPolicy(.list("sha256//" + Lab.digest(2, 1).base64))
        #expect(try PreflightLab.verdict(PreflightLab.key(5), curl)?.kind == .rejectPin)
        #expect(try PreflightLab.verdict(PreflightLab.key(1), curl)?.kind == .accept)
        let leaf = PreflightLab.generic([1], match: .leaf)
        #expect(try PreflightLab.verdict(PreflightLab.key(5), leaf)?.kind == .rejectPin)
    }

    @Test func `with what is served today the issuers are today's, and that is said`() throws {
        let knowledge = PreflightLab.knowledge(serves: true)
        for (pin, kind) in [(UInt8(2), VerdictKind.accept), (3, .accept), (1, .rejectPin), (9, .rejectPin)] {
            let preflight = try Preflight.run(
                PreflightLab.question(PreflightLab.key(5)), of: [PreflightLab.release([PreflightLab.generic([pin])])],
                knowing: knowledge)
            #expect(preflight.rows.map(\.verdict.deciding.kind) == [kind])
            #expect(preflight.rows.map(\.now) == [pin == 9 ? .rejectPin : .accept])
            #expect(preflight.assumed.count == 1 && preflight.assumed[0].contains("the issuer that \(host) has now"))
            #expect(preflight.assumed[0].contains("CN=2"))
        }
    }

    @Test func `a certificate that is still to be issued equals no pinned one`() throws {
        var file = Lab.certificate(1)
        file.isCA = false
        let pinned = AlamofirePolicy(entries: [
            .init(
                host: host,
                evaluator: .certificates(
                    BundledPins([.file(path: "leaf.cer", .certificate(file, isDER: true))], as: .certificates),
                    .init(), acceptsSelfSigned: false))
        ])
        #expect(try PreflightLab.verdict(PreflightLab.key(1), pinned)?.kind == .rejectPin)
        // A fingerprint may be an authority's.
        let fingerprint = AlamofirePolicy(entries: [
            .init(
                host: host,
                evaluator: .certificates(
                    BundledPins([.certificate(Lab.digest(1, 1))], as: .certificates), .init(),
                    acceptsSelfSigned: false))
        ])
        #expect(try PreflightLab.verdict(PreflightLab.key(1), fingerprint)?.code == "depends_on_issuer")
        let wultra = WultraIOSPolicy(
            entries: [.init(name: host, fingerprint: Lab.digest(1, 1).base64, expires: Lab.now + 9)], onEmpty: nil)
        let verdict = try #require(try PreflightLab.verdict(PreflightLab.key(1), wultra))
        #expect(verdict.kind == .rejectPin && verdict.reason.contains("not known before it is issued"))
    }

    @Test func `made-up values offend no platform's rules, and hosts without pins stay unpinned by design`() throws {
        let apple = ApplePinnedDomainsPolicy(entries: [
            .init(domain: host, includesSubdomains: .boolean(false), leaves: [Lab.pin(1)], authorities: nil)
        ])
        let verdict = try #require(try PreflightLab.verdict(PreflightLab.key(1), apple))
        #expect(verdict.kind == .accept && !verdict.notes.contains { $0.contains("timestamps") })
        let elsewhere = GenericPolicy(entries: [Lab.entry("other.test", [Lab.pin(1)])])
        let unpinned = try #require(try PreflightLab.verdict(PreflightLab.key(1), elsewhere))
        #expect(unpinned.kind == .unpinned && unpinned.by == .design)
    }

    @Test func `all layers must accept under the same issuer`() throws {
        let (one, two) = (PreflightLab.generic([7]), PreflightLab.generic([8]))
        let verdict = try #require(try PreflightLab.verdict(PreflightLab.key(5), one, two))
        #expect(
            verdict.kind == .unknown && verdict.reason.contains("accept if by authorities that pins of every layer"))
    }

    @Test func `a chain is judged as it would be served`() throws {
        let chain = PreflightLab.chain(1, 2)
        #expect(try PreflightLab.verdict(chain, PreflightLab.generic([2]))?.kind == .accept)
        #expect(try PreflightLab.verdict(chain, PreflightLab.generic([9]))?.kind == .rejectPin)
        let broken = PreflightLab.knowledge(code: .untrustedRoot)
        #expect(try PreflightLab.verdict(chain, PreflightLab.generic([2]), knowing: broken)?.kind == .rejectChain)
    }

    @Test func `a single certificate is put under the issuer that is at hand, else under any`() throws {
        let pinned = PreflightLab.generic([2])
        let known = PreflightLab.knowledge(issuers: [2])
        #expect(try PreflightLab.verdict(PreflightLab.chain(1), pinned, knowing: known)?.kind == .accept)
        #expect(try PreflightLab.verdict(PreflightLab.chain(1), pinned)?.code == "depends_on_issuer")
        #expect(try PreflightLab.verdict(PreflightLab.chain(1), PreflightLab.generic([1]))?.kind == .accept)
        let whole = try Preflight.run(
            PreflightLab.question(PreflightLab.chain(1), isWhole: true), of: [PreflightLab.release([pinned])],
            knowing: known)
        #expect(whole.rows.map(\.verdict.deciding.kind) == [.rejectChain] && whole.go == false)
    }

    @Test func `a known certificate's own dates and names count`() throws {
        let late = try Preflight.run(
            PreflightLab.question(PreflightLab.chain(1), now: Lab.now + 20_000),
            of: [PreflightLab.release([PreflightLab.generic([1])])], knowing: PreflightLab.knowledge())
        #expect(late.rows.map(\.verdict.deciding.code) == ["expired"])
    }

    @Test func `a trust store that is not known leaves the release unknown`() throws {
        let definition = PreflightLab.release([PreflightLab.generic([1])]).definition
        let other = PinSetDefinition(
            identity: definition.identity, share: nil, platform: nil, trustStore: "corp", layers: definition.layers,
            source: "", origin: "", managedBy: .config)
        let preflight = try Preflight.run(
            PreflightLab.question(PreflightLab.chain(1, 2)), of: [PreflightRelease(definition: other)],
            knowing: PreflightLab.knowledge())
        #expect(preflight.rows.map(\.verdict.deciding.code) == ["not_assessed"] && preflight.go == nil)
    }
}
