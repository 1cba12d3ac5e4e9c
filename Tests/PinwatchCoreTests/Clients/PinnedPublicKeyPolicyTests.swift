import Testing

@testable import PinwatchCore

@Suite struct PinnedPublicKeyPolicyTests {
    private static let key = "sha256//" + Lab.base64(1)
    private static let other = "sha256//" + Lab.base64(9)

    private func shown(_ version: String?, sent: [CertificateSummary] = [Lab.leaf, Lab.intermediate]) -> Presentation {
        Lab.served(sent: sent, release: Lab.release(client: version))
    }

    private func curl(_ list: String, _ version: String?) -> Verdict {
        CurlPolicy(.list(list)).verdict(for: shown(version))
    }

    @Test(
        "vectors 56 to 57c and those of section 7.1: how each splitter cuts a list",
        arguments: [
            (key, true, true), ("sha256//" + Lab.base64(2), false, false), ("\(other);\(key)", true, true),
            ("sha256//bad;\(key)", true, true), ("\(other);junk;\(key)", true, false),
            ("\(other); \(key)", false, false),
            ("\(key); \(other)", false, true), ("\(key);", false, true), ("\(key);junk", false, true),
            (String(key.dropLast()), false, false), ("sha256//", false, false), ("\(key);;\(other)", false, true),
        ])
    func lists(_ list: String, _ old: Bool, _ new: Bool) {
        #expect((curl(list, "7.88.1").kind == .accept) == old && (curl(list, "8.17.0").kind == .accept) == old)
        #expect((curl(list, "8.18.0").kind == .accept) == new && (curl(list, "9").kind == .accept) == new)
        #expect((WgetPolicy(.list(list)).verdict(for: shown("1.21.3")).kind == .accept) == old)
        let open = curl(list, nil)
        #expect(open.kind == (old == new ? (new ? .accept : .rejectPin) : .unknown))
        #expect(old == new || open.code == "depends_on_version")
    }

    @Test func `what a splitter makes of a list is said`() {
        let spoilt = curl("\(Self.key); \(Self.other)", "7.88.1")
        #expect(spoilt.code == "no_pin_matched" && spoilt.notes.first?.contains("read as one pin") == true)
        let stopped = curl("\(Self.other);junk;\(Self.key)", "8.18.0")
        #expect(stopped.notes.first?.contains("reading stops at \"junk;\(Self.key)\"") == true)
        #expect(curl("\(Self.key);", "8.18.0").notes.isEmpty)
        let unpadded = curl(String(Self.key.dropLast()), "8.18.0")
        #expect(unpadded.notes.first?.contains("written as \(Self.key) it would match") == true)
        #expect(unpadded.reason.contains("the only pin for --pinnedpubkey does not match the leaf"))
    }

    @Test(
        "wget decodes, skips white space, and needs padding",
        arguments: [
            (Lab.base64(1), true), (" " + Lab.base64(1) + "\n", true), (String(Lab.base64(1).dropLast()), false),
            (
                Lab.digest(2, 1).base64url.contains("_") ? Lab.base64(1) : Lab.base64(1) + "AAAA",
                Lab.digest(2, 1).base64url.contains("_")
            ),
            ("A===", false), ("AA=A", false), (Lab.base64(1) + "!", false),
        ])
    func wget(_ text: String, _ matches: Bool) {
        #expect(Wget.matches(text, Lab.digest(2, 1)) == matches)
    }

    @Test func `a newer wget than was looked at is said to be inferred`() {
        let verdict = WgetPolicy(.list(Self.key)).verdict(for: shown("1.25.0"))
        #expect(verdict.kind == .accept && verdict.notes.first?.contains("taken to cut the list as 1.24.5") == true)
        #expect(WgetPolicy(.list(Self.key)).verdict(for: shown("1.24.5")).notes.isEmpty)
    }

    @Test func `plain validation goes first, and hosts make no difference`() {
        let policy = CurlPolicy(.list(Self.key))
        #expect(policy.verdict(for: Lab.served(sent: [Lab.leaf], paths: [])).kind == .rejectChain)
        #expect(policy.verdict(for: Lab.served(hostMatches: false)).code == "host_mismatch")
        #expect(policy.verdict(for: Lab.served(host: "other.test")).kind == .accept && policy.concerns(host: "x"))
        #expect(policy.pins(for: "x", now: Lab.now) == policy.allPins && policy.expiries == [])
        #expect(policy.allPins.map(\.text) == [Self.key] && policy.hosts.map(\.pattern) == ["*"])
        #expect(policy.allPins.allSatisfy { policy.pin($0, matches: Lab.leaf) })
        #expect(!policy.pin(.certificate(Lab.digest(1, 1)), matches: Lab.leaf))
    }

    @Test(
        "a value that is no list names a key's file",
        arguments: [
            ("key.pem", VerdictKind.accept), ("file:key.pem", .accept), ("wrong.pem", .rejectPin),
            ("certificate.pem", .rejectPin), ("junk.pem", .rejectPin),
        ])
    func files(_ value: String, _ kind: VerdictKind) {
        let files = ["key.pem": "key 1", "wrong.pem": "key 9", "certificate.pem": "certificate 1", "junk.pem": "x"]
        let read = Lab.read(CurlPolicy.self, .map(["pinnedpubkey": .text(value)]), files: files)
        let verdict = read.policy?.verdict(for: shown("8.18"))
        #expect(read.problems.isEmpty && verdict?.kind == kind)
        let isUnusable = value == "certificate.pem" || value == "junk.pem"
        #expect((verdict?.code == "malformed_pin") == isUnusable)
    }

    @Test func `a file that is not there, a missing value and unknown keys are problems`() {
        #expect(
            Lab.read(CurlPolicy.self, .map(["pinnedpubkey": .text("gone.pem")])).problems == [
                "pinnedpubkey is a list that begins with sha256// or a key's file; gone.pem: there is no such file"
            ])
        #expect(
            Lab.read(WgetPolicy.self, .map(["pins": .text("x")])).problems == [
                "unknown key \"pins\" in policy; allowed: pinnedpubkey", "policy needs the key \"pinnedpubkey\"",
            ])
        let listed = Lab.read(WgetPolicy.self, .map(["pinnedpubkey": .text(Self.key)]))
        #expect(listed.policy?.allPins.map(\.text) == [Self.key])
    }
}
