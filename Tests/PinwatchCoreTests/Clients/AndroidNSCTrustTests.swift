import Testing

@testable import PinwatchCore

@Suite struct AndroidNSCTrustTests {
    private func policy(_ lines: String) -> AndroidNSCPolicy {
        AndroidNSCPolicy(file: NetworkSecurityFile(securityConfig(lines), place: "nsc.xml", resources: Lab.resources()))
    }

    private let raw = "<trust-anchors><certificates src=\"@raw/corp_ca\"/></trust-anchors>"

    @Test func `below API 24 the file is ignored, faults and all`() {
        for lines in [domainConfig(["api.example.com"], pinSet([9])), "<base-config/><base-config/>"] {
            let old = policy(lines).verdict(for: Lab.served(release: Lab.release(.android, "23")))
            #expect(old.kind == .unpinned && old.by == .trap && old.code == "platform_too_old")
            let broken = Lab.served(sent: [Lab.leaf], paths: [], release: Lab.release(.android, "23"))
            #expect(policy(lines).verdict(for: broken).kind == .rejectChain)
        }
        let new = Lab.served(release: Lab.release(.android, "24"))
        let policy = policy(domainConfig(["api.example.com"], pinSet([9])))
        #expect(policy.verdict(for: new).kind == .rejectPin && policy.verdict(for: new).notes.isEmpty)
        let open = policy.verdict(for: Lab.served())
        #expect(open.kind == .rejectPin && open.notes.first?.contains("API 24) or newer is assumed") == true)
    }

    @Test func `another system has none of this, faults and all`() {
        for lines in [domainConfig(["api.example.com"], pinSet([9])), "<base-config/><base-config/>"] {
            let verdict = policy(lines).verdict(for: Lab.served(release: Lab.release(.jvm)))
            #expect(verdict.kind == .notEvaluated && verdict.code == "other_platform")
        }
    }

    @Test func `a wrong host name is rejected, whatever the pins`() {
        let verdict = policy(domainConfig(["api.example.com"], pinSet([1]))).verdict(
            for: Lab.served(hostMatches: false))
        #expect(verdict.kind == .rejectChain && verdict.code == "host_mismatch")
    }

    @Test func `the first anchor's dates are not looked at, the leaf's are`() {
        let policy = policy(domainConfig(["api.example.com"], pinSet([3])))
        let old = Path(certificates: [Lab.leaf, Lab.intermediate], anchor: Lab.issued(3, by: 3, ends: -1))
        #expect(policy.verdict(for: Lab.served(paths: [old])).kind == .accept)
        let leaf = Lab.issued(1, by: 2, ends: -1)
        let ended = Path(certificates: [leaf, Lab.intermediate], anchor: Lab.root)
        let verdict = policy.verdict(for: Lab.served(sent: [leaf, Lab.intermediate], paths: [ended]))
        #expect(verdict.kind == .rejectChain && verdict.code == "expired" && verdict.reason.contains("The leaf"))
    }

    @Test func `a leaf that is itself an anchor is not validated, expired or not`() {
        let leaf = Lab.issued(1, by: 2, ends: -1)
        let path = Path(certificates: [leaf], anchor: leaf)
        let shown = Lab.served(sent: [leaf], paths: [path])
        #expect(policy(domainConfig(["api.example.com"], pinSet([1]))).verdict(for: shown).kind == .accept)
        #expect(policy(domainConfig(["api.example.com"], pinSet([2]))).verdict(for: shown).kind == .rejectPin)
    }

    @Test func `an empty trust-anchors trusts nothing`() {
        let lines = domainConfig(["api.example.com"], pinSet([1]) + "<trust-anchors/>")
        let verdict = policy(lines).verdict(for: Lab.served())
        #expect(verdict.kind == .rejectChain && verdict.reason.contains("does not trust"))
    }

    @Test func `anchors come from the nearest configuration, base-config last, wherever it stands`() {
        let base = "<base-config><trust-anchors/></base-config>"
        let own = "<trust-anchors><certificates src=\"system\"/></trust-anchors>"
        #expect(
            policy(domainConfig(["api.example.com"], pinSet([1])) + base).verdict(for: Lab.served()).kind
                == .rejectChain
        )
        let nested = domainConfig(["+example.com"], own + domainConfig(["api.example.com"], pinSet([1])))
        let policy = policy(base + nested)
        #expect(policy.verdict(for: Lab.served()).kind == .accept)
        #expect(policy.verdict(for: Lab.served(host: "other.test")).kind == .rejectChain)
        #expect(policy.concerns(host: "other.test"))
    }

    @Test func `hosts without a domain are of no concern, but where the file stops or restricts all`() {
        let config = domainConfig(["api.example.com"], pinSet([1]))
        let debug = "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>"
        #expect(!policy(config + debug).concerns(host: "other.test"))
        #expect(policy(config + "<debug-overrides>\(pinSet([1]))</debug-overrides>").concerns(host: "other.test"))
        #expect(policy("<base-config/><base-config/>").concerns(host: "other.test"))
        #expect(policy(config).concerns(host: ".example.com"))
    }

    @Test func `a resource's certificate is not at hand, unless a store is given`() {
        let policy = policy(domainConfig(["api.example.com"], pinSet([1]) + raw))
        for shown in [Lab.served(), Lab.served(sent: [Lab.leaf], paths: [])] {
            let verdict = policy.verdict(for: shown)
            #expect(verdict.kind == .unknown && verdict.code == "anchor_not_at_hand")
            #expect(verdict.reason.contains("@raw/corp_ca"))
        }
        let given = Path(certificates: [Lab.leaf, Lab.intermediate], anchor: Lab.root, source: .given)
        #expect(policy.verdict(for: Lab.served(paths: [given])).kind == .accept)
    }

    @Test func `a resource that overrides pins is told of beside the system's anchors`() {
        let anchors =
            "<trust-anchors><certificates src=\"system\"/><certificates src=\"@raw/ca\" overridePins=\"true\"/>"
            + "</trust-anchors>"
        let verdict = policy(domainConfig(["api.example.com"], pinSet([9]) + anchors)).verdict(for: Lab.served())
        #expect(verdict.kind == .rejectPin && verdict.notes.contains { $0.contains("@raw/ca overrides pins") })
    }

    @Test func `a file's text is told beside its pins, and what cannot be read is a problem`() {
        let text = securityConfig(domainConfig(["api.example.com"], pinSet([1])))
        let read = Lab.read(AndroidNSCPolicy.self, .map(["file": .text("nsc.xml")]), files: ["nsc.xml": text])
        #expect(read.problems.isEmpty && read.policy?.readTexts == [PolicyText(path: "nsc.xml", text: text)])
        #expect(read.policy?.verdict(for: Lab.served()).kind == .accept)
        let inline = Lab.read(
            AndroidNSCPolicy.self,
            .map(["xml": .text(text), "debuggable": .plain("true"), "target_sdk": .plain("23")]))
        #expect(inline.policy?.debuggable == true && inline.policy?.targetSDK == 23 && inline.policy?.readTexts == [])
    }

    @Test(
        "a policy is the XML or its file",
        arguments: [
            (Node.map([:]), "policy needs the key \"xml\" or \"file\""),
            (.map(["xml": .text("<a/>"), "file": .text("a")]), "policy takes \"xml\" or \"file\", not both"),
            (.map(["file": .text("gone.xml")]), "file gone.xml: there is no such file"),
            (
                .map(["file": .text("bin.xml")]),
                "file bin.xml is binary XML from an APK; name the source file, or decode it first"
            ),
            (
                .map(["xml": .text("<a/>"), "minsdk": .plain("1")]),
                "unknown key \"minsdk\" in policy; allowed: xml, file, debuggable, target_sdk"
            ),
            (.map(["xml": .text("<a/>"), "debuggable": .plain("1")]), "debuggable must be true or false, not \"1\""),
        ])
    func problems(_ node: Node, _ message: String) {
        let read = Lab.read(AndroidNSCPolicy.self, node, files: ["bin.xml": "\u{3}\u{0}\u{8}\u{0}"])
        #expect(read.policy == nil && read.problems == [message])
    }

    @Test func `elements keep their lines for who looks for traps in them`() throws {
        let lines =
            "<base-config cleartextTrafficPermitted=\"true\"/>\n<domain-config>\n<domain>a.test</domain>\n"
            + "\(pinSet([1]))\n<trustkit-config enforcePinning=\"true\"/>\n</domain-config>"
        let config = try NetworkSecurityConfig(LabXML.root(of: securityConfig(lines)))
        #expect(config.base?.cleartextPermitted == true && config.base?.mark.line == 2)
        #expect(config.entries.first?.mark.line == 3 && config.entries.first?.domains.first?.mark.line == 4)
        #expect(config.entries.first?.pinSet?.pins.first?.mark.line == 5)
        #expect(config.entries.first?.trustKit?.enforcesPinning == true)
        #expect(config.entries.first?.cleartextPermitted == nil)
    }
}
