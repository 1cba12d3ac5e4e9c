import Testing

@testable import PinwatchCore

@Suite struct PlatformLintTests {
    private func differences(_ apple: String, _ android: String) throws -> [LintProblem] {
        let definitions = [
            LintLab.definition([try LintLab.layer(.trustKitIOS, apple)], origin: "Info.plist"),
            LintLab.definition([try LintLab.layer(.okhttp, android)], origin: "Pinning.kt"),
        ]
        return PolicyLint.problems(of: definitions, facts: LintLab.facts()).filter { $0.rule == .platformsDiffer }
    }

    private static let included =
        #"{"domains":{"example.com":{"public_key_hashes":["$a","$b"],"include_subdomains":true}}}"#

    @Test func `the same hosts in each client's own words do not differ`() throws {
        #expect(try differences(Self.included, #"{"pins":[{"pattern":"**.example.com","pins":["$a","$b"]}]}"#).isEmpty)
    }

    @Test func `hosts that one side alone pins are told with both files`() throws {
        let found = try differences(Self.included, #"{"pins":[{"pattern":"*.example.com","pins":["$a","$b"]}]}"#)
        #expect(found.map(\.short) == ["warning platforms_differ example.com"])
        let message = found.first?.message ?? ""
        #expect(message.contains("Info.plist") && message.contains("Pinning.kt"), "\(message)")
        #expect(message.contains("names two below example.com"), "\(message)")
    }

    @Test func `one wildcard text on both sides is nothing on one of them`() throws {
        let apple = #"{"domains":{"*.example.com":{"public_key_hashes":["$a","$b"]}}}"#
        let found = try differences(apple, #"{"pins":[{"pattern":"*.example.com","pins":["$a","$b"]}]}"#)
        #expect(found.map(\.short) == ["warning platforms_differ example.com"])
        #expect(found.first?.file == "Info.plist")
    }
}
