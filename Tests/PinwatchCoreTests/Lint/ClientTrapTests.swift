import Testing

@testable import PinwatchCore

@Suite struct ClientTrapTests {
    @Test(
        "Apple's clients' own traps",
        arguments: [
            (
                Client.alamofire,
                #"{"all_hosts_must_be_evaluated":false,"evaluators":{"a.com":{"evaluator":"disabled"},"b.com":{"evaluator":"default"}}}"#,
                ["warning unlisted_hosts", "error trust_disabled a.com", "warning compares_no_pin b.com"]
            ),
            (
                .alamofire,
                #"{"evaluators":{"a.com":{"evaluator":"public_keys","pins":["$a","$b"],"perform_default_validation":false,"validate_host":false}}}"#,
                ["error validation_off a.com"]
            ),
            (
                .alamofire,
                #"{"evaluators":{"a.com":{"evaluator":"public_keys","pins":["$a","$b"],"perform_default_validation":false}}}"#,
                ["note validation_off a.com"]
            ),
            (
                .alamofire,
                #"{"evaluators":{"a.com":{"evaluator":"public_keys","pins":["$a","$b"],"validate_host":false}}}"#,
                ["warning host_not_validated a.com"]
            ),
            (
                .alamofire, #"{"evaluators":{"a.com":{"evaluator":"public_keys","pins":[]}}}"#, ["error no_pins a.com"]
            ),
            (
                .alamofire, #"{"evaluators":{"a.com":{"evaluator":"composite","evaluators":[]}}}"#,
                ["error trust_disabled a.com"]
            ),
            (
                .alamofire,
                #"{"evaluators":{"a.com":{"evaluator":"composite","evaluators":[{"evaluator":"public_keys","pins":["$a","$b"]},{"evaluator":"revocation"}]}}}"#,
                []
            ),
            (
                .alamofire, #"{"evaluators":{"a.com":{"evaluator":"disabled","pins":["$a"]}}}"#,
                ["error trust_disabled a.com", "note idle_setting a.com"]
            ),
            (
                .alamofire4,
                #"{"policies":{"a.com":{"policy":"disabled"},"b.com":{"policy":"pin_public_keys","pins":["$a","$b"],"validate_certificate_chain":false}}}"#,
                ["error trust_disabled a.com", "error validation_off b.com"]
            ),
            (
                .afnetworking,
                #"{"mode":"public_key","pins":["$a","$b"],"allow_invalid":true,"validates_domain_name":false}"#,
                ["error validation_off", "warning host_not_validated all hosts"]
            ),
            (.afnetworking, #"{"mode":"none"}"#, ["warning compares_no_pin all hosts"]),
            (
                .urlSession, #"{"evaluates_trust":false,"hosts":{"a.com":{"pins":["$a","$b"]}}}"#,
                ["error validation_off"]
            ),
            (
                .trustKitIOS, #"{"domains":{"a.com":{"public_key_hashes":["$a","$b"],"enforce_pinning":false}}}"#,
                ["warning report_only a.com"]
            ),
            (
                .applePinnedDomains, #"{"domains":{"a.com":{"includes_subdomains":1,"leaf_identities":["$a","$b"]}}}"#,
                ["error not_boolean a.com"]
            ),
            (
                .applePinnedDomains,
                #"{"domains":{"a.com":{"includes_subdomains":true,"leaf_identities":["$a","$b"]}}}"#,
                ["note one_label_only a.com"]
            ),
            (.applePinnedDomains, #"{"domains":{"a.com":{}}}"#, ["error no_pins a.com"]),
            (
                .applePinnedDomains, #"{"domains":{"a.com":{"leaf_identities":["$a","$b"],"ca_identities":[]}}}"#,
                ["error no_pins a.com", "warning both_lists a.com"]
            ),
            (
                .wultraIOS, #"{"on_empty":"accept","fingerprints":[]}"#,
                ["error empty_accepted", "error no_pins", "note leaf_certificate_pin"]
            ),
        ])
    func apple(_ client: Client, _ policy: String, _ expected: [String]) throws {
        #expect(try LintLab.said(client, policy) == expected)
    }

    @Test(
        "Android's clients' own traps",
        arguments: [
            (
                Client.androidNSC,
                "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps></dc><dc><d>files.example.com</d></dc>",
                ["error sibling_hides_pins files.example.com"]
            ),
            (
                .androidNSC,
                "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps><dc><d>files.example.com</d></dc></dc>", []
            ),
            (
                .androidNSC,
                "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps><dc><d>files.example.com</d><ps></ps></dc></dc>",
                ["warning no_pins files.example.com"]
            ),
            (
                .androidNSC,
                "<base-config cleartextTrafficPermitted=\"true\"><trust-anchors><certificates src=\"user\" overridePins=\"true\"></certificates></trust-anchors></base-config>",
                ["error override_pins", "warning cleartext"]
            ),
            (
                .androidNSC,
                "<debug-overrides><trust-anchors><certificates src=\"system\"></certificates></trust-anchors></debug-overrides>",
                ["warning debug_overrides"]
            ),
            (
                .androidNSC,
                "<debug-overrides><trust-anchors><certificates src=\"user\"></certificates></trust-anchors></debug-overrides>",
                ["note debug_overrides"]
            ),
            (
                .trustKitAndroid, "<dc><d>a.com</d><ps><p>$a</p><p>$b</p></ps></dc>", ["error report_only a.com"]
            ),
            (
                .trustKitAndroid,
                "<dc><d>b.com</d><d>a.com</d><ps><p>$a</p><p>$b</p></ps><trustkit-config enforcePinning=\"false\"></trustkit-config></dc>",
                ["warning report_only a.com", "warning last_domain_only b.com"]
            ),
            (
                .okhttp, #"{"accepted_issuers":"none","pins":[{"pattern":"a.com","pins":[]}]}"#,
                ["error validation_off", "error no_pins a.com"]
            ),
            (
                .wultraAndroid, #"{"fingerprints":[]}"#,
                ["error no_pins", "note validation_off", "note leaf_certificate_pin"]
            ),
            (
                .hpkp,
                #"{"hosts":[{"host":"a.com","pins":["$a","$b"],"report_only":true},{"host":"b.com","pins":["$a","$b"],"max_age":0}]}"#,
                ["warning report_only a.com", "error no_pins b.com"]
            ),
        ])
    func android(_ client: Client, _ policy: String, _ expected: [String]) throws {
        #expect(try LintLab.said(client, policy) == expected)
    }

    @Test func `systems that ignore the pins are told where the release supports them`() throws {
        let apple = #"{"domains":{"a.com":{"leaf_identities":["$a","$b"]}}}"#
        let old = Platform(system: .ios, version: VersionNumber("13.2"))
        let new = Platform(system: .ios, version: VersionNumber("14.0"))
        #expect(try LintLab.said(.applePinnedDomains, apple, platform: old) == ["warning system_too_old"])
        #expect(try LintLab.said(.applePinnedDomains, apple, platform: new) == [])
        let android = "<dc><d>a.com</d><ps><p>$a</p><p>$b</p></ps></dc>"
        let (low, high) = (VersionNumber("23"), VersionNumber("24"))
        #expect(
            try LintLab.said(.androidNSC, android, platform: Platform(system: .android, version: low)) == [
                "warning system_too_old"
            ])
        #expect(try LintLab.said(.androidNSC, android, platform: Platform(system: .android, version: high)) == [])
    }
}
