import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("A configuration read again while the service runs") struct ReloadTests {
    @Test func `tells of what came, went and differs, and of nothing the second time`() async throws {
        let commits = Commits()
        let fixture = try await StoreFixture(options: StoreOptions(committed: { commits.add($0) }))
        var configuration = fixture.configuration(
            hosts: ["a.example", "b.example"], channels: ["ops", "chat"],
            pinSets: [pinDefinition("one", keys: [1], managedBy: .config)])
        configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
        _ = try await fixture.synchronize(configuration)
        #expect(commits.take().map(\.topics) == [[.channels, .routes, .targets, .pinSets]])
        _ = try await fixture.synchronize(configuration, at: noon + 1)
        #expect(commits.take().isEmpty)
        var next = fixture.configuration(
            hosts: ["b.example", "c.example"], channels: ["ops"],
            pinSets: [pinDefinition("one", keys: [2], managedBy: .config)])
        next.targets[0].periodSeconds = 60
        next.routes = [Route(channels: ["ops"])]
        next.silences = [window]
        _ = try await fixture.synchronize(next, at: noon + 2)
        let told = commits.take()
        #expect(told.map(\.topics) == [[.channels, .deliveries, .routes, .silences, .targets, .pinSets]])
        #expect(told.map(\.definitions) == [[.channels, .pinSets]])
        #expect(
            told[0].targets.mapValues { $0?.identity.label } == [
                TargetID(1): nil, TargetID(2): "b.example", TargetID(3): "c.example",
            ])
        #expect(try await fixture.store.routes().map(\.route) == next.routes)
        _ = try await fixture.synchronize(next, at: noon + 3)
        #expect(commits.take().isEmpty)
    }

    @Test func `comes to the same as a start with it, with what came by the API`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]))
        let store = fixture.store
        _ = try await store.addPinSet(pinDefinition("own", keys: [4]), change())
        _ = try await store.addChannel(sealed("zeta"), urlHash: [1], change())
        _ = try await store.addChannel(sealed("beta"), urlHash: [2], change())
        _ = try await store.addRoute(Route(channels: ["zeta"]), change())
        _ = try await store.addSilence(once(ends: noon + 9_000), change())
        var next = fixture.configuration(
            hosts: ["b.example"], channels: ["chat", "ops"],
            pinSets: [pinDefinition("one", keys: [2], managedBy: .config)])
        next.thresholds.flapWindowSeconds = 7
        next.scan.periodSeconds = 60
        _ = try await fixture.synchronize(next, at: noon + 5)
        let reloaded = try await words(store)
        let rows = try await fixture.rows()
        try await store.close()
        let commits = Commits()
        let again = try await Store.open(
            path: fixture.path, options: StoreOptions(committed: { commits.add($0) }), now: noon)
        _ = try await again.synchronize(
            next, trustStores: [:], urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins, now: noon + 6)
        #expect(commits.take().isEmpty)
        #expect(try await words(again) == reloaded)
        #expect(reloaded[1] == "chat,ops,beta,zeta" && reloaded[2] == "own,one" || reloaded[2] == "one,own")
        for (table, count) in rows {
            #expect(try await again.writer.statement("SELECT count(*) FROM \(table)") == [[.integer(count)]])
        }
        try await again.close()
    }

    @Test func `takes over what the API made too, and gives it up as removed`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(hosts: []))
        let store = fixture.store
        let target = try #require(try await store.addTargets([settings("a.example")], change()).first).target
        let pins = try await store.addPinSet(pinDefinition("one", keys: [1]), change()).pinSet
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        let taken = fixture.configuration(
            hosts: ["a.example"], channels: ["ops"], pinSets: [pinDefinition("one", keys: [1], managedBy: .config)])
        let known = try await fixture.synchronize(taken, at: noon + 1)
        #expect(known.targets.map(\.target.id) == [target.id] && known.pinSets.map(\.id) == [pins.id])
        #expect(known.targets.map(\.target.settings.managedBy) == [.config])
        #expect(try await store.sealedChannels().isEmpty, "a channel of the file has no secret in the database")
        await #expect(throws: ChangeRefusal.managedByConfig) { try await store.removeTarget(target.id, change()) }
        await #expect(throws: ChangeRefusal.managedByConfig) { try await store.removeChannel("ops", change()) }
        let dropped = try await fixture.synchronize(fixture.configuration(hosts: []), at: noon + 2)
        #expect(dropped.targets.isEmpty && dropped.pinSets.isEmpty)
        #expect(try await store.channels().isEmpty)
    }

    @Test func `with a stored pin set that cannot be read goes on without its pins, and says so`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let made = try await fixture.store.addPinSet(pinDefinition("own", keys: [4], share: 0.5), change())
        _ = try await fixture.store.writer.statement("UPDATE pin_set SET source = 'own'")
        let known = try await fixture.synchronize(fixture.configuration(hosts: ["api.example.com"]), at: noon + 1)
        #expect(known.pinSets.map(\.id) == [made.pinSet.id] && known.pinSets[0].definition.share == 0.5)
        try await fixture.record(target, key: 1, at: noon + 2)
        try await fixture.judge(at: noon + 2)
        let finding = try #require(
            try await fixture.store.findings(PageRequest(filters: ["pin_set_id": [made.pinSet.id.text]])).items.first)
        #expect(finding.kind == .pinConfigError && finding.summary.contains("`own` names no app and host"))
        #expect(!finding.summary.contains("connects to nothing"))
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["pin.rejected"]])).total == 0)
        let id = made.pinSet.id
        let mended = try await fixture.store.importPinSets(
            [NewPinSet(pinDefinition("own", keys: [1]), originals: [])], replacing: true, change(at: noon + 3))
        #expect(mended.map(\.pinSet.id) == [id])
        try await fixture.judge(at: noon + 3)
        #expect(try await fixture.store.findings(PageRequest(filters: ["kind": ["pin.config_error"]])).total == 0)
        _ = try await fixture.store.writer.statement("UPDATE pin_set SET source = 'own'")
        _ = try await fixture.synchronize(fixture.configuration(hosts: ["api.example.com"]), at: noon + 4)
        try await fixture.store.removePinSet(id, change(at: noon + 5))
        #expect(try await fixture.store.pinSets(PageRequest()).total == 0)
    }

    /// What is in force, in words.
    private func words(_ store: Store) async throws -> [String] {
        let policy = await store.writer.policy
        return [
            "\(policy.thresholds) \(policy.periodSeconds)", policy.channels.joined(separator: ","),
            policy.pinSets.map(\.identity.app).joined(separator: ","),
            policy.routes.map(\.stored.text).joined(), policy.silences.map(\.silence.stored.text).joined(),
        ]
    }

    private var window: Silence {
        Silence(
            matchers: Silence.Matchers(host: "*.example"), startsAt: Instant(unixSeconds: 0), endsAt: nil,
            weekly: Silence.Weekly(weekdays: [.mon], fromMinute: 60, toMinute: 120, zone: "UTC"), comment: "")
    }
}

/// A channel as the API seals it.
func sealed(_ name: String, secrets: [[UInt8]] = [[7]]) -> StoredChannel {
    StoredChannel(
        name: name, kind: .webhook, urlHost: "hooks.example", allowPrivate: false, managedBy: .api,
        secretCount: secrets.count, sealed: StoredChannel.Sealed(url: [9, 9], secrets: secrets))
}

func once(_ matchers: Silence.Matchers = Silence.Matchers(host: "api.example.com"), ends: Instant) -> Silence {
    Silence(matchers: matchers, startsAt: noon, endsAt: ends, comment: "moving house")
}
