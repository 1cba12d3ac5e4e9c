import Testing

@testable import PinwatchCore

/// What lint says in words, where its rules alone do not show it.
@Suite struct LintMessageTests {
    private func problems(_ client: Client, _ policy: String) throws -> [LintProblem] {
        let definition = LintLab.definition([try LintLab.layer(client, policy)])
        return PolicyLint.problems(of: [definition], facts: LintLab.facts())
    }

    @Test(
        "pins that a client unites back one another up",
        arguments: [
            (#"[{"pattern":"a.com","pins":["$a"]},{"pattern":"a.com","pins":["$b"]}]"#, []),
            (#"[{"pattern":"api.a.com","pins":["$a"]},{"pattern":"**.a.com","pins":["$b"]}]"#, ["no_backup **.a.com"]),
            (
                #"[{"pattern":"a.com","pins":["$a"]},{"pattern":"a.com","pins":["$a"]}]"#,
                ["duplicate_pin a.com", "no_backup a.com"]
            ),
            (
                #"[{"pattern":"a.com","pins":["$a"]},{"pattern":"b.com","pins":["$b"]}]"#,
                ["no_backup a.com", "no_backup b.com"]
            ),
            (
                #"[{"pattern":"a.com","pins":["c2hvcnQ="]},{"pattern":"a.com","pins":["$a","$b"]}]"#,
                ["pin_never_matches a.com"]
            ),
        ])
    func united(_ pins: String, _ expected: [String]) throws {
        let said = try LintLab.said(.okhttp, "{\"pins\":\(pins)}").filter { $0.hasPrefix("warning") }
        #expect(said.map { String($0.dropFirst(8)) } == expected, "\(said)")
    }

    @Test func `of each of Apple's lists one must be left, and entries above count`() throws {
        let lists = #"{"domains":{"a.com":{"leaf_identities":["$a"],"ca_identities":["$b"]}}}"#
        #expect(try LintLab.said(.applePinnedDomains, lists).filter { $0 == "warning no_backup a.com" }.count == 1)
        let above =
            #"{"domains":{"api.a.com":{"leaf_identities":["$a"]},"a.com":{"includes_subdomains":true,"leaf_identities":["$b","$a"]}}}"#
        #expect(try LintLab.said(.applePinnedDomains, above) == ["note one_label_only a.com"])
    }

    @Test(
        "a star without pins matches no host either, and nothing is said of its connections",
        arguments: [
            (
                Client.alamofire, #"{"all_hosts_must_be_evaluated":false,"evaluators":{"*":{"evaluator":"disabled"}}}"#,
                ["warning unlisted_hosts", "error wildcard_never_matches *"]
            ),
            (
                .alamofire, #"{"evaluators":{"*.example.com":{"evaluator":"default"}}}"#,
                ["error wildcard_never_matches *.example.com"]
            ),
            (.alamofire4, #"{"policies":{"*":{"policy":"disabled"}}}"#, ["error wildcard_never_matches *"]),
            (
                .alamofire, #"{"evaluators":{"API.example.com":{"evaluator":"disabled"}}}"#,
                ["error host_case API.example.com"]
            ),
            (
                .alamofire, #"{"evaluators":{"https://a.com/":{"evaluator":"disabled"}}}"#,
                ["error host_is_url https://a.com/"]
            ),
            (.alamofire, #"{"evaluators":{"a.com":{"evaluator":"disabled"}}}"#, ["error trust_disabled a.com"]),
            (
                .androidNSC, "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps></dc><dc><d>*.example.com</d></dc>",
                ["error wildcard_never_matches *.example.com"]
            ),
            (.androidNSC, "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps><dc><d>API.example.com</d></dc></dc>", []),
            (.okhttp, #"{"pins":[{"pattern":"*.example.com","pins":[]}]}"#, ["error no_pins *.example.com"]),
            (
                .applePinnedDomains, #"{"domains":{"API.a.com":{}}}"#,
                ["note host_case API.a.com", "error no_pins API.a.com"]
            ),
        ])
    func starred(_ client: Client, _ policy: String, _ expected: [String]) throws {
        let said = try LintLab.said(client, policy)
        #expect(Set(said) == Set(expected), "\(said)")
    }

    @Test(
        "days are those of the file, and messages quote what it has",
        arguments: [
            (
                Client.androidNSC, "<dc><d>a.com</d><pin-set expiration=\"2020-01-01\"><p>$a</p><p>$b</p></ps></dc>",
                "ended on 2020-01-01, at midnight of the device's own zone:"
            ),
            (
                .trustKitAndroid, "<dc><d>a.com</d><pin-set expiration=\"2026-12-10\"><p>$a</p><p>$b</p></ps></dc>",
                "end on 2026-12-10, at midnight of the device's own zone,"
            ),
            (
                .generic, #"{"hosts":[{"host":"a.com","pins":["$a","$b"],"expires":"2020-01-01"}]}"#,
                "ended on 2020-01-01:"
            ),
            (
                .applePinnedDomains, #"{"domains":{"a.com":{"leaf_identities":["sha256/sha256/$a","$b"]}}}"#,
                "sha256/\(LintLab.a) of a.com can match nothing"
            ),
            (
                .curl, #"{"pinnedpubkey":"sha256//$a; sha256//$b"}"#,
                "sha256//\(LintLab.a); sha256//\(LintLab.b) is read as one pin"
            ),
            (.curl, #"{"pinnedpubkey":"sha256//$a"}"#, "The command has a single pin"),
            (.afnetworking, #"{"mode":"public_key","pins":["$a"]}"#, "The session has a single pin"),
            (.hpkp, #"{"hosts":[{"host":"a.com","pins":["$a","$b"],"max_age":0}]}"#, "max-age=0 for a.com"),
        ])
    func words(_ client: Client, _ policy: String, _ start: String) throws {
        let messages = try problems(client, policy).map(\.message)
        let isStart = !start.hasPrefix("end")
        #expect(messages.contains { isStart ? $0.hasPrefix(start) : $0.contains(start) }, "\(messages)")
    }

    @Test(
        "a sentence begins with a capital, unless it begins with what someone wrote",
        arguments: [
            ("the leaf has expired", "The leaf has expired."), ("self-signed, by nobody", "Self-signed, by nobody."),
            ("api.example.com has 1 pin", "api.example.com has 1 pin."), ("sha256//A is none", "sha256//A is none."),
            ("expiration_date x", "expiration_date x."), ("it's", "It's."), ("", "."),
        ])
    func sentence(_ text: String, _ expected: String) { #expect(Wording.sentence(text) == expected) }

    @Test func `a pin set's finding names the day of its file`() throws {
        let layer = try LintLab.layer(
            .androidNSC, "<dc><d>a.com</d><pin-set expiration=\"2026-12-10\"><p>$a</p><p>$b</p></ps></dc>")
        let policy = EvaluationPolicy(
            thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: [], channels: [], pinSets: [])
        let pinSet = PinSet(id: PinSetID(7), definition: LintLab.definition([layer]))
        let findings = Evaluator.evaluate(pinSet: pinSet, policy: policy, now: Lab.now).findings
        #expect(findings.contains { $0.summary.contains("stops pinning a.com on 2026-12-10,") }, "\(findings)")
    }
}
