import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Channels and routes that come by the API") struct ManagingChannelsTests {
    @Test func `channels are kept sealed, and no secret is in the audit trail`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let made = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        #expect(made.revision == 1 && made.channel == sealed("ops") && made.failures == 0)
        #expect(try await store.sealedChannels() == [sealed("ops")])
        #expect(await store.writer.policy.channels == ["ops"])
        let changed = try await store.changeChannel("ops", change(at: noon + 1, expecting: 1)) {
            channel, urlHash throws(ChangeRefusal) in
            channel.sealed = StoredChannel.Sealed(url: [8, 8], secrets: [[6], [7]])
            channel.secretCount = 2
            channel.urlHost = "other.example"
            urlHash = [3]
        }
        #expect(changed.revision == 2 && changed.channel.sealed?.secrets == [[6], [7]])
        let line = try #require(try await store.audit(PageRequest()).items.first)
        #expect(
            line.changes.text
                == #"{"url_host":{"from":"hooks.example","to":"other.example"},"secrets":{"from":1,"to":2},"#
                + #""url":{"from":"<secret>","to":"<secret>"},"secret":{"from":"<secret>","to":"<secret>"}}"#)
        try await store.removeChannel("ops", change(at: noon + 2))
        #expect(await store.writer.policy.channels.isEmpty)
        #expect(try await store.channels().isEmpty)
        #expect(try await store.sealedChannels().isEmpty)
        #expect(try await fixture.audited() == ["channel.delete ops", "channel.update ops", "channel.create ops"])
    }

    @Test(arguments: [(true, true), (false, true), (true, false)])
    func `another URL or secret enables a disabled channel`(otherURL: Bool, otherSecret: Bool) async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        try await store.compose([message("msg_1", items: [])])
        try await store.record(
            Attempt(at: noon, status: 410, error: "gone", milliseconds: 1), of: 1, result: .channelGone, now: noon)
        #expect(try await store.channel("ops")?.disabledAt == noon)
        _ = try await store.changeChannel("ops", change()) { channel, _ throws(ChangeRefusal) in
            channel.allowPrivate = true
        }
        #expect(try await store.channel("ops")?.disabledAt == noon)
        let changed = try await store.changeChannel("ops", change()) { channel, urlHash throws(ChangeRefusal) in
            if otherURL { urlHash = [2] }
            if otherSecret { channel.sealed?.secrets = [[1]] }
        }
        #expect(changed.disabledAt == nil && changed.lastError == nil)
    }

    @Test func `seals are replaced together or not at all`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        for name in ["a", "b"] { _ = try await store.addChannel(sealed(name), urlHash: [1], change()) }
        await #expect(throws: StoreError.closed) {
            try await store.reseal(change()) { channel in
                guard channel.name == "a" else { throw StoreError.closed }
                return StoredChannel.Sealed(url: [5], secrets: [[5]])
            }
        }
        #expect(try await store.sealedChannels().map(\.sealed?.url) == [[9, 9], [9, 9]])
        let count = try await store.reseal(change()) { channel in
            channel.name == "a" ? nil : StoredChannel.Sealed(url: [5], secrets: [[5]])
        }
        #expect(count == 1)
        #expect(try await store.sealedChannels().map(\.sealed?.url) == [[9, 9], [5]])
        #expect(try await fixture.audited().first == "secrets.reseal b")
    }

    @Test func `a channel refuses what it must`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.synchronize(fixture.configuration(channels: ["file"]))
        let store = fixture.store
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        for name in ["ops", "file"] {
            await #expect(throws: ChangeRefusal.exists(id: name)) {
                try await store.addChannel(sealed(name), urlHash: [1], change())
            }
        }
        await #expect(throws: ChangeRefusal.managedByConfig) { try await store.removeChannel("file", change()) }
        await #expect(throws: ChangeRefusal.unknown) { try await store.removeChannel("none", change()) }
        await #expect(throws: ChangeRefusal.revised(current: 1)) {
            try await store.removeChannel("ops", change(expecting: 3))
        }
        let route = try await store.addRoute(Route(channels: ["file", "ops"]), change())
        let named = await #expect(throws: ChangeRefusal.self) { try await store.removeChannel("ops", change()) }
        guard case .conflict? = named else { throw try #require(named) }
        try await store.removeRoute(route.id, change())
        try await store.removeChannel("ops", change())
        #expect(try await store.channels().map(\.channel.name) == ["file"])
        #expect(try await store.channel("file")?.channel.urlHost == "file.example")
    }

    @Test func `a route is in force with its commit, and has those findings judged that nobody is told of`()
        async throws
    {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let store = fixture.store
        _ = try await store.addChannel(sealed("ops"), urlHash: [1], change())
        try await fixture.record(target, key: 1, at: noon)
        try await fixture.judge(at: noon)
        try await fixture.send(at: noon)
        let unpinned = PageRequest(filters: ["kind": ["host.unpinned"]])
        #expect(try await store.findings(unpinned).total == 1)
        #expect(try await store.alerts(unpinned).total == 0)
        let route = try await store.addRoute(Route(kinds: [.hostUnpinned], channels: ["ops"]), change(at: noon + 1))
        try await fixture.judge(at: noon + 1)
        #expect(try await store.alerts(unpinned).total == 1)
        #expect(try await fixture.owed(at: noon + 1) == ["ops alert.opened"])
        let changed = try await store.changeRoute(
            route.id, to: Route(severities: [.critical], channels: ["ops"]), change(expecting: 1))
        #expect(changed.revision == 2 && changed.route.severities == [.critical])
        #expect(await store.writer.policy.routes == [changed.route])
        for (bad, change, refusal) in [
            (Route(channels: ["ops"]), change(expecting: 1), ChangeRefusal.revised(current: 2)),
            (Route(channels: ["gone"]), change(), .invalid(field: "channels", message: "there is no channel `gone`")),
        ] {
            await #expect(throws: refusal) { try await store.changeRoute(route.id, to: bad, change) }
        }
        await #expect(throws: ChangeRefusal.unknown) { try await store.removeRoute(99, change()) }
        await #expect(throws: ChangeRefusal.self) { try await store.addRoute(Route(channels: []), change()) }
        #expect(try await store.routes().map(\.id) == [route.id])
        #expect(try await store.route(route.id) == changed)
    }
}
