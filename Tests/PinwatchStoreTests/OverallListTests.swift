import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Lists over all targets") struct OverallListTests {
    /// Pins the whole certificate of ``chain(_:key:)`` 1 with key 1.
    private struct CertificatePolicy: PinPolicy {
        let host: String
        private let pinned = Pin.certificate(digest(0x0101))

        init(host: String) { self.host = host }
        init?(from node: Node, reader: inout NodeReader) { nil }
        var allPins: [Pin] { [pinned] }
        var hosts: [PinnedHost] { [PinnedHost(pattern: host, match: "leaf", pins: allPins, expires: nil)] }
        var expiries: [PinExpiry] { [] }
        func concerns(host: String) -> Bool { host == self.host }
        func pins(for host: String, now: Instant) -> [Pin] { concerns(host: host) ? [pinned] : [] }
        func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool {
            pin == .certificate(certificate.fingerprint)
        }
        func verdict(for presentation: Presentation) -> Verdict {
            let holds = presentation.assessment.leaf.map { pin(pinned, matches: $0) } ?? false
            return Verdict(holds ? .accept : .rejectPin, code: holds ? "ok" : "no_match", reason: "by the certificate")
        }
    }

    private func certificatePinned(_ app: String, host: String) -> PinSetDefinition {
        PinSetDefinition(
            identity: PinSetIdentity(app: app, release: "1", variant: .release, stack: "default"), share: 0.25,
            platform: nil, trustStore: nil,
            layers: [PinLayer(client: .generic, clientVersion: nil, policy: CertificatePolicy(host: host))],
            source: app + " " + host, origin: "test", managedBy: .config)
    }

    /// `a.example` serves certificate 1, which `bank` pins and `shop` rejects; `b.example` what `desk` rejects, on two
    /// addresses; `c.example` is pinned by nobody, and `z.example` watched by nobody.
    private func fixture() async throws -> (StoreFixture, [Target]) {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(hosts: ["a.example", "b.example", "c.example"])
        configuration.targets[0].labels = ["app": "bank"]
        configuration.pinSets = [
            pinDefinition("shop", host: "a.example", keys: [9], managedBy: .config),
            pinDefinition("desk", host: "b.example", keys: [9], managedBy: .config),
            certificatePinned("bank", host: "a.example"),
            pinDefinition("idle", host: "z.example", keys: [9], managedBy: .config),
        ]
        let targets = try await fixture.synchronize(configuration).targets.map(\.target)
        let scans = targets.map { target in
            let addresses = target.identity.label == "b.example" ? ["192.0.2.1", "192.0.2.2"] : ["192.0.2.1"]
            return scan(target, at: noon, addresses.map { ($0, chain(1, key: 1)) })
        }
        try await fixture.store.record(scans, assessor: NumberAssessor(), now: noon)
        return (fixture, targets)
    }

    @Test func `verdicts are those of all targets, filtered by what they are of`() async throws {
        let (fixture, targets) = try await fixture()
        let all = try await fixture.store.verdicts(PageRequest())
        #expect(all.total == 3 && all.items.map(\.verdict.pinSet.app).sorted() == ["desk", "desk", "shop"])
        let cases: [([String: [String]], Int)] = [
            (["app": ["shop"]], 1), (["app": ["shop", "desk"]], 3), (["app": ["nobody"]], 0),
            (["target_id": [targets[1].id.text]], 2), (["verdict": ["reject_pin"]], 3), (["verdict": ["unknown"]], 0),
            (["verdict": ["reject_pin"], "app": ["desk"]], 2),
            (["pin_set_id": [all.items[0].verdict.pinSetID.text], "target_id": [targets[2].id.text]], 0),
        ]
        for (filters, total) in cases {
            let page = try await fixture.store.verdicts(PageRequest(filters: filters))
            #expect(page.total == total && page.items.count == total, "\(filters)")
        }
        let first = try await fixture.store.verdicts(PageRequest(limit: 1))
        let second = try await fixture.store.verdicts(PageRequest(limit: 2, cursor: first.next))
        #expect(second.items.count == 2 && second.next == nil && second.total == 3)
        let shop = try await fixture.store.verdicts(PageRequest(filters: ["app": ["shop"]])).items.first
        #expect(shop?.target == "a.example" && shop?.verdict.targetID == targets[0].id)
        #expect(shop?.json.text.contains(#""target":"a.example""#) == true)
        await #expect(throws: StoreRefusal.self) {
            try await fixture.store.verdicts(PageRequest(filters: ["host": ["a.example"]]))
        }
    }

    @Test func `the runway has what ends, soonest first, releases with their share`() async throws {
        let (fixture, targets) = try await fixture()
        let all = try await fixture.store.runway(PageRequest(), now: noon)
        #expect(all.items.map(\.endsAt) == all.items.map(\.endsAt).sorted() && all.total == all.items.count)
        let releases = try await fixture.store.runway(PageRequest(filters: ["kind": ["release"]]), now: noon)
        #expect(releases.items.map(\.subject) == ["bank 1 on a.example"])
        #expect(releases.items.map(\.share) == [0.25] && releases.items.map(\.targetID) == [targets[0].id])
        #expect(releases.items.map(\.endsAt) == [noon + 90 * 86_400])
        #expect(try await fixture.store.runway(PageRequest(), now: noon + 90 * 86_400).total == 0)
        let pinSet = try #require(releases.items.first?.pinSetID)
        let cases: [([String: [String]], Int)] = [
            (["app": ["bank"]], 2), (["app": ["desk"]], 0), (["app": ["bank", "x"], "kind": ["certificate"]], 1),
            (["pin_set_id": [pinSet.text]], 1), (["target_id": [targets[2].id.text]], 1),
        ]
        for (filters, total) in cases {
            let page = try await fixture.store.runway(PageRequest(filters: filters), now: noon)
            #expect(page.total == total && page.items.count == total, "\(filters)")
        }
        let finding = try await fixture.store.findings(PageRequest(filters: ["kind": ["pin.at_risk"]]))
        #expect(finding.items.map(\.severity) == [.info])
    }

    @Test func `coverage names what is pinned and not watched, and what is watched and not pinned`() async throws {
        let (fixture, targets) = try await fixture()
        let coverage = try await fixture.store.coverage(now: noon)
        #expect(coverage.unscanned.map(\.host) == ["z.example"] && coverage.unscannedTotal == 1)
        #expect(coverage.unscanned.first?.pinSets.map(\.identity.app) == ["idle"])
        #expect(coverage.unpinned == [.init(id: targets[2].id, label: "c.example")] && coverage.unpinnedTotal == 1)
        #expect(coverage.json.text.contains(#""unscanned":{"items":[{"host":"z.example","pin_sets":[{"id":""#))
    }

    @Test(arguments: [
        "SELECT verdict.number FROM verdict WHERE kind IN (:k) ORDER BY verdict.number LIMIT 51",
        "SELECT verdict.number FROM verdict WHERE pin_set_id IN (:k) ORDER BY verdict.number LIMIT 51",
        "SELECT id FROM upcoming WHERE ends_at > 0 AND kind IN (:k) ORDER BY ends_at, id LIMIT 51",
        "SELECT id FROM upcoming WHERE ends_at > 0 AND pin_set_id IN (:k) ORDER BY ends_at, id LIMIT 51",
    ])
    func `a filtered page is read in order by an index`(sql: String) async throws {
        let fixture = try await StoreFixture()
        let plan = try await fixture.store.writer.statement(
            "EXPLAIN QUERY PLAN " + sql.replacing(":k", with: sql.contains("kind") ? "'x'" : "1"))
        let text = "\(plan)"
        #expect(text.contains("INDEX") && !text.contains("TEMP B-TREE"), "\(text)")
    }
}
