import PinwatchCore
import Testing

@Suite struct RecordShapesTests {
    private let now = Instant(unixSeconds: 1_796_040_000)

    private func digest(_ byte: UInt8) throws -> SHA256Digest {
        try #require(SHA256Digest([UInt8](repeating: byte, count: 32)))
    }

    @Test func `A span names each address once, from its first hello to its last`() throws {
        let (one, two) = (try #require(IPAddress("192.0.2.2")), try #require(IPAddress("2001:db8::1")))
        func serving(_ address: IPAddress, _ profile: HelloProfile, _ first: Int64, _ last: Int64) -> Serving {
            Serving(address: address, profile: profile, firstSeen: now + first, lastSeen: now + last, current: true)
        }
        let span = Span(
            id: SpanID(7), family: .ecdsa, chain: ChainID(digest: try digest(9)), firstSeen: now, lastSeen: now + 60,
            closedAt: nil, scans: 3, flaps: 1,
            servings: [serving(two, .phone, 0, 5), serving(one, .phone, 10, 20), serving(one, .legacy, 5, 60)])
        let record = SpanRecord(targetID: TargetID(1), span: span, chain: [try digest(1)], spki: nil)
        let addresses =
            #"[{"address":"192.0.2.2","first_seen":"2026-11-30T12:00:05Z","last_seen":"2026-11-30T12:01:00Z","#
            + #""current":true},"#
            + #"{"address":"2001:db8::1","first_seen":"2026-11-30T12:00:00Z","last_seen":"2026-11-30T12:00:05Z","#
            + #""current":true}]"#
        #expect(
            record.json.text == #"{"id":"7","target_id":"1","key_family":"ecdsa","chain":["\#(try digest(1).hex)"],"#
                + #""spki":null,"first_seen":"2026-11-30T12:00:00Z","last_seen":"2026-11-30T12:01:00Z","open":true,"#
                + #""scans":3,"flaps":1,"addresses":\#(addresses)}"#)
    }

    @Test func `An observation of a name that did not resolve has null for what is unknown`() {
        let name = HostName(checked: "gone.example")
        let identity = TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil)
        let observation = Observation(
            at: now, address: nil, profile: .phone, outcome: .resolveFailed(message: "no such name"))
        let record = ObservationRecord(
            id: 1, targetID: TargetID(1), identity: identity, observation: observation, fingerprints: [], weak: [],
            firstAt: now - 60, times: 2)
        #expect(
            record.json.text == #"{"target_id":"1","at":"2026-11-30T12:00:00Z","address":null,"port":443,"#
                + #""sni":"gone.example","starttls":null,"profile":"phone","outcome":"resolve_failed","#
                + #""detail":{"message":"no such name"},"tls_version":null,"cipher":null,"alpn":null,"#
                + #""key_family":null,"chain":[],"weak":[],"stapled_ocsp":false,"scts":0,"duration_ms":0,"#
                + #""first_at":"2026-11-30T11:59:00Z","times":2}"#)
    }

    @Test func `A verdict shows the release, the deciding words and every layer`() throws {
        let verdict = Verdict(.rejectPin, code: "no_pin_matched", reason: "No pin matches.", notes: ["n"])
        let identity = PinSetIdentity(app: "shop", release: "5.1", variant: .debug, stack: "default")
        let record = VerdictRecord(
            pinSetID: PinSetID(3), pinSet: identity, targetID: TargetID(1),
            address: try #require(IPAddress("192.0.2.1")), family: nil, chain: [try digest(1)],
            verdict: ReleaseVerdict(layers: [.init(client: .generic, verdict: verdict)], deciding: verdict))
        let words =
            #""verdict":"reject_pin","by":null,"code":"no_pin_matched","reason":"No pin matches.","notes":["n"],"matched":null"#
        #expect(
            record.json.text == #"{"pin_set_id":"3","app":"shop","release":"5.1","variant":"debug","#
                + #""address":"192.0.2.1","key_family":null,"chain":["\#(try digest(1).hex)"],\#(words),"#
                + #""layers":[{"client":"generic",\#(words)}]}"#)
    }

    @Test func `A delivery shows its attempts and never its body`() {
        let attempt = Attempt(at: now, status: nil, error: "refused", milliseconds: 4)
        let delivery = Delivery(
            id: 5, messageID: "msg_1", type: "alert.opened", channel: "ops", alertID: nil, body: Array("secret".utf8),
            state: .pending, attempts: [attempt], nextAttemptAt: nil, createdAt: now)
        #expect(
            delivery.json.text == #"{"id":"5","message_id":"msg_1","alert_id":null,"type":"alert.opened","#
                + #""channel":"ops","state":"pending","attempts":[{"at":"2026-11-30T12:00:00Z","status":null,"#
                + #""error":"refused","ms":4}],"next_attempt_at":null,"created_at":"2026-11-30T12:00:00Z"}"#)
    }
}
