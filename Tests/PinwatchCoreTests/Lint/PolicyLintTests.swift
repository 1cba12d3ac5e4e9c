import Testing

@testable import PinwatchCore

@Suite struct PolicyLintTests {
    private static let ended = "2020-01-01"

    @Test(
        "what is well written is not spoken of",
        arguments: [
            (Client.alamofire, #"{"evaluators":{"api.example.com":{"evaluator":"public_keys","pins":["$a","$b"]}}}"#),
            (.alamofire4, #"{"policies":{"api.example.com":{"policy":"pin_public_keys","pins":["$a","$b"]}}}"#),
            (.afnetworking, #"{"mode":"public_key","pins":["$a","$b"]}"#),
            (.urlSession, #"{"hosts":{"api.example.com":{"compare":"spki","match":"any","pins":["$a","$b"]}}}"#),
            (.trustKitIOS, #"{"domains":{"example.com":{"public_key_hashes":["$a","$b"],"include_subdomains":true}}}"#),
            (.applePinnedDomains, #"{"domains":{"api.example.com":{"leaf_identities":["$a","$b"]}}}"#),
            (.okhttp, #"{"pins":[{"pattern":"**.example.com","pins":["$a","$b"]}]}"#),
            (.androidNSC, "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps></dc>"),
            (
                .trustKitAndroid,
                "<dc><s>example.com</s><ps><p>$a</p><p>$b</p></ps><trustkit-config enforcePinning=\"true\"></trustkit-config></dc>"
            ),
            (.curl, #"{"pinnedpubkey":"sha256//$a;sha256//$b"}"#),
            (.hpkp, #"{"hosts":[{"host":"example.com","pins":["$a","$b"]}]}"#),
            (.generic, #"{"hosts":[{"host":"api.example.com","pins":["$a","$b"]}]}"#),
        ])
    func good(_ client: Client, _ policy: String) throws {
        let said = try LintLab.said(client, policy)
        #expect(said.filter { !$0.hasPrefix("note trailing_dot_unpinned") }.isEmpty, "\(said)")
    }

    @Test(
        "pins that match nothing, stand twice or stand for nothing are told",
        arguments: [
            (
                Client.applePinnedDomains, #"{"domains":{"a.com":{"leaf_identities":["sha256/$a","$b"]}}}"#,
                []
            ),
            (
                .applePinnedDomains, #"{"domains":{"a.com":{"leaf_identities":["sha256/sha256/$a","$b"]}}}"#,
                ["warning no_backup a.com", "warning pin_never_matches a.com"]
            ),
            (
                .okhttp, #"{"pins":[{"pattern":"a.com","pins":["AAAA"]}]}"#,
                ["error placeholder_pin a.com", "note trailing_dot_unpinned a.com"]
            ),
            (
                .okhttp, #"{"pins":[{"pattern":"a.com","pins":["c2hvcnQ=","$a","$b"]}]}"#,
                ["warning pin_never_matches a.com", "note trailing_dot_unpinned a.com"]
            ),
            (
                .androidNSC, "<dc><d>a.com</d><ps><p>$a</p><p>$b</p><p>$a</p></ps></dc>",
                ["warning duplicate_pin a.com"]
            ),
            (
                .androidNSC,
                "<dc><d>a.com</d><ps><p>7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=</p><p>fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=</p></ps></dc>",
                ["error placeholder_pin a.com", "error placeholder_pin a.com"]
            ),
            (
                .androidNSC,
                "<dc><d>a.com</d><ps><p>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</p><p>$a</p></ps></dc>",
                ["warning placeholder_pin a.com"]
            ),
            (
                .curl, #"{"pinnedpubkey":"sha256//$a; sha256//$b"}"#,
                ["warning no_backup", "error pin_list", "error pin_list"]
            ),
            (
                .alamofire,
                #"{"evaluators":{"a.com":{"evaluator":"pinned_certificates","pins":["file:pem1.cer"]}}}"#,
                ["error pem_certificate a.com"]
            ),
            (
                .alamofire, #"{"evaluators":{"a.com":{"evaluator":"pinned_certificates","pins":["$a"]}}}"#,
                ["error pin_never_matches a.com"]
            ),
            (.trustKitIOS, #"{"domains":{"a.com":{"public_key_hashes":["$a"]}}}"#, ["error config_error"]),
            (
                .hpkp, #"{"hosts":[{"host":"a.com","pins":["$a"]}]}"#,
                ["warning no_backup a.com", "error too_few_pins a.com"]
            ),
        ])
    func texts(_ client: Client, _ policy: String, _ expected: [String]) throws {
        #expect(try LintLab.said(client, policy) == expected)
    }

    @Test(
        "hosts that cover less than they seem to are told by each client's own look-up",
        arguments: [
            (Client.alamofire, "*.example.com", ["error wildcard_never_matches *.example.com"]),
            (.alamofire, "*", ["error wildcard_never_matches *"]),
            (.alamofire, "API.example.com", ["error host_case API.example.com"]),
            (.alamofire, "api.example.com.", ["error host_trailing_dot api.example.com."]),
            (.trustKitIOS, "*.example.com", ["error wildcard_never_matches *.example.com"]),
            (.trustKitIOS, "API.example.com", ["error host_case API.example.com"]),
            (.applePinnedDomains, "API.example.com", ["note host_case API.example.com"]),
            (.applePinnedDomains, "api.example.com.", ["error host_trailing_dot api.example.com."]),
            (.applePinnedDomains, "*.example.com", ["error wildcard_never_matches *.example.com"]),
            (
                .okhttp, "API.example.com",
                ["note host_case API.example.com", "note trailing_dot_unpinned api.example.com"]
            ),
            (.okhttp, "*.example.com", ["warning wildcard_without_apex *.example.com"]),
            (.okhttp, "*.com", ["error public_suffix *.com"]),
            (.okhttp, "a.*.example.com", ["error config_error"]),
            (.okhttp3, "**.example.com", ["error wildcard_never_matches **.example.com"]),
            (.okhttp3, "a.*.example.com", ["error wildcard_never_matches a.*.example.com"]),
            (.androidNSC, "*.example.com", ["error wildcard_never_matches *.example.com"]),
            (.androidNSC, "API.example.com", []),
            (.generic, "*.example.com", ["warning wildcard_without_apex *.example.com"]),
        ])
    func hosts(_ client: Client, _ host: String, _ expected: [String]) throws {
        let policy =
            switch client {
            case .alamofire: "{\"evaluators\":{\"\(host)\":{\"evaluator\":\"public_keys\",\"pins\":[\"$a\",\"$b\"]}}}"
            case .trustKitIOS: "{\"domains\":{\"\(host)\":{\"public_key_hashes\":[\"$a\",\"$b\"]}}}"
            case .applePinnedDomains: "{\"domains\":{\"\(host)\":{\"leaf_identities\":[\"$a\",\"$b\"]}}}"
            case .androidNSC: "<dc><d>\(host)</d><ps><p>$a</p><p>$b</p></ps></dc>"
            case .generic: "{\"hosts\":[{\"host\":\"\(host)\",\"pins\":[\"$a\",\"$b\"]}]}"
            case _: "{\"pins\":[{\"pattern\":\"\(host)\",\"pins\":[\"$a\",\"$b\"]}]}"
            }
        #expect(try LintLab.said(client, policy) == expected)
    }

    @Test func `an end that has passed is an error, one within thirty days a warning, a later one nothing`() throws {
        let days: [(String, [String])] = [
            ("2020-01-01", ["error pins_expired a.com"]), ("2026-12-20", ["warning pins_expire_soon a.com"]),
            ("2027-12-20", []),
        ]
        for (day, expected) in days {
            let policy = "<dc><d>a.com</d><pin-set expiration=\"\(day)\"><p>$a</p><p>$b</p></ps></dc>"
            #expect(try LintLab.said(.androidNSC, policy) == expected, "\(day)")
        }
    }

    @Test func `a note that other pins of the hand-over make up for is left out`() throws {
        let okhttp = try LintLab.layer(.okhttp, #"{"pins":[{"pattern":"a.com","pins":["$a","$b"]}]}"#)
        let platform = try LintLab.layer(.androidNSC, "<dc><d>a.com</d><ps><p>$a</p><p>$b</p></ps></dc>")
        let alone = PolicyLint.problems(of: [LintLab.definition([okhttp])], facts: LintLab.facts())
        #expect(alone.map(\.short) == ["note trailing_dot_unpinned a.com"])
        let both = [LintLab.definition([okhttp]), LintLab.definition([platform])]
        #expect(PolicyLint.problems(of: both, facts: LintLab.facts()).isEmpty)
    }

    @Test func `more entries than are looked at are told, and do not take long`() throws {
        let domains = (0..<5_000).map { "<dc><d>h\($0).example.com</d><ps><p>$a</p><p>$b</p></ps></dc>" }.joined()
        #expect(try LintLab.said(.androidNSC, domains) == ["note too_many_hosts"])
    }
}
