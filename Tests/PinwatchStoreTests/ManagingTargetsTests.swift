import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Targets that come by the API") struct ManagingTargetsTests {
    @Test func `are added together, told once, and written in the audit trail`() async throws {
        let commits = Commits()
        let fixture = try await StoreFixture(options: StoreOptions(committed: { commits.add($0) }))
        let made = try await fixture.store.addTargets([settings("a.example"), settings("b.example")], change())
        #expect(made.map(\.target.settings.managedBy) == [.api, .api] && made.map(\.revision) == [1, 1])
        #expect(made.map(\.createdAt) == [noon, noon] && made.map(\.condition) == [.unknown, .unknown])
        let told = commits.take()
        #expect(told.count == 1 && told[0].topics == [.targets])
        #expect(told[0].events.map(\.event.kind) == [.targetAdded, .targetAdded])
        #expect(told[0].targets.keys.sorted() == made.map(\.target.id))
        #expect(try await fixture.audited() == ["target.create b.example", "target.create a.example"])
        let line = try #require(try await fixture.store.audit(PageRequest()).items.last)
        #expect(line.principal == ann && line.address == address("192.0.2.200") && line.at == noon)
        #expect(line.object.id == made[0].target.id.text)
        #expect(line.changes.text.contains(#""owner":{"from":null,"to":"ours"}"#))
        #expect(try await fixture.due(at: noon) == ["host/a.example", "host/b.example", "installation"])
    }

    @Test func `one that is refused leaves none of its list`() async throws {
        let fixture = try await StoreFixture()
        let there = try #require(try await fixture.store.addTargets([settings("a.example")], change()).first)
        let existing = ChangeRefusal.Existing(index: 1, label: "a.example", id: there.target.id.text)
        await #expect(throws: ChangeRefusal.someExist([existing])) {
            try await fixture.store.addTargets([settings("new.example"), settings("a.example")], change())
        }
        let twice = await #expect(throws: ChangeRefusal.self) {
            try await fixture.store.addTargets([settings("x.example"), settings("x.example")], change())
        }
        guard case .invalid("[1].host", _)? = twice else { throw try #require(twice) }
        #expect(try await fixture.store.targets(PageRequest()).total == 1)
        #expect(try await fixture.audited() == ["target.create a.example"])
        #expect(try await fixture.count(of: "event") == 1)
    }

    @Test func `an edit moves the revision, has the host judged, and says what it changed`() async throws {
        let commits = Commits()
        let fixture = try await StoreFixture(options: StoreOptions(committed: { commits.add($0) }))
        let id = try #require(try await fixture.store.addTargets([settings("a.example")], change()).first).target.id
        try await fixture.judge(at: noon)
        _ = commits.take()
        let changed = try await fixture.store.changeTarget(id, change(at: noon + 5, expecting: 1)) {
            settings throws(ChangeRefusal) in
            settings.labels["team"] = "pay"
            settings.periodSeconds = 60
            settings.addressPolicy = .first
        }
        #expect(changed.revision == 2 && changed.target.settings.addressPolicy == .first)
        #expect(try await fixture.due(at: noon + 5) == ["host/a.example"])
        #expect(commits.take().map(\.targets) == [[id: changed.target]])
        let line = try #require(try await fixture.store.audit(PageRequest()).items.first)
        #expect(
            line.changes.text
                == #"{"labels":{"from":{},"to":{"team":"pay"}},"period_s":{"from":null,"to":60},"#
                + #""addresses_policy":{"from":null,"to":"first"}}"#)
        // What changes nothing is no change.
        let same = try await fixture.store.changeTarget(id, change(at: noon + 6)) { _ throws(ChangeRefusal) in }
        #expect(same.revision == 2 && commits.take().isEmpty)
        #expect(try await fixture.store.audit(PageRequest()).total == 2)
    }

    @Test func `a deleted one that comes back is the same one with its history`() async throws {
        let fixture = try await StoreFixture()
        let made = try #require(try await fixture.store.addTargets([settings("a.example")], change()).first)
        try await fixture.record(made.target, key: 1, at: noon)
        try await fixture.store.removeTarget(made.target.id, change(at: noon + 10))
        let identity = made.target.identity
        #expect(try await fixture.store.known([identity]) == [identity: KnownTarget(id: made.target.id, removed: true)])
        await #expect(throws: ChangeRefusal.unknown) {
            try await fixture.store.removeTarget(made.target.id, change())
        }
        let back = try #require(
            try await fixture.store.addTargets([settings("a.example")], change(at: noon + 20)).first)
        #expect(back.target.id == made.target.id && back.revision > made.revision && back.createdAt == noon)
        #expect(try await fixture.store.spans(of: back.target.id, PageRequest()).total == 1)
        try await fixture.record(back.target, key: 1, at: noon + 30)
        #expect(try await fixture.store.spans(of: back.target.id, PageRequest(filters: ["open": ["true"]])).total == 1)
    }

    @Test func `what the file manages, another revision, and what is not there refuse a change`() async throws {
        let fixture = try await StoreFixture()
        let configured = try #require(try await fixture.targets("file.example").first)
        let own = try #require(try await fixture.store.addTargets([settings("a.example")], change()).first)
        for (id, expecting, refusal) in [
            (configured.id, nil, ChangeRefusal.managedByConfig), (own.target.id, 7, .revised(current: 1)),
            (TargetID(99), nil, .unknown),
        ] as [(TargetID, Int64?, ChangeRefusal)] {
            await #expect(throws: refusal) {
                try await fixture.store.removeTarget(id, change(expecting: expecting))
            }
            await #expect(throws: refusal) {
                _ = try await fixture.store.changeTarget(id, change(expecting: expecting)) {
                    settings throws(ChangeRefusal) in settings.paused = true
                }
            }
        }
        await #expect(throws: ChangeRefusal.conflict("no")) {
            _ = try await fixture.store.changeTarget(own.target.id, change()) { _ throws(ChangeRefusal) in
                throw .conflict("no")
            }
        }
        #expect(try await fixture.store.targets(PageRequest(filters: ["managed_by": ["api"]])).total == 1)
        #expect(try await fixture.store.targets(PageRequest(filters: ["paused": ["true"]])).total == 0)
        #expect(try await fixture.store.audit(PageRequest()).total == 1)
    }
}
