import Testing

@testable import PinwatchCore

@Suite struct TrustKitPolicyFileTests {
    private static let two = "\"public_key_hashes\": [\"\(Lab.digest(2, 1).base64)\", \"\(Lab.digest(2, 9).base64)\"]"

    @Test func `a policy is read in the library's own words, flags as it would take them`() throws {
        let text = """
            {"domains": {"example.com": {\(Self.two), "include_subdomains": 1, "enforce_pinning": "NO"},
             "api.example.com": {"exclude_subdomain_from_parent_policy": "YES"}}}
            """
        let policy = try Lab.good(TrustKitPolicy.self, text)
        #expect(policy.configurationError == nil)
        #expect(policy.domains.map(\.includesSubdomains) == [true, false])
        #expect(policy.domains.map(\.isEnforced) == [false, true])
        #expect(policy.domains.map(\.isExcluded) == [false, true])
        #expect(policy.hosts.map(\.pattern) == ["example.com", "api.example.com"] && policy.allPins.count == 2)
        #expect(policy.pin(Lab.pin(1), matches: Lab.l) && !policy.pin(Lab.pin(1), matches: Lab.certificate(1)))
    }

    @Test(
        "TrustKit throws as it starts over these",
        arguments: [
            (#"{}"#, "empty"),
            (#"{"com": {TWO, "include_subdomains": true}}"#, "public_suffix"),
            (#"{"github.io": {TWO, "include_subdomains": true}}"#, "public_suffix"),
            (#"{"example.com": {"public_key_hashes": ["sha256/sha256/AAAA", "b"]}}"#, "malformed_pin"),
            (#"{"example.com": {"public_key_hashes": ["AAAA", "BBBB"]}}"#, "malformed_pin"),
            (#"{"example.com": {"public_key_hashes": ["UNPADDED", "UNPADDED"]}}"#, "malformed_pin"),
            (#"{"example.com": {"public_key_hashes": ["sha1/AQEBAQEBAQEBAQEBAQEBAQEBAQE="]}}"#, "malformed_pin"),
            (#"{"example.com": {}}"#, "too_few_pins"),
            (#"{"api.example.com": {"exclude_subdomain_from_parent_policy": true}}"#, "no_parent"),
            (
                #"{"example.com": {TWO}, "api.example.com": {"exclude_subdomain_from_parent_policy": true}}"#,
                "no_parent"
            ),
            (
                #"{"a.example.com": {"exclude_subdomain_from_parent_policy": true, "include_subdomains": false}}"#,
                "exclusion_not_alone"
            ),
        ])
    func refused(_ domains: String, _ code: String) throws {
        let text = domains.replacing("TWO", with: Self.two)
            .replacing("UNPADDED", with: String(Lab.digest(2, 1).base64.dropLast()))
        let policy = try Lab.good(TrustKitPolicy.self, "{\"domains\": \(text)}")
        let verdict = policy.verdict(for: Lab.shown())
        #expect(Expected(.configError, code).holds(for: verdict) && policy.configurationError == verdict)
        #expect(policy.pins(for: "example.com", now: Lab.now).isEmpty)
    }

    @Test func `suffixes are legal as exact entries, and a note says that TrustKit's list is old`() throws {
        let policy = try Lab.good(TrustKitPolicy.self, "{\"domains\": {\"github.io\": {\(Self.two)}}}")
        let verdict = policy.verdict(for: Lab.shown(host: "github.io"))
        #expect(verdict.kind == .accept && verdict.notes == [TrustKitRegistry.age])
        let plain = try Lab.good(TrustKitPolicy.self, "{\"domains\": {\"example.com\": {\(Self.two)}}}")
        #expect(plain.verdict(for: Lab.shown(host: "example.com")).notes.isEmpty)
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            (#"{}"#, "policy needs the key \"domains\""),
            (#"{"domains": {"": {}}}"#, "a domain must not be empty"),
            (
                #"{"domains": {"a.com": {"TSKExcludeSubdomainFromParentPolicy": true}}}"#,
                "unknown key \"TSKExcludeSubdomainFromParentPolicy\" in domain a.com; allowed: public_key_hashes, "
                    + "include_subdomains, exclude_subdomain_from_parent_policy, enforce_pinning, expiration_date"
            ),
            (
                #"{"domains": {"a.com": {"include_subdomains": []}}}"#,
                "include_subdomains must be true or false, not a list"
            ),
            (
                #"{"domains": {"a.com": {"public_key_hashes": "x"}}}"#,
                "public_key_hashes must be a list, not a single value"
            ),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(TrustKitPolicy.self, text)
        #expect(policy == nil && problems == [message])
    }
}
