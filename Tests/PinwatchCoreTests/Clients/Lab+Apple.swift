import Testing

@testable import PinwatchCore

/// The cast of pin-semantics section 10. Keys 1, 2 and 3 are those of L, I and R; names chain as theirs do.
extension Lab {
    static let l = member(1, "CN=api.example.com", by: "CN=I")
    static let i = member(2, "CN=I", by: "CN=R")
    static let r = member(3, "CN=R", by: "CN=R")
    /// A renewal of L with the same key.
    static let renewed = l.with(fingerprint: 11)
    static let expired = l.with(ends: -1)
    /// Self-signed.
    static let s = member(5, "CN=api.example.com", by: "CN=api.example.com")
    /// A root of nothing that is served.
    static let x = member(9, "CN=X", by: "CN=X")

    static func member(_ number: UInt8, _ subject: String, by issuer: String) -> CertificateSummary {
        var member = certificate(number)
        member.subject = subject
        member.subjectDER = Array(subject.utf8)
        member.issuer = issuer
        member.issuerDER = Array(issuer.utf8)
        member.family = .rsa
        member.key = PublicKeySummary(type: "RSA", bits: 2048, curve: nil)
        member.dnsNames = ["api.example.com"]
        return member
    }

    /// What a device makes of a chain: as the path builder would tell it, for these few certificates.
    static func shown(
        _ sent: [CertificateSummary] = [l, i], roots: [CertificateSummary] = [r], source: AnchorSource = .system,
        host: String = "api.example.com", hostMatches: Bool = true, now: Instant = now,
        release: ReleaseFacts = ReleaseFacts(), code: VerificationCode = .missingIssuer
    ) -> Presentation {
        let paths = roots.filter { $0.subjectDER == sent.last?.issuerDER && sent.last?.fingerprint != $0.fingerprint }
            .map { Path(certificates: sent, anchor: $0, source: source) }
        let assessment = ChainAssessment(
            chain: ChainID(digest: digest(0, 0)), trustStore: "system", certificates: sent, paths: paths,
            code: paths.isEmpty ? code : .ok, reason: "reason", stray: [], missingIssuer: nil)
        let late = paths.contains { $0.members.contains { $0.notAfter.map { now > $0 } ?? false } }
        let verification = Verification(
            trustStore: "system", valid: !paths.isEmpty && !late, code: paths.isEmpty ? code : late ? .expired : .ok,
            reason: "reason", hostMatches: hostMatches, paths: paths, stray: [], missingIssuer: nil)
        return Presentation(
            host: host, assessment: assessment, verification: verification, now: now, release: release)
    }

    static func ios(_ version: String?) -> ReleaseFacts {
        ReleaseFacts(platform: Platform(system: .ios, version: version.flatMap { VersionNumber($0) }))
    }

    /// A bundled file.
    static func file(_ certificate: CertificateSummary, isDER: Bool = true) -> Pin {
        .file(path: "\(certificate.fingerprint.hex.prefix(4)).cer", .certificate(certificate, isDER: isDER))
    }

    static func key(_ certificate: CertificateSummary) -> Pin {
        certificate.spki.map { .spki(text: $0.base64) } ?? .spki(text: "")
    }

    /// Suffixes by their length, the longest first: what stands here and nothing else.
    struct Suffixes: PublicSuffixes {
        var list = ["com", "net", "gay", "co.uk", "github.io", "io", "jp", "example.net"]
        func suffixLength(of host: String) -> Int? {
            list.filter { host == $0 || host.hasSuffix("." + $0) }.map(\.utf8.count).max()
        }
    }

    /// Files named `pem…` are PEM, `key…` are keys, all others are DER certificates of the key that their digit names.
    static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in
            guard path.hasSuffix(".cer") else { throw HostProblem("it cannot be read") }
            return Array(path.utf8)
        },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in
            guard let number = bytes.first(where: { (0x30...0x39).contains($0) }) else {
                throw HostProblem("no certificate")
            }
            let certificate = Lab.certificate(number - 0x30)
            if bytes.starts(with: Array("key".utf8)), let spki = certificate.spki { return .publicKey(spki: spki) }
            return .certificate(certificate, isDER: !bytes.starts(with: Array("pem".utf8)))
        },
        readXML: { (_: String) throws(HostProblem) -> XMLElement in throw HostProblem("no XML here") },
        publicSuffixes: Suffixes(), idna: Names())

    private struct Names: IDNA {
        func ascii(_ name: String) throws(HostProblem) -> String { name }
        func unicode(_ name: HostName) -> String { name.ascii }
    }

    /// A policy from JSON text, every mark at 1:1.
    static func policy<Policy: PinPolicy>(_ type: Policy.Type, _ text: String) throws -> (Policy?, [String]) {
        var reader = NodeReader(file: "p", resources: resources)
        let policy = Policy(from: node(try JSON(parsing: Array(text.utf8))), reader: &reader)
        return (policy, reader.problems.map(\.message))
    }

    /// The same, for texts that hold one.
    static func good<Policy: PinPolicy>(_ type: Policy.Type, _ text: String) throws -> Policy {
        let (policy, problems) = try policy(type, text)
        #expect(problems.isEmpty)
        return try #require(policy)
    }

    private static func node(_ json: JSON) -> Node {
        let mark = Mark(line: 1, column: 1)
        let value: Node.Value =
            switch json {
            case .null: .scalar("", plain: true)
            case .bool(let flag): .scalar(flag ? "true" : "false", plain: true)
            case .integer(let number): .scalar("\(number)", plain: true)
            case .number(let number): .scalar("\(number)", plain: true)
            case .string(let text): .scalar(text, plain: false)
            case .array(let items): .sequence(items.map(node))
            case .object(let members):
                .mapping(members.map { Node.Member(key: $0.0, keyMark: mark, value: node($0.1)) })
            }
        return Node(value: value, mark: mark)
    }
}

extension CertificateSummary {
    func with(
        fingerprint: UInt8? = nil, ends: Int64? = nil, key: PublicKeySummary? = nil, family: KeyFamily? = nil,
        issued: Int64? = nil, scts: Int? = nil, weak: [String]? = nil, subject: String? = nil
    ) -> CertificateSummary {
        var certificate = self
        if let fingerprint { certificate.fingerprint = Lab.digest(1, fingerprint) }
        if let ends { certificate.notAfter = Lab.now + ends }
        if let issued { certificate.notBefore = Instant(unixSeconds: issued) }
        certificate.key = key ?? certificate.key
        certificate.family = family ?? certificate.family
        certificate.scts = scts ?? certificate.scts
        certificate.weak = weak ?? certificate.weak
        certificate.subject = subject ?? certificate.subject
        return certificate
    }
}

/// What a case of a table must come to.
struct Expected: Sendable {
    let kind: VerdictKind
    var by: UnpinnedBy?
    let code: String

    init(_ kind: VerdictKind, _ code: String, by: UnpinnedBy? = nil) {
        self.kind = kind
        self.by = by
        self.code = code
    }

    func holds(for verdict: Verdict) -> Bool { verdict.kind == kind && verdict.by == by && verdict.code == code }
}
