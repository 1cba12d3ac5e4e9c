import PinwatchConfig
import PinwatchCore

@testable import PinwatchImport

/// Native policies in short, and what they are exported as.
enum ExportLab {
    static let third = "qsjhE1fdq+yX/WXQFuUUVcb7Oe8wX7eql7kNXfOpSWI="

    /// `$1` to `$3` are pins, and `$12` is a list of the first two.
    static func native(_ client: Client, _ policy: String) -> String {
        let text = "pinwatch: 1\napp: shop\nrelease: \"1\"\nclient: \(client.rawValue)\npolicy: \(policy)\n"
        return text.replacing("$12", with: "['\(Sample.first)', '\(Sample.second)']")
            .replacing("$1", with: "['\(Sample.first)']").replacing("$2", with: "['\(Sample.second)']")
            .replacing("$3", with: "['\(third)']")
    }

    static func exported(
        _ client: Client, _ policy: String, as format: ExportFormat
    ) throws -> String {
        let root = try PinFileDecoder.node(Array(native(client, policy).utf8), file: "native")
        return try Exporter.text(of: root, as: format)
    }

    static let excluded =
        "{domains: {example.com: {include_subdomains: true, public_key_hashes: $12}, api.example.com: {exclude_subdomain_from_parent_policy: true}}}"
    static let reported =
        "{domains: {example.com: {include_subdomains: true, enforce_pinning: false, public_key_hashes: $12}}}"
    static let united = "{pins: [{pattern: api.example.com, pins: $1}, {pattern: '*.example.com', pins: $2}]}"
    static let apex = "{pins: [{pattern: example.com, pins: $1}, {pattern: '*.example.com', pins: $2}]}"
    static let nested =
        "{domains: {example.com: {include_subdomains: true, public_key_hashes: $12}, api.example.com: {public_key_hashes: ['\(Sample.second)', '\(third)']}}}"
    static let composite =
        "{evaluators: {api.example.com: {evaluator: composite, evaluators: [{evaluator: public_keys, pins: $1}, {evaluator: public_keys, pins: $2}]}}}"
    static let both = "{domains: {api.example.com: {leaf_identities: $1, ca_identities: $2}}}"
    static let hole =
        "{xml: '<network-security-config><domain-config><domain includeSubdomains=\"true\">example.com</domain><pin-set><pin digest=\"SHA-256\">\(Sample.first)</pin><pin digest=\"SHA-256\">\(Sample.second)</pin></pin-set></domain-config><domain-config><domain includeSubdomains=\"true\">api.example.com</domain></domain-config></network-security-config>'}"
}
