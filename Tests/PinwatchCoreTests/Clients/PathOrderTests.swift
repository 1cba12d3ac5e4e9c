import Testing

@testable import PinwatchCore

@Suite struct PathOrderTests {
    private func anchor(
        _ number: UInt8, by issuer: UInt8, key: (String, Int) = ("RSA", 2048),
        signature: String = "sha256WithRSAEncryption",
        ends: Int64 = 1_000, begins: Int64 = -1_000
    ) -> CertificateSummary {
        var certificate = Lab.issued(number, by: issuer, ends: ends)
        certificate.notBefore = Lab.now + begins
        certificate.key = PublicKeySummary(type: key.0, bits: key.1, curve: nil)
        certificate.signature = signature
        return certificate
    }

    private func path(_ members: [CertificateSummary], anchored: [CertificateSummary]? = nil) -> Path {
        Path(
            certificates: Array(members.dropLast()), anchor: members[members.count - 1],
            anchored: anchored.map { Set($0.map(\.fingerprint)) })
    }

    private func order(_ paths: [Path], sent: [CertificateSummary]) -> [[String]] {
        ConscryptOrder.sorted(paths, sent: sent).map { $0.members.compactMap(\.subject) }
    }

    @Test func `of anchors that issued the same, each rule decides where those before it do not`() {
        let ranked = [
            anchor(10, by: 10, key: ("EC", 256)),
            anchor(11, by: 11, key: ("RSA", 4096), signature: "sha1WithRSAEncryption"),
            anchor(12, by: 12, signature: "sha384WithRSAEncryption", ends: 10), anchor(13, by: 13, ends: 2_000),
            anchor(14, by: 14, begins: -500), anchor(15, by: 15), anchor(16, by: 99, key: ("EC", 521)),
        ]
        let paths = ranked.map { path([Lab.leaf, Lab.intermediate, $0]) }
        for rotation in 0..<paths.count {
            let mixed = Array(paths[rotation...] + paths[..<rotation]).reversed()
            #expect(ConscryptOrder.sorted(Array(mixed), sent: [Lab.leaf, Lab.intermediate]) == paths)
        }
    }

    @Test func `anchors go before what was sent, and sent certificates go in their order`() {
        let (direct, cross) = (anchor(2, by: 2), Lab.issued(20, by: 21))
        let (other, far) = (Lab.issued(22, by: 21), anchor(21, by: 21))
        let sent = [Lab.leaf, other, cross]
        let paths = [path([Lab.leaf, cross, far]), path([Lab.leaf, other, far]), path([Lab.leaf, direct])]
        #expect(
            order(paths, sent: sent) == [["CN=1", "CN=2"], ["CN=1", "CN=22", "CN=21"], ["CN=1", "CN=20", "CN=21"]])
    }

    @Test func `above an anchor that is not self-issued the walk goes on among anchors, and ends at a self-issued one`()
    {
        let (middle, top) = (anchor(2, by: 3), anchor(3, by: 3))
        let short = path([Lab.leaf, middle])
        let long = path([Lab.leaf, middle, top], anchored: [middle, top])
        #expect(order([short, long], sent: [Lab.leaf]) == [["CN=1", "CN=2", "CN=3"], ["CN=1", "CN=2"]])
        let beyond = path([Lab.leaf, top, anchor(4, by: 4)], anchored: [top, anchor(4, by: 4)])
        #expect(order([beyond], sent: [Lab.leaf]) == [["CN=1", "CN=3"]])
        let unanchored = path(
            [Lab.leaf, middle, Lab.issued(5, by: 6), anchor(6, by: 6)], anchored: [middle, anchor(6, by: 6)])
        #expect(order([unanchored, short], sent: [Lab.leaf]) == [["CN=1", "CN=2"]])
    }

    @Test func `a path that is cut short has the source of the same path that is whole`() {
        let (middle, top) = (anchor(2, by: 3), anchor(6, by: 6))
        let long = path([Lab.leaf, middle, Lab.issued(3, by: 6), top], anchored: [middle, top])
        let short = Path(certificates: [Lab.leaf], anchor: middle, source: .user)
        #expect(ConscryptOrder.sorted([long, short], sent: [Lab.leaf]) == [short])
    }

    @Test func `a leaf with an anchor's name and key gives way to that anchor`() {
        var (leaf, copy) = (Lab.issued(1, by: 2, ends: -1), Lab.issued(30, by: 2, ends: -1))
        copy.subjectDER = leaf.subjectDER
        copy.spki = leaf.spki
        leaf.subject = "CN=leaf"
        let same = path([leaf, copy])
        #expect(order([same], sent: [leaf]) == [["CN=30"]])
        guard
            case .validated(let paths) = ConscryptOrder.walk(
                Lab.served(sent: [leaf], paths: [same]), trusting: { _ in true })
        else {
            Issue.record("an anchor is not validated")
            return
        }
        #expect(paths.first?.members == [copy])
    }

    @Test func `the first path that validates is taken, and dates above the first anchor do not count`() {
        let (ended, sound) = (Lab.issued(2, by: 3, ends: -5), Lab.issued(20, by: 3))
        let old = anchor(3, by: 3, ends: -5)
        let shown = Lab.served(
            sent: [Lab.leaf, ended, sound], paths: [path([Lab.leaf, ended, old]), path([Lab.leaf, sound, old])])
        guard case .validated(let paths) = ConscryptOrder.walk(shown, trusting: { _ in true }) else {
            Issue.record("one path validates")
            return
        }
        #expect(paths.map { $0.members[1] } == [sound])
        let none = Lab.served(sent: [Lab.leaf, ended], paths: [path([Lab.leaf, ended, old])])
        guard case .rejected(let verdict) = ConscryptOrder.walk(none, trusting: { _ in true }) else {
            Issue.record("no path validates")
            return
        }
        #expect(verdict.code == "expired" && verdict.reason.contains("The intermediate \"CN=2\" expired at"))
    }

    @Test func `what begins later or has no dates does not validate`() {
        var (later, unknown) = (Lab.issued(1, by: 2), Lab.issued(1, by: 2))
        later.notBefore = Lab.now + 1
        unknown.notAfter = nil
        #expect(path([later, Lab.root]).untrustedRejection(at: Lab.now)?.code == "not_yet_valid")
        #expect(path([later, Lab.root]).untrustedRejection(at: Lab.now + 1) == nil)
        #expect(path([unknown, Lab.root]).untrustedRejection(at: Lab.now)?.code == "unreadable")
    }

    @Test func `OkHttp's cleaner asks the trust index first, then what was sent, up to a self-signed anchor`() {
        let (direct, cross, far) = (anchor(2, by: 2), Lab.issued(20, by: 21), anchor(21, by: 21))
        let paths = [path([Lab.leaf, cross, far]), path([Lab.leaf, direct])]
        #expect(OkHttpOrder.cleaned(paths, sent: [Lab.leaf, cross]) == [paths[1]])
        #expect(OkHttpOrder.cleaned([paths[0]], sent: [Lab.leaf, cross]) == [paths[0]])
        let (middle, top) = (anchor(2, by: 3), anchor(3, by: 3))
        let long = path([Lab.leaf, middle, top], anchored: [middle, top])
        #expect(OkHttpOrder.cleaned([path([Lab.leaf, middle]), long], sent: [Lab.leaf]) == [long])
        let twins = [path([Lab.leaf, anchor(40, by: 40)]), path([Lab.leaf, anchor(41, by: 41)])]
        #expect(OkHttpOrder.cleaned(twins, sent: [Lab.leaf]) == twins)
        let second = path([Lab.leaf, Lab.issued(22, by: 21), far])
        #expect(
            OkHttpOrder.cleaned([second, paths[0]], sent: [Lab.leaf, cross, Lab.issued(22, by: 21)]) == [paths[0]])
    }

    @Test(
        "OkHttp gives up above nine signers",
        arguments: [(9, true, true), (9, false, false), (10, true, false), (8, false, true)])
    func signers(_ count: Int, _ selfSigned: Bool, _ isShort: Bool) {
        let above = (0..<count).map { Lab.issued(UInt8(50 + $0), by: UInt8(51 + $0)) }
        var last = above[count - 1]
        last.selfSigned = selfSigned
        #expect(OkHttpOrder.isShortEnough(path([Lab.leaf] + above.dropLast() + [last])) == isShort)
    }
}
