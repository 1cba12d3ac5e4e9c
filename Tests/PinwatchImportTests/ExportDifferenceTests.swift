import PinwatchConfig
import PinwatchCore
import Testing

@testable import PinwatchImport

/// Policies whose rules other formats cannot all say: what is written is the same, or told.
@Suite struct ExportDifferenceTests {
    @Test(
        "what the other format has words for is written",
        arguments: [
            (
                Client.trustKitIOS, ExportLab.excluded, ExportFormat.androidNSC,
                ">api.example.com</domain>\n    </domain-config>"
            ),
            (.androidNSC, ExportLab.hole, .trustKitPlist, "<key>kSKExcludeSubdomainFromParentPolicy</key>"),
            (.trustKitIOS, ExportLab.reported, .hpkp, "Public-Key-Pins-Report-Only: "),
            (
                .hpkp, "{hosts: [{host: example.com, report_only: true, pins: $12}]}", .trustKitSwift,
                "kTSKEnforcePinning: false"
            ),
            (
                .okhttp, ExportLab.united, .androidNSC,
                "\(Sample.first)</pin>\n            <pin digest=\"SHA-256\">\(Sample.second)"
            ),
            (.okhttp, ExportLab.united, .trustKitSwift, "[\"\(Sample.first)\", \"\(Sample.second)\"]"),
            (.okhttp, ExportLab.united, .alamofire, "allHostsMustBeEvaluated: false"),
            (
                .urlSession, "{unlisted: reject, hosts: {api.example.com: {pins: $12}}}", .alamofire,
                "ServerTrustManager(evaluators"
            ),
            (.okhttp, ExportLab.apex, .androidNSC, "<domain includeSubdomains=\"true\">example.com"),
            (
                .androidNSC, ExportLab.hole.replacing(">example.com", with: ">EXAMPLE.com"), .trustKitSwift,
                "\"example.com\": ["
            ),
        ])
    func said(_ client: Client, _ policy: String, _ format: ExportFormat, _ words: String) throws {
        let text = try ExportLab.exported(client, policy, as: format)
        #expect(text.contains(words), "\(text)")
    }

    @Test(
        "what it has no words for stands in the comments",
        arguments: [
            (
                Client.trustKitIOS, ExportLab.excluded, "okhttp-kotlin",
                "api.example.com is excepted from the pins of example.com"
            ),
            (
                .trustKitIOS, ExportLab.excluded, "info-plist",
                "api.example.com is excepted from the pins of example.com"
            ),
            (.trustKitIOS, ExportLab.excluded, "hpkp", "api.example.com is excepted from the pins of example.com"),
            (
                .androidNSC, ExportLab.hole, "trustkit-swift",
                "names below api.example.com are not pinned by android-nsc"
            ),
            (
                .trustKitIOS, ExportLab.reported, "android-nsc",
                "the pins of example.com are reported on and not enforced"
            ),
            (
                .trustKitIOS, ExportLab.reported, "okhttp-java",
                "the pins of example.com are reported on and not enforced"
            ),
            (
                .hpkp, "{hosts: [{host: example.com, max_age: 9, report_only: true, pins: $12}]}", "okhttp-kotlin",
                "reported on and not enforced by hpkp"
            ),
            (
                .hpkp, "{hosts: [{host: example.com, max_age: 9, pins: $12}]}", "android-nsc",
                "the pins of example.com end 9 seconds after a visit; here"
            ),
            (.hpkp, "{hosts: [{host: example.com, pins: $1}]}", "android-nsc", "user agents note no single pin"),
            (.trustKitIOS, ExportLab.nested, "okhttp-kotlin", "api.example.com is held against its own pins alone"),
            (.trustKitIOS, ExportLab.nested, "info-plist", "api.example.com is held against its own pins alone"),
            (.okhttp, ExportLab.apex, "trustkit-swift", "here they take those of both"),
            (.okhttp, ExportLab.apex, "info-plist", "here they take those of both"),
            (
                .okhttp, "{pins: [{pattern: '*.example.com', pins: $12}]}", "alamofire",
                "example.com itself is not pinned"
            ),
            (
                .okhttp, "{pins: [{pattern: '*.example.com', pins: $1}, {pattern: '**.b.example.com', pins: $2}]}",
                "android-nsc", "b.example.com is held against the pins of *.example.com too"
            ),
            (.alamofire, ExportLab.composite, "okhttp-kotlin", "all 2 evaluators of api.example.com must match"),
            (.alamofire, ExportLab.composite, "android-nsc", "all 2 evaluators of api.example.com must match"),
            (.alamofire, ExportLab.composite, "okhttp-kotlin", "a host that is not listed is refused by alamofire"),
            (
                .alamofire,
                "{evaluators: {api.example.com: {evaluator: public_keys, pins: $12, validate_host: false}, c.example.com: {evaluator: disabled}}}",
                "curl", "does not validate the name of api.example.com"
            ),
            (
                .alamofire,
                "{evaluators: {api.example.com: {evaluator: public_keys, pins: $12}, c.example.com: {evaluator: disabled}}}",
                "android-nsc", "alamofire accepts every certificate for it"
            ),
            (.alamofire, ExportLab.composite, "alamofire", "Pins differ here by host or evaluator"),
            (.okhttp, ExportLab.united, "alamofire4", "Pins differ here by host or evaluator"),
            (.applePinnedDomains, ExportLab.both, "okhttp-kotlin", "both lists of api.example.com must match"),
            (.applePinnedDomains, ExportLab.both, "android-nsc", "both lists of api.example.com must match"),
            (
                .applePinnedDomains, "{domains: {a.test: {leaf_identities: $12}, b.test: {leaf_identities: []}}}",
                "okhttp-kotlin", "b.test has an empty list"
            ),
            (
                .okhttp, "{pins: [{pattern: a.*.example.com, pins: $1}, {pattern: b.test, pins: $12}]}", "android-nsc",
                "a.*.example.com is left out: the client's builder throws"
            ),
            (
                .okhttp3, "{pins: [{pattern: '**.example.com', pins: $1}, {pattern: b.test, pins: $12}]}",
                "android-nsc", "**.example.com is left out: OkHttp below 4.3"
            ),
            (
                .alamofire,
                "{evaluators: {'*.example.com': {evaluator: public_keys, pins: $12}, b.test: {evaluator: public_keys, pins: $12}}}",
                "okhttp-kotlin", "*.example.com is left out: alamofire takes the star for a letter"
            ),
            (
                .trustKitIOS, "{domains: {API.example.com: {public_key_hashes: $12}}}", "okhttp-kotlin",
                "matches no host"
            ),
            (.trustKitIOS, "{domains: {example.com: {public_key_hashes: $1}}}", "okhttp-kotlin", "does not start"),
            (
                .urlSession,
                "{hosts: {a.test: {compare: raw_key, match: any, pins: $12}, b.test: {compare: spki, match: any, pins: $12}}}",
                "okhttp-kotlin", "hashes of raw keys"
            ),
            (.curl, "{pinnedpubkey: 'sha256//\(Sample.first)'}", "okhttp-kotlin", "here api.example.com alone is"),
            (
                .androidNSC,
                ExportLab.hole.replacing(
                    "<domain-config><domain includeSubdomains=\"true\">ex",
                    with:
                        "<debug-overrides/><domain-config><trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors><domain includeSubdomains=\"true\">ex"
                ),
                "okhttp-kotlin", "where an anchor has overridePins"
            ),
        ])
    func told(_ client: Client, _ policy: String, _ format: String, _ words: String) throws {
        let root = try PinFileDecoder.node(Array(ExportLab.native(client, policy).utf8), file: "native")
        let host = client == .curl ? "api.example.com" : nil
        let text = try Exporter.text(of: root, as: try #require(ExportFormat(rawValue: format)), host: host)
        #expect(text.contains(words), "\(text)")
    }

    @Test(
        "nothing is told that is not so",
        arguments: [
            (
                Client.okhttp, "{pins: [{pattern: a.test, pins: $1}, {pattern: a.test, pins: $2}]}", "trustkit-swift",
                "throws"
            ),
            (
                .okhttp, "{pins: [{pattern: a.test, pins: $1}, {pattern: a.test, pins: $2}]}", "trustkit-plist",
                "each their pins"
            ),
            (.trustKitIOS, ExportLab.excluded, "android-nsc", "is excepted from"),
            (.okhttp, ExportLab.united, "android-nsc", "held against the pins"),
            (.applePinnedDomains, ExportLab.both, "info-plist", "here one pin"),
            (.okhttp, "{pins: [{pattern: a.test, pins: $12}]}", "okhttp-java", "Made from"),
            (
                .okhttp, "{pins: [{pattern: a.test, pins: $12}, {pattern: b.test, pins: $12}]}", "alamofire",
                "Pins differ"
            ),
        ])
    func quiet(_ client: Client, _ policy: String, _ format: String, _ words: String) throws {
        let text = try ExportLab.exported(client, policy, as: try #require(ExportFormat(rawValue: format)))
        #expect(!text.contains(words), "\(text)")
    }

    @Test func `a pattern that its builder throws over is no domain of another format`() throws {
        let policy = "{pins: [{pattern: a.*.example.com, pins: $1}, {pattern: b.test, pins: $12}]}"
        for format in [ExportFormat.androidNSC, .infoPlist, .trustKitPlist] {
            let text = try ExportLab.exported(.okhttp, policy, as: format)
            #expect(!text.contains(">a.*.example.com<"), "\(text)")
        }
    }
}
