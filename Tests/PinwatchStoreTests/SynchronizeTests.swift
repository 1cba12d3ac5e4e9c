import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Synchronising the configuration") struct SynchronizeTests {
    @Test func `the same configuration twice writes nothing the second time`() async throws {
        let fixture = try await StoreFixture()
        let configuration = fixture.configuration(
            hosts: ["a.example", "b.example"], channels: ["ops"], pinSets: [pinSet("one")])
        let first = try await fixture.synchronize(configuration)
        let changes = try await fixture.count("SELECT total_changes()")
        let second = try await fixture.synchronize(configuration, at: noon + 60)
        #expect(try await fixture.count("SELECT total_changes()") == changes)
        #expect(second.targets == first.targets)
        #expect(second.pinSets.map(\.id) == first.pinSets.map(\.id))
        #expect(first.events.map(\.event.kind) == [.targetAdded, .targetAdded])
        #expect(second.events.isEmpty)
    }

    @Test func `a removed target keeps its number and history, and is the same one when it comes back`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("a.example").first)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        let gone = try await fixture.synchronize(fixture.configuration(hosts: []), at: noon + 60)
        #expect(gone.targets.isEmpty && gone.events.map(\.event.kind) == [.targetRemoved])
        #expect(try await fixture.store.targets(PageRequest()).total == 0)
        #expect(try await fixture.store.target(target.id) == nil)
        let spans = try await fixture.store.spans(of: target.id, PageRequest())
        #expect(spans.items.map(\.span.closedAt) == [noon + 60])
        #expect(spans.items.first?.span.servings.map(\.current) == [false])

        let back = try await fixture.synchronize(fixture.configuration(hosts: ["a.example"]), at: noon + 120)
        #expect(back.targets.map(\.target.id) == [target.id])
        #expect(back.targets.map(\.lastScanAt) == [nil])
    }

    @Test func `a scan of a target that was removed meanwhile is dropped`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("a.example").first)
        _ = try await fixture.synchronize(fixture.configuration(hosts: []))
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        #expect(try await fixture.count(of: "span") == 0)
    }

    @Test func `changed settings are stored and the host is judged again`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example")
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon, limit: 10).judged > 0 {}
        var configuration = fixture.configuration(hosts: [])
        configuration.targets = [settings("a.example", labels: ["app": "shop"], owner: .thirdParty)]
        let changed = try await fixture.synchronize(configuration, at: noon + 1)
        #expect(changed.targets.first?.target.settings.labels == ["app": "shop"])
        #expect(try await fixture.store.targets(PageRequest(filters: ["owner": ["third_party"]])).total == 1)
        #expect(try await fixture.store.targets(PageRequest(filters: ["label": ["app:shop"]])).total == 1)
        #expect(try await fixture.count("SELECT count(*) FROM evaluation WHERE scope_key = 'host/a.example'") == 1)
    }

    @Test func `a pin set whose text differs keeps its number and has everything judged again`() async throws {
        let fixture = try await StoreFixture()
        let first = try await fixture.synchronize(fixture.configuration(pinSets: [pinSet("one")]))
        while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon, limit: 10).judged > 0 {}
        let second = try await fixture.synchronize(fixture.configuration(pinSets: [pinSet("two")]), at: noon + 9)
        #expect(second.pinSets.map(\.id) == first.pinSets.map(\.id))
        #expect(try await fixture.count("SELECT min(next_change_at) FROM evaluation") == (noon + 9).unixSeconds)
        #expect(try await fixture.store.summary(now: noon).pinSets == 1)
        _ = try await fixture.synchronize(fixture.configuration())
        #expect(try await fixture.store.summary(now: noon).pinSets == 0)
    }

    @Test func `a pin whose file holds another key has everything judged again, though the text is the same`()
        async throws
    {
        let fixture = try await StoreFixture()
        let certificate = CertificateSummary(fingerprint: digest(1))
        let held: [PinFile] = [
            .publicKey(spki: digest(1)), .publicKey(spki: digest(2)), .certificate(certificate, isDER: true),
            .certificate(certificate, isDER: false),
            .certificate(CertificateSummary(fingerprint: digest(2)), isDER: false),
        ]
        for (index, file) in held.enumerated() {
            let now = noon + Int64(index) * 60
            for (again, changes) in [(0, Int64(1)), (1, 0)] {
                let at = now + Int64(again) * 30
                let configuration = fixture.configuration(pinSets: [pinSet("one", file: file)])
                _ = try await fixture.synchronize(configuration, at: at)
                let scheduled = "SELECT count(*) FROM evaluation WHERE scope_key LIKE 'pin-set/%' AND next_change_at = "
                #expect(try await fixture.count(scheduled + "\(at.unixSeconds)") == changes, "\(file)")
                while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: at, limit: 10).judged > 0 {}
            }
        }
    }

    @Test func `what a policy's own file held counts too, and shows in the audit by its length`() async throws {
        let fixture = try await StoreFixture()
        let scheduled = "SELECT count(*) FROM evaluation WHERE scope_key LIKE 'pin-set/%' AND next_change_at = "
        for (index, (text, changes)) in [("<a/>", Int64(1)), ("<a/>", 0), ("<b/>", 1)].enumerated() {
            let at = noon + Int64(index) * 30
            let configuration = fixture.configuration(pinSets: [pinSet("one", text: text)])
            _ = try await fixture.synchronize(configuration, at: at)
            #expect(try await fixture.count(scheduled + "\(at.unixSeconds)") == changes, "\(text) at \(index)")
            while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: at, limit: 10).judged > 0 {}
        }
        let fields = pinSet("one", text: "<c/>").fields
        #expect(fields.first { $0.0 == "read_files" }?.1 == .strings(["nsc.xml (4 bytes)"]))
    }

    @Test func `only another trust store or newer rules have everything judged again at a start`() async throws {
        let fixture = try await StoreFixture()
        let configuration = fixture.configuration(pinSets: [pinSet("one")])
        var now = noon
        /// Starts with some trust stores, and says whether all scopes became due by that.
        func start(_ trustStores: [String: SHA256Digest]) async throws -> Bool {
            now = now + 10
            while try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: now, limit: 10).judged > 0 {}
            now = now + 10
            _ = try await fixture.synchronize(configuration, trustStores: trustStores, at: now)
            let due = try await fixture.count(
                "SELECT count(*) FROM evaluation WHERE next_change_at = \(now.unixSeconds)")
            return due == 3
        }
        #expect(try await start(["system": digest(1)]))
        #expect(try await start(["system": digest(1)]) == false)
        #expect(try await start(["system": digest(2)]))
        #expect(try await start(["system": digest(2), "lab": digest(3)]))
        #expect(try await start(["lab": digest(3), "system": digest(2)]) == false)
        #expect(try await start(["other": digest(3), "system": digest(2)]))
        #expect(try await start(["system": digest(2)]))
        #expect(try await start(["system": digest(2)]) == false)
        let version = "\"evaluator\":\(Evaluator.rulesVersion)"
        _ = try await fixture.store.writer.statement(
            "UPDATE meta SET value = replace(value, '\(version)', '\"evaluator\":0') WHERE name = 'rules'")
        #expect(try await start(["system": digest(2)]))
        #expect(try await start(["system": digest(2)]) == false)
    }

    @Test func `a disabled channel is enabled by another URL, and a channel that is gone drops what it was owed`()
        async throws
    {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        try await fixture.store.compose([message("msg_1", items: []), message("msg_2", items: [])])
        let attempt = Attempt(at: noon, status: 410, error: "gone", milliseconds: 3)
        try await fixture.store.record(attempt, of: 1, result: .channelGone, now: noon)
        #expect(try await fixture.store.deliveries(PageRequest()).items.map(\.state) == [.dead, .dead])
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        #expect(try await fixture.count("SELECT disabled_at FROM channel_state") == noon.unixSeconds)
        try await fixture.store.compose([message("msg_3", items: [])])
        #expect(try await fixture.store.deliveries(PageRequest()).items.first?.state == .dead)

        _ = try await fixture.store.synchronize(
            fixture.configuration(channels: ["ops"]), trustStores: [:], urlHash: { _ in [9] },
            readPinSet: readPins, now: noon)
        #expect(try await fixture.store.writer.statement("SELECT disabled_at FROM channel_state") == [[.null]])
        try await fixture.store.compose([message("msg_4", items: [])])
        _ = try await fixture.synchronize(fixture.configuration())
        #expect(try await fixture.store.deliveries(PageRequest()).items.first?.state == .dropped)
    }

    private func pinSet(_ source: String, file: PinFile? = nil, text: String? = nil) -> PinSetDefinition {
        let policy =
            file.map { FilePolicy(pin: .file(path: "a.pem", $0)) }
            ?? text.map { FilePolicy(pin: .spki(text: "AAAA"), readTexts: [PolicyText(path: "nsc.xml", text: $0)]) }
        let layers = policy.map { [PinLayer(client: .generic, clientVersion: nil, policy: $0)] }
        return PinSetDefinition(
            identity: PinSetIdentity(app: "shop", release: "1", variant: .release, stack: "default"), share: 0.5,
            platform: nil, trustStore: nil, layers: layers ?? [], source: source, origin: "pins.yaml",
            managedBy: .config)
    }
}

/// A policy of one pin, which nothing here judges by.
private struct FilePolicy: PinPolicy {
    let pin: Pin
    var allPins: [Pin] { [pin] }
    var hosts: [PinnedHost] { [] }
    var expiries: [PinExpiry] { [] }
    let readTexts: [PolicyText]
    init(pin: Pin, readTexts: [PolicyText] = []) {
        self.pin = pin
        self.readTexts = readTexts
    }
    init?(from node: Node, reader: inout NodeReader) { nil }
    func verdict(for presentation: Presentation) -> Verdict { Verdict(.unknown, code: "none", reason: "none") }
    func pins(for host: String, now: Instant) -> [Pin] { [pin] }
    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
}

func message(_ id: String, channel: String = "ops", alert: AlertID? = nil, items: [Int64]) -> ComposedMessage {
    ComposedMessage(
        messageID: id, type: "alert.opened", channel: channel, alertID: alert, body: Array("{}".utf8), items: items,
        createdAt: noon)
}
