import PinwatchCore
import Testing

/// Judgement over finished paths: dates, names, and the JSON of both.
struct VerificationTests {
    private let now = Instant(unixSeconds: 1_000_000)
    private let host = ReferenceIdentity.dns(HostName(checked: "a.test"))

    private func summary(_ number: UInt8, _ start: Int64?, _ end: Int64?) throws -> CertificateSummary {
        let digest = try #require(SHA256Digest([UInt8](repeating: number, count: 32)))
        var summary = CertificateSummary(fingerprint: digest)
        summary.spki = digest
        summary.subject = "CN=c\(number)"
        summary.notBefore = start.map { Instant(unixSeconds: $0) }
        summary.notAfter = end.map { Instant(unixSeconds: $0) }
        summary.dnsNames = ["a.test"]
        return summary
    }

    private func assessment(
        _ paths: [Path], code: VerificationCode = .ok, missing: MissingIssuer? = nil
    ) throws -> ChainAssessment {
        let leaf = try paths.first?.certificates.first ?? summary(1, 0, 9)
        return ChainAssessment(
            chain: ChainID(digest: leaf.fingerprint), trustStore: "system", certificates: [leaf], paths: paths,
            code: code, reason: "as built", stray: [], missingIssuer: missing)
    }

    @Test(
        arguments: [
            (0, 999_999, 0, 2_000_000, 0, 2_000_000, VerificationCode.expired, "leaf \"CN=c1\""),
            (1_000_001, 2_000_000, 0, 2_000_000, 0, 2_000_000, .notYetValid, "leaf \"CN=c1\""),
            (0, 2_000_000, 0, 999_999, 0, 2_000_000, .expired, "intermediate \"CN=c2\""),
            (0, 2_000_000, 0, 2_000_000, 0, 999_999, .expired, "trust anchor \"CN=c3\""),
            (0, 2_000_000, 0, 2_000_000, nil, 2_000_000, .unreadable, "trust anchor \"CN=c3\""),
            (1_000_000, 1_000_000, 0, 1_000_000, 1_000_000, 2_000_000, .ok, "as built"),
        ] as [(Int64?, Int64?, Int64?, Int64?, Int64?, Int64?, VerificationCode, String)])
    func `the first certificate outside its dates is named, from the leaf to the anchor`(
        leafStart: Int64?, leafEnd: Int64?, middleStart: Int64?, middleEnd: Int64?, rootStart: Int64?, rootEnd: Int64?,
        code: VerificationCode, words: String
    ) throws {
        let path = Path(
            certificates: [try summary(1, leafStart, leafEnd), try summary(2, middleStart, middleEnd)],
            anchor: try summary(3, rootStart, rootEnd))
        let judged = try assessment([path]).verification(at: now, for: host)
        #expect(judged.code == code)
        #expect(judged.valid == (code == .ok))
        #expect(judged.reason.contains(words))
        #expect(judged.hostMatches)
        #expect(judged.paths == [path])
        #expect((path.validity?.contains(now) == true) == (code == .ok))
    }

    @Test func `one path within its dates is enough, and comes first`() throws {
        let leaf = try summary(1, 0, 2_000_000)
        let old = Path(certificates: [leaf, try summary(2, 0, 5)], anchor: try summary(3, 0, 2_000_000))
        let good = Path(certificates: [leaf, try summary(4, 0, 2_000_000)], anchor: try summary(3, 0, 2_000_000))
        let judged = try assessment([old, good]).verification(at: now, for: host)
        #expect(judged.valid)
        #expect(judged.paths == [good, old])
    }

    @Test func `a chain without a path keeps its code whatever the time, apart from the name`() throws {
        let failed = try assessment([], code: .untrustedRoot)
        let judged = failed.verification(at: now, for: .dns(HostName(checked: "b.test")))
        #expect(judged.code == .untrustedRoot)
        #expect(!judged.valid)
        #expect(!judged.hostMatches)
    }

    @Test func `the verification's JSON is the contract's`() throws {
        let path = Path(certificates: [try summary(1, 0, 2_000_000)], anchor: try summary(3, 0, 2_000_000))
        let (one, three) = (String(repeating: "01", count: 32), String(repeating: "03", count: 32))
        #expect(
            ChainAssessment.json(of: try assessment([path]), at: now, for: host).text
                == #"{"trust_store":"system","valid":true,"code":"ok","reason":"as built","host_matches":true,"#
                + #""paths":[{"certificates":["\#(one)"],"anchor":{"subject":"CN=c3","sha256":"\#(three)"}}],"#
                + #""stray":[],"missing_issuer":null}"#)
        let missing = MissingIssuer(subject: nil, aiaURLs: ["http://i.test"])
        let failed = try assessment([], code: .missingIssuer, missing: missing)
        #expect(
            failed.verification(at: now, for: host).json.text.hasSuffix(
                #""missing_issuer":{"subject":null,"aia_urls":["http://i.test"],"known":[]}}"#))
        #expect(ChainAssessment.json(of: nil, at: now, for: host) == .null)
    }

    @Test func `the certificate's JSON has every member, null where it is unknown`() throws {
        var certificate = CertificateSummary(fingerprint: try summary(1, 0, 9).fingerprint)
        certificate.unreadable = [.init(field: "serial", why: "gone")]
        let hex = String(repeating: "01", count: 32)
        let pem = "-----BEGIN CERTIFICATE-----\\n" + String(repeating: "AAAA", count: 16) + "\\nAAAA\\n"
        #expect(
            certificate.json(der: [UInt8](repeating: 0, count: 51)).text
                == #"{"sha256":"\#(hex)","spki":null,"subject":null,"issuer":null,"serial":null,"not_before":null,"#
                + #""not_after":null,"lifetime_s":null,"names":null,"key":null,"signature":null,"is_ca":null,"#
                + #""self_signed":null,"scts":null,"ocsp_urls":null,"aia_urls":null,"#
                + #""unreadable":[{"field":"serial","why":"gone"}],"pem":"\#(pem)-----END CERTIFICATE-----\n"}"#)
        certificate.spki = certificate.fingerprint
        certificate.notBefore = Instant(unixSeconds: 0)
        certificate.notAfter = Instant(unixSeconds: 86_400)
        certificate.dnsNames = ["a.test"]
        certificate.ipAddresses = [try #require(IPAddress("::1"))]
        certificate.key = PublicKeySummary(type: "EC", bits: 256, curve: "P-256")
        let text = certificate.json(der: []).text
        #expect(text.contains(#""spki":"sha256/AQEB"#))
        #expect(text.contains(#""not_after":"1970-01-02T00:00:00Z","lifetime_s":86400"#))
        #expect(
            text.contains(#""names":{"dns":["a.test"],"ip":["::1"]},"key":{"type":"EC","bits":256,"curve":"P-256"}"#))
    }
}
