import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("Pin sets that are imported") struct ImportedPinSetTests {
    private let files = [
        HandedFile(name: "Info.plist", bytes: Array("<plist/>".utf8)), HandedFile(name: "b.plist", bytes: [0, 0xFF]),
    ]

    private func new(_ app: String, keys: [UInt8] = [1], _ files: [HandedFile]) -> NewPinSet {
        NewPinSet(pinDefinition(app, keys: keys), originals: files)
    }

    @Test func `are stored with their files, all or none`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let made = try await store.importPinSets([new("a", files), new("b", [])], replacing: false, change())
        #expect(made.map(\.hasOriginals) == [true, false])
        let (first, second) = (made[0].pinSet.id, made[1].pinSet.id)
        #expect(try await store.originals(of: first) == files)
        #expect(try await store.originals(of: second) == [])
        #expect(try await store.originals(of: PinSetID(99)) == nil)
        #expect(try await store.pinSet(first)?.hasOriginals == true)
        #expect(try await store.pinSet(with: pinDefinition("b", keys: []).identity) == second)
        #expect(try await store.pinSet(with: pinDefinition("c", keys: []).identity) == nil)
        await #expect(throws: ChangeRefusal.exists(id: second.text)) {
            try await store.importPinSets([new("c", files), new("b", files)], replacing: false, change())
        }
        #expect(try await store.pinSets(PageRequest()).total == 2)
        #expect(try await fixture.count(of: "pin_set_original") == 2)
        #expect(try await fixture.audited() == ["pin_set.create b 1", "pin_set.create a 1"])
    }

    @Test func `give way to others of their identity, with their files`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let made = try await store.importPinSets([new("a", files)], replacing: false, change())
        let again = try await store.importPinSets(
            [new("a", keys: [2], [files[1]])], replacing: true, change(at: noon + 1))
        #expect(again.map(\.pinSet.id) == made.map(\.pinSet.id) && again.map(\.revision) == [2])
        #expect(try await store.originals(of: made[0].pinSet.id) == [files[1]])
        #expect(try await fixture.audited().first == "pin_set.update a 1")
        let changed = try await store.changePinSet(
            made[0].pinSet.id, to: pinDefinition("a", keys: [3]), change(at: noon + 2))
        #expect(!changed.hasOriginals)
        _ = try await store.importPinSets([new("a", keys: [4], files)], replacing: true, change(at: noon + 3))
        try await store.removePinSet(made[0].pinSet.id, change(at: noon + 3))
        #expect(try await fixture.count(of: "pin_set_original") == 0)
        let back = try await store.addPinSet(pinDefinition("a", keys: [3]), change(at: noon + 4))
        #expect(!back.hasOriginals)
        #expect(try await store.originals(of: back.pinSet.id) == [])
    }

    @Test func `are not put in the place of what the file manages, which takes their place without their files`()
        async throws
    {
        let fixture = try await StoreFixture()
        _ = try await fixture.store.importPinSets([new("a", files)], replacing: false, change())
        let configured = pinDefinition("a", keys: [2], managedBy: .config)
        _ = try await fixture.synchronize(fixture.configuration(pinSets: [configured]), at: noon + 1)
        #expect(try await fixture.count(of: "pin_set_original") == 0)
        await #expect(throws: ChangeRefusal.managedByConfig) {
            try await fixture.store.importPinSets([new("a", files)], replacing: true, change())
        }
        #expect(try await fixture.count(of: "pin_set_original") == 0)
    }

    @Test func `are in a backup with their files`() async throws {
        let fixture = try await StoreFixture()
        let made = try await fixture.store.importPinSets([new("a", files)], replacing: false, change())
        let directory = try TestDirectory()
        try await fixture.store.backup(to: directory.path + "/copy.db")
        let copy = try await Store.open(path: directory.path + "/copy.db", now: noon)
        #expect(try await copy.originals(of: made[0].pinSet.id) == files)
        try await copy.close()
    }
}
