import Testing

@testable import PinwatchCore

@Suite struct KnownCertificateTests {
    private static let chain = [Lab.leafOnly, Lab.authority(Lab.i), Lab.authority(Lab.r)]

    private func said(_ pins: [String], _ certificates: [CertificateSummary] = chain) throws -> [String] {
        let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
        return try LintLab.said(
            .generic, "{\"hosts\":[{\"host\":\"api.example.com\",\"pins\":[\(list)]}]}", knowing: certificates)
    }

    @Test func `pins of one chain are no backup for one another`() throws {
        let (leaf, issuer, other) = (Lab.base64(1), Lab.base64(2), Lab.base64(8))
        #expect(try said([leaf, issuer]) == ["warning one_chain api.example.com"])
        #expect(try said([leaf]) == ["warning leaf_key_only api.example.com"])
        #expect(try said([leaf, other]) == [])
        #expect(try said([other]) == ["warning no_backup api.example.com"])
        let backup = Lab.member(8, "CN=backup", by: "CN=backup")
        #expect(try said([leaf, other], Self.chain + [backup]) == [])
    }

    @Test func `the hash of another part of a known certificate never matches`() throws {
        let raw = Lab.digest(3, 1).base64
        #expect(try said([raw, Lab.base64(8)]) == ["error wrong_hash api.example.com"])
        let whole = Lab.digest(1, 1).base64
        #expect(try said([whole, Lab.base64(8)]) == ["error wrong_hash api.example.com"])
    }

    @Test func `whole leaf certificates are told, and those that have expired`() throws {
        let policy =
            "{\"evaluators\":{\"a.com\":{\"evaluator\":\"pinned_certificates\",\"pins\":[\"cert-sha256:\(Lab.digest(1, 1).hex)\",\"cert-sha256:\(Lab.digest(1, 8).hex)\"]}}}"
        #expect(
            try LintLab.said(.alamofire, policy, knowing: [Lab.leafOnly]) == ["warning leaf_certificate_pin a.com"])
        #expect(
            try LintLab.said(.alamofire, policy, knowing: [Lab.leafOnly.with(ends: -1)]) == [
                "warning leaf_certificate_pin a.com", "warning pinned_certificate_expired a.com",
            ])
        #expect(try LintLab.said(.alamofire, policy) == [])
    }

    @Test func `hashes in the other list of NSPinnedDomains are told`() throws {
        let policy = "{\"domains\":{\"a.com\":{\"ca_identities\":[\"\(Lab.base64(1))\",\"\(Lab.base64(8))\"]}}}"
        #expect(
            try LintLab.said(.applePinnedDomains, policy, knowing: Self.chain) == ["warning misplaced_hash a.com"])
        let leaves = "{\"domains\":{\"a.com\":{\"leaf_identities\":[\"\(Lab.base64(2))\",\"\(Lab.base64(3))\"]}}}"
        let said = try LintLab.said(.applePinnedDomains, leaves, knowing: Self.chain)
        #expect(said.filter { $0 == "error misplaced_hash a.com" }.count == 2)
    }
}

extension Lab {
    fileprivate static var leafOnly: CertificateSummary {
        var leaf = l
        leaf.isCA = false
        return leaf
    }

    fileprivate static func authority(_ certificate: CertificateSummary) -> CertificateSummary {
        var authority = certificate
        authority.isCA = true
        return authority
    }
}
