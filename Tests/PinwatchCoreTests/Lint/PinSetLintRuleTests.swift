import Testing

@testable import PinwatchCore

@Suite struct PinSetLintRuleTests {
    private let policy = EvaluationPolicy(
        thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: [], channels: [], pinSets: [])

    private func findings(_ client: Client, _ text: String, variant: Variant = .release) throws -> [String] {
        let definition = LintLab.definition([try LintLab.layer(client, text)], variant: variant)
        let pinSet = PinSet(id: PinSetID(7), definition: definition)
        return Evaluator.evaluate(pinSet: pinSet, policy: policy, now: Lab.now).findings.map {
            "\($0.severity.rawValue) \($0.key)"
        }
    }

    private static let traps =
        #"{"all_hosts_must_be_evaluated":false,"evaluators":{"a.com":{"evaluator":"disabled"},"b.com":{"evaluator":"disabled"}}}"#

    @Test func `a finding stands for each rule, one step calmer than lint`() throws {
        #expect(
            try findings(.alamofire, Self.traps) == [
                "info pinset.lint/7/unlisted_hosts", "warning pinset.lint/7/trust_disabled",
            ])
        #expect(
            try findings(.alamofire, Self.traps, variant: .debug).allSatisfy { $0.hasPrefix("info ") })
    }

    @Test func `what other findings say, and notes, are left to them`() throws {
        let single = #"{"domains":{"a.com":{"public_key_hashes":["$a"]}}}"#
        #expect(try findings(.trustKitIOS, single) == ["critical pin.config_error/7"])
        #expect(try findings(.okhttp, #"{"pins":[{"pattern":"a.com","pins":["$a"]}]}"#) == [])
    }
}
