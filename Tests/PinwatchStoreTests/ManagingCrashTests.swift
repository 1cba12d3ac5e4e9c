import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("A process killed while something is changed", .timeLimit(.minutes(5))) struct ManagingCrashTests {
    @Test func `leaves the change with its line in the audit trail, or neither`() async throws {
        let cameras = try Cameras()
        let fixture = try await StoreFixture(options: StoreOptions(checkpoint: { cameras.shoot($0) }))
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.record(target, key: 1, at: noon)
        _ = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change())
        try await fixture.judge(at: noon)
        let before = try await counts(fixture.store)
        cameras.start(fixture.path)
        _ = try await fixture.store.addSilence(once(ends: noon + 600), change(at: noon + 1))
        let after = try await counts(fixture.store)
        #expect(before != after && after[2] > before[2])
        let names = cameras.names
        #expect(Set(names).isSuperset(of: ["store.manage.after_audit", "store.manage.before_commit"]))
        for (number, name) in names.enumerated() {
            let copy = try await Store.open(path: cameras.path(number), now: noon)
            #expect(try await counts(copy) == (name == "store.manage.after_commit" ? after : before), "\(name)")
            try await copy.close()
        }
    }

    /// Silences, lines of the audit trail, silenced alerts.
    private func counts(_ store: Store) async throws -> [Int64] {
        var counts: [Int64] = []
        for sql in ["silence", "audit", "alert WHERE state = 'silenced'"] {
            let rows = try await store.writer.statement("SELECT count(*) FROM \(sql)")
            if case .integer(let count)? = rows.first?.first { counts.append(count) }
        }
        return counts
    }
}
