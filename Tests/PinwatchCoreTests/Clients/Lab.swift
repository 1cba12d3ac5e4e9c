@testable import PinwatchCore

/// Certificates and presentations for policies, without bytes: a number stands for a key.
enum Lab {
    static let now = Instant(unixSeconds: 1_796_000_000)

    static func digest(_ kind: UInt8, _ number: UInt8) -> SHA256Digest {
        guard let digest = SHA256Digest([kind, number] + [UInt8](repeating: 9, count: 30)) else {
            preconditionFailure("32 bytes make a digest")
        }
        return digest
    }

    static func certificate(_ number: UInt8, ends: Int64 = 1_000) -> CertificateSummary {
        var certificate = CertificateSummary(fingerprint: digest(1, number))
        certificate.spki = digest(2, number)
        certificate.rawKeySHA256 = digest(3, number)
        certificate.spkiSHA1 = [UInt8](repeating: number, count: 20)
        certificate.subject = "CN=\(number)"
        certificate.notBefore = now - 1_000
        certificate.notAfter = now + ends
        return certificate
    }

    /// The leaf 1 and the intermediate 2, with a path to each anchor; stray certificates may be sent too.
    static func presentation(
        host: String = "api.example.com", anchors: [UInt8] = [3], stray: [UInt8] = [], code: VerificationCode = .ok,
        hostMatches: Bool = true, now: Instant = now
    ) -> Presentation {
        let sent = [certificate(1), certificate(2)]
        let paths = anchors.map { Path(certificates: sent, anchor: certificate($0)) }
        let strays = stray.map { certificate($0) }
        let assessment = ChainAssessment(
            chain: ChainID(digest: digest(0, 0)), trustStore: "system", certificates: sent + strays, paths: paths,
            code: code, reason: "reason", stray: strays.map(\.fingerprint), missingIssuer: nil)
        let verification = Verification(
            trustStore: "system", valid: code == .ok, code: code, reason: "reason", hostMatches: hostMatches,
            paths: paths, stray: assessment.stray, missingIssuer: nil)
        return Presentation(host: host, assessment: assessment, verification: verification, now: now)
    }

    static func entry(
        _ host: String, _ pins: [Pin], match: GenericPolicy.Match = .anyInPath, expires: Instant? = nil
    ) -> GenericPolicy.Entry {
        GenericPolicy.Entry(host: host, match: match, pins: pins, expires: expires)
    }

    static func pin(_ number: UInt8) -> Pin { .spki(text: digest(2, number).base64) }
}
