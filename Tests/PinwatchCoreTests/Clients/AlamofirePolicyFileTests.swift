import Testing

@testable import PinwatchCore

@Suite struct AlamofirePolicyFileTests {
    @Test func `a policy is read in the library's own words`() throws {
        let text = """
            {"all_hosts_must_be_evaluated": false, "evaluators": {
              "a.test": {"evaluator": "public_keys", "pins": ["sha256/\(Lab.digest(2, 1).base64)", "file:pem4.cer"]},
              "b.test": {"evaluator": "composite", "evaluators": [
                {"evaluator": "pinned_certificates", "pins": ["file:c2.cer"], "accept_self_signed": true},
                {"evaluator": "revocation", "perform_default_validation": false, "validate_host": false}]},
              "c.test": {"evaluator": "disabled", "pins": ["x"], "validate_host": true}}}
            """
        let policy = try Lab.good(AlamofirePolicy.self, text)
        #expect(policy.hosts.map(\.pattern) == ["a.test", "b.test", "c.test"])
        #expect(policy.hosts.map(\.match) == ["public_keys", "composite", "disabled"])
        #expect(policy.allPins.map(\.text) == [Lab.digest(2, 1).pin, "file:pem4.cer", "file:c2.cer"])
        #expect(policy.pins(for: "a.test", now: Lab.now).count == 1 && policy.pins(for: "A.test", now: Lab.now).isEmpty)
        #expect(policy.pin(Lab.pin(1), matches: Lab.l) && !policy.pin(Lab.pin(1), matches: Lab.i))
        #expect(policy.expiries.isEmpty && policy.configurationError == nil)
        #expect(
            ["a.test", "A.test", "x.a.test", "test", "other.net"].map(policy.concerns) == [
                true, true, true, false, false,
            ])
        let disabled = policy.verdict(for: Lab.shown(host: "c.test"))
        #expect(disabled.notes.first == "pins of host c.test does nothing: the evaluator disabled has no such argument")
        #expect(try Lab.good(AlamofirePolicy.self, #"{"evaluators": {}}"#).concerns(host: "any.test"))
    }

    @Test(
        "faults are told in sentences",
        arguments: [
            ("{}", "policy needs the key \"evaluators\""),
            (#"{"evaluators": {"": {"evaluator": "disabled"}}}"#, "a host must not be empty"),
            (#"{"evaluators": {"a": {}}}"#, "host a needs the key \"evaluator\""),
            (
                #"{"evaluators": {"a": {"evaluator": "PublicKeys", "pins": []}}}"#,
                "evaluator must be one of public_keys, pinned_certificates, default, revocation, composite, disabled, not "
                    + "\"PublicKeys\""
            ),
            (#"{"evaluators": {"a": {"evaluator": "public_keys"}}}"#, "host a needs the key \"pins\""),
            (
                #"{"evaluators": {"a": {"evaluator": "disabled", "allowEmptyPinnedKeys": true}}}"#,
                "unknown key \"allowEmptyPinnedKeys\" in host a; allowed: evaluator, pins, evaluators, "
                    + "perform_default_validation, validate_host, accept_self_signed"
            ),
            (
                #"{"evaluators": {"a": {"evaluator": "composite", "evaluators": [{"evaluator": "default", "validate_host": 1}]}}}"#,
                "validate_host must be true or false, not \"1\""
            ),
            (
                #"{"evaluators": {"a": {"evaluator": "public_keys", "pins": ["file:gone"]}}}"#,
                "pin file gone: it cannot be read"
            ),
        ])
    func faults(_ text: String, _ message: String) throws {
        let (policy, problems) = try Lab.policy(AlamofirePolicy.self, text)
        #expect(policy == nil && problems == [message])
    }

    @Test func `composites may nest to a depth of 8`() throws {
        func nested(_ depth: Int) -> String {
            depth == 1
                ? #"{"evaluator": "disabled"}"# : #"{"evaluator": "composite", "evaluators": [\#(nested(depth - 1))]}"#
        }
        let fits = try Lab.good(AlamofirePolicy.self, #"{"evaluators": {"a": \#(nested(8))}}"#)
        #expect(fits.verdict(for: Lab.shown(host: "a")).code == "no_pins_compared")
        let (_, problems) = try Lab.policy(AlamofirePolicy.self, #"{"evaluators": {"a": \#(nested(9))}}"#)
        #expect(problems.count == 1 && problems[0].hasSuffix("composites may nest 8 deep at most"))
    }
}
