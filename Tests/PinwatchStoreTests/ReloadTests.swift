import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("A configuration read again while the service runs") struct ReloadTests {
    @Test func `says what came, went and differs, and nothing the second time`() async throws {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(
            hosts: ["a.example", "b.example"], channels: ["ops", "chat"],
            pinSets: [pinDefinition("one", keys: [1], managedBy: .config)])
        configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
        _ = try await fixture.synchronize(configuration)
        #expect(try await fixture.synchronize(configuration, at: noon + 1).changes.isEmpty)
        var next = fixture.configuration(
            hosts: ["b.example", "c.example"], channels: ["ops"],
            pinSets: [pinDefinition("one", keys: [2], managedBy: .config)])
        next.targets[0].periodSeconds = 60
        next.routes = [Route(channels: ["ops"])]
        next.silences = [window]
        let changes = try await fixture.synchronize(next, at: noon + 2).changes
        #expect(
            changes.map { "\($0.section) \($0.name) \($0.what.rawValue)" } == [
                "channels chat removed", "routes to ops removed", "routes to ops added", "silences *.example added",
                "targets b.example changed", "targets c.example added", "targets a.example removed",
                "pin_sets one 1 changed",
            ])
        #expect(changes.first { $0.name == "b.example" }?.detail == "period_s none → 60")
        #expect(try await fixture.synchronize(next, at: noon + 3).changes.isEmpty)
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
        let again = try await Store.open(path: fixture.path, now: noon)
        let synchronized = try await again.synchronize(
            next, trustStores: [:], urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins, now: noon + 6)
        #expect(synchronized.changes.isEmpty)
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

    @Test func `with a stored pin set that cannot be read changes nothing`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(hosts: ["a.example"]))
        _ = try await fixture.store.addPinSet(pinDefinition("own", keys: [4]), change())
        _ = try await fixture.store.writer.statement("UPDATE pin_set SET source = 'own'")
        let error = await #expect(throws: StoreError.self) {
            try await fixture.synchronize(fixture.configuration(hosts: ["b.example"]))
        }
        guard case .unreadablePinSet(_, "own 1", _)? = error else { throw try #require(error) }
        #expect(try await fixture.store.targets(PageRequest()).items.map(\.target.host.text) == ["a.example"])
        #expect(try await fixture.store.pinSets(PageRequest()).total == 1)
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
