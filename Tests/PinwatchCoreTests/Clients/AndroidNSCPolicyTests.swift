import Testing

@testable import PinwatchCore

/// A file with one `domain-config`, whose lines are what is given.
func securityConfig(_ lines: String) -> String {
    "<network-security-config>\n\(lines)\n</network-security-config>"
}

func pinSet(_ numbers: [UInt8], expiration: String? = nil) -> String {
    let pins = numbers.map { "<pin digest=\"SHA-256\">\(Lab.base64($0))</pin>" }.joined()
    return "<pin-set\(expiration.map { " expiration=\"\($0)\"" } ?? "")>\(pins)</pin-set>"
}

func domainConfig(_ domains: [String], _ rest: String) -> String {
    let names = domains.map { name in
        name.hasPrefix("+")
            ? "<domain includeSubdomains=\"true\">\(name.dropFirst())</domain>" : "<domain>\(name)</domain>"
    }
    return "<domain-config>\(names.joined())\(rest)</domain-config>"
}

@Suite struct AndroidNSCPolicyTests {
    private func policy(_ lines: String, debuggable: Bool? = nil, targetSDK: Int = 35) -> AndroidNSCPolicy {
        AndroidNSCPolicy(
            file: NetworkSecurityFile(securityConfig(lines), place: "nsc.xml", resources: Lab.resources()),
            debuggable: debuggable, targetSDK: targetSDK)
    }

    private func verdict(_ lines: String, _ presentation: Presentation = Lab.served()) -> Verdict {
        policy(lines).verdict(for: presentation)
    }

    private let user = Path(certificates: [Lab.leaf, Lab.intermediate], anchor: Lab.root, source: .user)

    @Test(
        "vector 35: a pin on any member of the path accepts, the anchor that is not sent included",
        arguments: [UInt8(1), 2, 3])
    func vector35(_ number: UInt8) {
        let verdict = verdict(domainConfig(["api.example.com"], pinSet([9, number])))
        #expect(verdict.kind == .accept && verdict.matched?.certificate == Lab.digest(1, number))
    }

    @Test func `vector 36: a chain without its intermediate is rejected before pins`() {
        let shown = Lab.served(sent: [Lab.leaf], paths: [])
        let verdict = verdict(domainConfig(["api.example.com"], pinSet([2])), shown)
        #expect(verdict.kind == .rejectChain && verdict.code == "no_path")
    }

    @Test(
        "vector 38: a nested pin-set replaces the inherited one, and without one it is inherited",
        arguments: [
            ("<pin-set/>", VerdictKind.unpinned, "empty"), ("", .rejectPin, "no_pin_matched"),
            (pinSet([1]), .accept, "pin_matched"),
        ])
    func vector38(_ child: String, _ kind: VerdictKind, _ code: String) {
        let nested = domainConfig(["+example.com"], pinSet([9]) + domainConfig(["api.example.com"], child))
        let verdict = verdict(nested)
        #expect(verdict.kind == kind && verdict.code == code && (kind != .unpinned || verdict.by == .trap))
        #expect(self.verdict(nested, Lab.served(host: "b.example.com")).kind == .rejectPin)
    }

    @Test(
        "vector 40: a user's anchor is trusted only where the file says so, and overrides pins only if told to",
        arguments: [
            ("<certificates src=\"user\"/>", VerdictKind.rejectPin, "no_pin_matched"),
            ("<certificates src=\"user\" overridePins=\"false\"/>", .rejectPin, "no_pin_matched"),
            ("<certificates src=\"user\" overridePins=\"true\"/>", .unpinned, "override_pins"),
            ("<certificates src=\"user\"/><certificates src=\"user\" overridePins=\"1\"/>", .unpinned, "override_pins"),
            ("<certificates src=\"user\" overridePins=\"yes\"/>", .rejectPin, "no_pin_matched"),
            ("<certificates src=\"system\"/>", .rejectChain, "no_path"),
        ])
    func vector40(_ certificates: String, _ kind: VerdictKind, _ code: String) {
        let lines = domainConfig(
            ["api.example.com"], pinSet([9]) + "<trust-anchors>\(certificates)</trust-anchors>")
        let verdict = verdict(lines, Lab.served(paths: [user]))
        #expect(verdict.kind == kind && verdict.code == code && (kind != .unpinned || verdict.by == .trap))
    }

    @Test("without trust-anchors, users' anchors are trusted up to target SDK 23", arguments: [23, 24])
    func targetSDK(_ target: Int) {
        let policy = policy(domainConfig(["api.example.com"], pinSet([9])), targetSDK: target)
        #expect(policy.verdict(for: Lab.served(paths: [user])).kind == (target == 23 ? .rejectPin : .rejectChain))
    }

    @Test(
        "vector 41: debug-overrides with system turn pinning off, in debuggable builds alone",
        arguments: [
            (Bool?.some(true), Variant.release, VerdictKind.unpinned), (nil, .debug, .unpinned),
            (false, .debug, .rejectPin), (nil, .release, .rejectPin),
        ])
    func vector41(_ debuggable: Bool?, _ variant: Variant, _ kind: VerdictKind) {
        let overrides =
            "<debug-overrides><trust-anchors><certificates src=\"system\"/></trust-anchors></debug-overrides>"
        let policy = policy(domainConfig(["api.example.com"], pinSet([9])) + overrides, debuggable: debuggable)
        let verdict = policy.verdict(for: Lab.served(release: Lab.release(variant: variant)))
        #expect(verdict.kind == kind && (kind != .unpinned || verdict.code == "override_pins"))
    }

    @Test func `debug-overrides are added where anchors come from, and their own overridePins may be false`() {
        let overrides =
            "<debug-overrides><trust-anchors><certificates src=\"user\" overridePins=\"false\"/>"
            + "</trust-anchors></debug-overrides>"
        let own = "<trust-anchors><certificates src=\"system\"/></trust-anchors>"
        for anchors in ["", own] {
            let policy = policy(domainConfig(["api.example.com"], pinSet([9]) + anchors) + overrides, debuggable: true)
            #expect(policy.verdict(for: Lab.served(paths: [user])).kind == .rejectPin)
        }
    }

    @Test func `a debuggable app without debug-overrides is said to read another file too`() {
        let verdict = policy(domainConfig(["api.example.com"], pinSet([1])), debuggable: true).verdict(
            for: Lab.served())
        #expect(verdict.kind == .accept && verdict.notes.contains { $0.contains("_debug") })
    }

    @Test func `vector 42: a star is plain text`() {
        let verdict = verdict(domainConfig(["*.example.com"], pinSet([9])))
        #expect(verdict.kind == .unpinned && verdict.by == .trap && verdict.code == "host_not_listed")
        #expect(verdict.reason.contains("the * of <domain> *.example.com is plain text"))
    }

    @Test(
        "hosts are looked up exactly, then by the longest domain that includes sub-domains",
        arguments: [
            ("API.Example.com.", ["api.example.com"], VerdictKind.rejectPin, UnpinnedBy?.none),
            ("a.b.example.com", ["+example.com"], .rejectPin, nil), ("example.com", ["+example.com"], .rejectPin, nil),
            ("a.example.com", ["+Example.COM "], .rejectPin, nil), ("a.example.com", ["example.com"], .unpinned, .trap),
            ("badexample.com", ["+example.com"], .unpinned, .design),
            ("api.example.com", ["api.example.com."], .unpinned, .trap), ("192.0.2.1", ["192.0.2.1"], .rejectPin, nil),
        ])
    func lookup(_ host: String, _ domains: [String], _ kind: VerdictKind, _ by: UnpinnedBy?) {
        let policy = policy(domainConfig(domains, pinSet([9])))
        let verdict = policy.verdict(for: Lab.served(host: host))
        #expect(verdict.kind == kind && verdict.by == by)
        #expect(policy.concerns(host: host) == (by != .design))
        #expect(policy.pins(for: host, now: Lab.now).isEmpty == (kind == .unpinned))
    }

    @Test func `a sibling for a sub-domain takes none of the parent domain's pins`() {
        let verdict = verdict(domainConfig(["+example.com"], pinSet([9])) + domainConfig(["api.example.com"], ""))
        #expect(verdict.kind == .unpinned && verdict.by == .trap)
        #expect(verdict.reason.contains("api.example.com goes before example.com"))
        let alone = self.verdict(domainConfig(["api.example.com"], ""))
        #expect(alone.kind == .unpinned && alone.by == .design)
    }

    @Test func `a host that begins with a dot throws`() {
        let verdict = verdict(domainConfig(["example.com"], pinSet([1])), Lab.served(host: ".example.com"))
        #expect(verdict.kind == .rejectChain && verdict.code == "invalid_host")
    }

    @Test(
        "what the platform refuses is a configuration error in its words",
        arguments: refusals)
    func malformed(_ lines: String, _ words: String) {
        let policy = policy(lines)
        #expect(policy.configurationError?.code == "malformed_config")
        let verdict = policy.verdict(for: Lab.served())
        #expect(verdict.kind == .configError && verdict.reason.contains(words), "\(verdict.reason)")
    }

    @Test(
        "vector 43: a pin that is no SHA-256 of 32 bytes crashes the app",
        arguments: [
            ("SHA-256", "\(unpadded.dropLast())", "digest length 31 does not match"),
            ("SHA-256", "sha256/\(Lab.base64(1))", "Invalid pin digest"), ("SHA-256", "", "Missing pin digest"),
            ("SHA-256", "\(Lab.base64(1))=", "Invalid pin digest"), ("SHA-256", "A", "Invalid pin digest"),
            ("SHA-256", "\(Lab.base64(1))<b/>", "pin contains additional elements"),
            ("SHA-1", Lab.base64(1), "Unsupported pin digest algorithm: SHA-1"),
        ])
    func vector43(_ digest: String, _ text: String, _ words: String) {
        let verdict = verdict(
            domainConfig(["a.test"], "<pin-set><pin digest=\"\(digest)\">\(text)</pin></pin-set>"))
        #expect(verdict.kind == .configError && verdict.code == "malformed_pin")
        #expect(verdict.reason.contains(words), "\(verdict.reason)")
    }

    private static let unpadded = String(Lab.base64(1).dropLast())

    @Test(
        "pins may be written as Android's decoder takes them",
        arguments: [
            Lab.base64(1), unpadded, " \n \(Lab.base64(1))\n", "\(unpadded.prefix(20))\n\(unpadded.dropFirst(20))",
            "-_.\(Lab.base64(1))",
        ])
    func notations(_ text: String) {
        let pin = "<pin-set><pin digest=\"sha-256\">\(text)</pin></pin-set>"
        #expect(verdict(domainConfig(["api.example.com"], pin)).kind == .accept)
    }

    @Test func `malformed XML and another root are configuration errors`() {
        for text in ["", "<network-security-config>", "<a><b></a></b>"] {
            let file = NetworkSecurityFile(text, place: "nsc.xml", resources: Lab.resources())
            #expect(AndroidNSCPolicy(file: file).configurationError?.code == "malformed_xml")
        }
        let other = NetworkSecurityFile("<resources/>", place: "nsc.xml", resources: Lab.resources())
        let error = AndroidNSCPolicy(file: other).configurationError
        #expect(error?.reason.contains("found resources, expected network-security-config") == true)
    }

    @Test func `what is wrong in debug-overrides stops debuggable apps alone`() {
        let lines = domainConfig(["api.example.com"], pinSet([1])) + "<debug-overrides>\(pinSet([1]))</debug-overrides>"
        #expect(policy(lines, debuggable: true).configurationError?.kind == .configError)
        #expect(policy(lines).configurationError == nil && verdict(lines).kind == .accept)
        #expect(verdict(lines, Lab.served(release: Lab.release(variant: .debug))).kind == .configError)
    }

    @Test func `elements that the platform does not know are skipped with what is in them`() {
        let lines =
            "<other>\(domainConfig(["a.test", "a.test"], ""))</other>"
            + domainConfig(["api.example.com"], "<x><pin-set/><pin-set/></x>" + pinSet([1]) + "<trustkit-config/>")
        #expect(verdict(lines).kind == .accept)
    }

    private static let refusals: [(String, String)] = [
        (domainConfig(["a.test", "A.test"], ""), "line 2, column 1: a.test has already been specified"),
        (domainConfig(["a.test"], domainConfig(["a.test"], "")), "a.test has already been specified"),
        (domainConfig(["a.test"], "") + domainConfig(["a.test"], ""), "a.test has already been specified"),
        ("<domain-config></domain-config>", "No domain elements in domain-config"),
        (domainConfig(["a.test"], "<domain-config/>"), "No domain elements in domain-config"),
        (domainConfig(["a.test"], pinSet([1]) + pinSet([2])), "Multiple pin-set elements not allowed"),
        (
            domainConfig(["a.test"], "<trust-anchors/><trust-anchors/>"),
            "Multiple trust-anchor elements not allowed"
        ),
        ("<base-config>\(pinSet([1]))</base-config>", "pin-set element not allowed in base-config"),
        ("<base-config><domain>a</domain></base-config>", "domain element not allowed in base-config"),
        ("<base-config><domain-config/></base-config>", "Nested domain-config not allowed in base-config"),
        ("<base-config/><base-config/>", "Only one base-config allowed"),
        ("<debug-overrides/><debug-overrides/>", "Only one debug-overrides allowed"),
        (domainConfig(["a.test"], pinSet([1], expiration: "2027-02-30")), "Invalid expiration date in pin-set"),
        (domainConfig(["a.test"], pinSet([1], expiration: "")), "Invalid expiration date in pin-set"),
        (domainConfig(["a.test"], pinSet([1], expiration: "30.06.2027")), "Invalid expiration date in pin-set"),
        (domainConfig([" "], ""), "Domain name missing"),
        (domainConfig(["<b/>"], ""), "Domain name missing"),
        (domainConfig(["a.test<b/>"], ""), "domain contains additional elements"),
        (domainConfig(["a.test"], "<trust-anchors><certificates/></trust-anchors>"), "missing src attribute"),
        (
            domainConfig(["a.test"], "<trust-anchors><certificates src=\"all\"/></trust-anchors>"),
            "Unknown certificates src"
        ),
    ]
}
