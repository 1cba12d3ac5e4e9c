import Testing

@testable import PinwatchCore

@Suite struct TrustKitRegistryTests {
    @Test(
        "vector 19: domains without a suffix in TrustKit's list",
        arguments: [
            "z9.execute-api.eu-west-1.amazonaws.com", "amazonaws.com", "x.amazonaws.com", "corp.internal", "localhost",
            "192.0.2.1", "example.test", "example.gay", "kawasaki.jp",
        ])
    func noSuffix(_ name: String) {
        var suffixes = Lab.Suffixes()
        for list in [suffixes.list, suffixes.list + ["execute-api.eu-west-1.amazonaws.com"]] {
            suffixes.list = list
            let policy = TrustKitPolicy(
                domains: [TrustKitDomain(name: name, pins: [Lab.pin(1), Lab.pin(7)])], suffixes: suffixes)
            #expect(policy.configurationError.map(Expected(.configError, "unknown_suffix").holds) == true)
        }
    }

    @Test(
        "suffixes that the table has stay suffixes below Amazon's names",
        arguments: [
            ("b.s3.amazonaws.com", 16), ("x.eu-west-1.compute.amazonaws.com", 31), ("x.us-east-1.amazonaws.com", 23),
            ("api.example.com", 3), ("API.Example.COM.", 4), ("a.example.co.uk", 5), ("x.fastly.net", 0),
        ])
    func lengths(_ name: String, _ length: Int) {
        var suffixes = Lab.Suffixes()
        suffixes.list += ["s3.amazonaws.com", "eu-west-1.compute.amazonaws.com", "us-east-1.amazonaws.com"]
        #expect(TrustKitRegistry(suffixes: suffixes).length(of: name) == length)
    }

    @Test(
        "kinds of keys",
        arguments: [
            ("RSA", 2048, String?.none, true), ("RSA", 3072, nil, true), ("RSA", 4096, nil, true),
            ("RSA", 1024, nil, false),
            ("RSA", 8192, nil, false), ("RSA-PSS", 2048, nil, false), ("EC", 256, "P-256", true),
            ("EC", 384, "P-384", true),
            ("EC", 256, "secp256k1", false), ("EC", 521, "P-521", false), ("Ed25519", 256, nil, false),
        ])
    func keys(_ type: String, _ bits: Int, _ curve: String?, _ supported: Bool) {
        #expect(TrustKitDomain.isSupported(PublicKeySummary(type: type, bits: bits, curve: curve)) == supported)
        #expect(!TrustKitDomain.isSupported(nil))
    }

    @Test func `an exception to a wildcard keeps its suffix`() {
        let registry = TrustKitRegistry(suffixes: Lab.Suffixes(list: ["jp", "kawasaki.jp"]))
        #expect(registry.length(of: "city.kawasaki.jp") == 11 && registry.length(of: "kawasaki.jp") == 0)
    }
}
