import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Pin sets that come by the API") struct ManagingPinSetsTests {
    @Test(arguments: [false, true])
    func `are what the next judgement and the next recording go by`(byRecording: Bool) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.record(target, key: 1, at: noon)
        let made = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change(at: noon + 1))
        #expect(made.pinSet.definition.platform?.system == .ios)
        #expect(made.revision == 1 && made.createdAt == noon + 1 && made.pinSet.definition.managedBy == .api)
        if byRecording {
            try await fixture.record(target, key: 3, at: noon + 2)
        } else {
            try await fixture.judge(at: noon + 2)
        }
        let rejected = try await fixture.store.findings(PageRequest(filters: ["kind": ["pin.rejected"]])).items
        #expect(rejected.map(\.pinSetID) == [made.pinSet.id])
        let record = try #require(try await fixture.store.pinSet(made.pinSet.id))
        #expect(record.verdicts == [.rejectPin: 1] && record.targetCount == 1)
        #expect(try await fixture.store.targets(of: made.pinSet.id).map(\.verdict) == [.rejectPin])
    }

    @Test func `changed, they are judged anew, and deleted, their findings resolve`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.record(target, key: 1, at: noon)
        let id = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change()).pinSet.id
        try await fixture.judge(at: noon + 1)
        let open = PageRequest(filters: ["state": ["open"], "kind": ["pin.rejected", "pin.no_backup"]])
        #expect(try await fixture.store.alerts(open).total > 0)
        let changed = try await fixture.store.changePinSet(
            id, to: pinDefinition("shop", keys: [1, 2]), change(at: noon + 2, expecting: 1))
        #expect(changed.revision == 2 && changed.updatedAt == noon + 2)
        try await fixture.judge(at: noon + 2)
        #expect(try await fixture.store.findings(PageRequest(filters: ["pin_set_id": [id.text]])).total == 0)
        #expect(try await fixture.store.pinSet(id)?.verdicts == [.accept: 1])
        #expect(try await fixture.store.targets(of: id).map(\.verdict) == [.accept])

        _ = try await fixture.store.changePinSet(id, to: pinDefinition("shop", keys: [9]), change(at: noon + 3))
        try await fixture.judge(at: noon + 3)
        #expect(try await fixture.store.findings(PageRequest(filters: ["pin_set_id": [id.text]])).total > 0)
        try await fixture.store.removePinSet(id, change(at: noon + 4))
        try await fixture.judge(at: noon + 4)
        #expect(try await fixture.store.findings(PageRequest(filters: ["pin_set_id": [id.text]])).total == 0)
        #expect(try await fixture.store.alerts(open).total == 0)
        #expect(try await fixture.store.pinSets(PageRequest()).total == 0)
        let back = try await fixture.store.addPinSet(pinDefinition("shop", keys: [9]), change(at: noon + 5))
        #expect(back.pinSet.id == id && back.revision > changed.revision && back.createdAt == noon)
        #expect(
            try await fixture.audited() == [
                "pin_set.create shop 1", "pin_set.delete shop 1", "pin_set.update shop 1", "pin_set.update shop 1",
                "pin_set.create shop 1",
            ])
    }

    @Test func `have only the hosts judged again that they may say anything of`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example", "b.example", "c.example")
        try await fixture.judge(at: noon)
        let id = try await fixture.store.addPinSet(
            pinDefinition("shop", host: "b.example", keys: [2]), change(at: noon + 1)
        ).pinSet.id
        #expect(try await fixture.due(at: noon + 1) == ["host/b.example", "pin-set/\(id.text)"])
        try await fixture.judge(at: noon + 1)
        // Both what it named and what it names now.
        _ = try await fixture.store.changePinSet(
            id, to: pinDefinition("shop", host: "c.example", keys: [2]), change(at: noon + 2))
        #expect(try await fixture.due(at: noon + 2) == ["host/b.example", "host/c.example", "pin-set/\(id.text)"])
    }

    @Test func `are refused where they exist, are the file's, or would become another`() async throws {
        let fixture = try await StoreFixture()
        let configured = pinDefinition("file", keys: [1], managedBy: .config)
        let known = try await fixture.synchronize(fixture.configuration(pinSets: [configured]))
        let id = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change()).pinSet.id
        await #expect(throws: ChangeRefusal.exists(id: id.text)) {
            try await fixture.store.addPinSet(pinDefinition("shop", keys: [3]), change())
        }
        await #expect(throws: ChangeRefusal.exists(id: known.pinSets[0].id.text)) {
            try await fixture.store.addPinSet(pinDefinition("file", keys: [3]), change())
        }
        await #expect(throws: ChangeRefusal.managedByConfig) {
            try await fixture.store.removePinSet(known.pinSets[0].id, change())
        }
        await #expect(throws: ChangeRefusal.revised(current: 1)) {
            try await fixture.store.removePinSet(id, change(expecting: 2))
        }
        await #expect(throws: ChangeRefusal.unknown) { try await fixture.store.removePinSet(PinSetID(99), change()) }
        let other = await #expect(throws: ChangeRefusal.self) {
            try await fixture.store.changePinSet(id, to: pinDefinition("other", keys: [2]), change())
        }
        guard case .invalid("source", _)? = other else { throw try #require(other) }
        let listed = try await fixture.store.pinSets(PageRequest(filters: ["managed_by": ["api"]]))
        #expect(listed.items.map(\.pinSet.id) == [id])
        let first = try await fixture.store.pinSets(PageRequest(limit: 1))
        let second = try await fixture.store.pinSets(PageRequest(limit: 1, cursor: first.next))
        #expect((first.items + second.items).map(\.pinSet.identity.app) == ["file", "shop"] && second.next == nil)
    }
}
