import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Stored forms") struct StoredFormTests {
    @Test(arguments: [
        JSON.null, .integer(.min), .number(0.1), .number(3), .number(1e300),
        .string("\u{0}\u{1F}\u{7F}\u{2028}\"\\/é🔑"),
        .array([]), .object([("b", .array([.bool(false)])), ("a", .object([])), ("", .null)]),
    ])
    func `JSON comes back equal, members in order`(value: JSON) {
        #expect(JSON(stored: value.text) == value)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "nul", "\"", "\"\\u12\"", "\"\\x\"", "1 2", "--1",
        #"{"a":1,"a":1}"#, "01", "\u{1}",
        String(repeating: "[", count: 9_999),
    ])
    func `text that is not one JSON value is refused`(text: String) {
        #expect(JSON(stored: text) == nil)
    }

    @Test(arguments: [
        Outcome.ok, .clientCertificateRequired(message: "m"), .resolveFailed(message: "m"),
        .connectRefused(message: "m"),
        .connectTimeout(message: "m"), .unreachable(message: "m"), .proxyRefused(message: "m"),
        .startTLSRefused(message: "m"), .handshakeTimeout(message: "m"), .closed(message: "m"), .reset(message: "m"),
        .notTLS(firstBytes: [0, 255, 10]), .alert(number: 40, name: "handshake_failure"), .noCertificate(message: "m"),
        .noSuchKeyFamily(message: "m"), .protocolUnsupported(message: "m"), .certificateTooLarge(limit: 100_000),
        .certificateMalformed(message: "m"), .blockedByPolicy(rule: "deny_addresses 169.254.0.0/16"),
    ])
    func `every outcome is read back from its word and detail`(outcome: Outcome) throws {
        let detail = try #require(JSON(stored: outcome.detail.text))
        #expect(try Outcome(word: outcome.word, detail: detail) == outcome)
        #expect((outcome.message == nil) == (outcome == .ok))
    }

    @Test func `a verdict is read back with its layers, paths and match`() throws {
        let verdict = Verdict(
            .unpinned, by: .trap, code: "c", reason: "r\u{0}", notes: ["n"],
            paths: [Verdict.PathVerdict(anchorSubject: nil, anchor: digest(1), kind: .accept)],
            matched: PinMatch(pin: "sha256/x", position: "leaf", certificate: digest(2)))
        let release = ReleaseVerdict(
            layers: [ReleaseVerdict.Layer(client: .urlSession, verdict: verdict)],
            deciding: Verdict(.accept, code: "ok", reason: ""))
        #expect(try ReleaseVerdict(stored: StoredObject(release.stored.text)) == release)
    }

    @Test func `a finding with everything and one with nothing are read back`() throws {
        let full = finding("k", target: TargetID(5), stale: true)
        let bare = Finding(
            key: "k", kind: .hostUnpinned, severity: .info, subject: "", summary: "", nextStep: "", since: noon)
        for finding in [full, bare] {
            #expect(try Finding(stored: StoredObject(finding.stored.text)) == finding)
        }
    }
}
