import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Disk full, locked, many readers") struct TroubleTests {
    @Test func `a full database says so, keeps what was acknowledged, and goes on when there is room`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let pages = try await fixture.count("PRAGMA page_count")
        _ = try await fixture.store.writer.statement("PRAGMA max_page_count = \(pages)")
        var acknowledged = 0
        var failure: StoreError?
        for number in 1..<200 {
            let now = noon + Int64(number)
            do {
                try await fixture.store.record(
                    [scan(target, at: now, [("192.0.2.1", chain(UInt8(number), key: UInt8(number)))])],
                    assessor: NumberAssessor(), now: now)
                acknowledged = number
            } catch {
                failure = error
                break
            }
        }
        guard case .full? = failure else { throw failure ?? StoreError.closed }
        #expect(try #require(await fixture.store.writeProblem(now: noon)).contains("full"))
        #expect(try await fixture.store.observations(of: target.id, PageRequest()).total == acknowledged)
        _ = try await fixture.store.writer.statement("PRAGMA max_page_count = 1000000")
        #expect(await fixture.store.writeProblem(now: noon) == nil)
        let now = noon + 500
        try await fixture.store.record(
            [scan(target, at: now, [("192.0.2.1", chain(250, key: 250))])], assessor: NumberAssessor(), now: now)
        #expect(try await fixture.store.observations(of: target.id, PageRequest()).total == acknowledged + 1)
        let (known, stored) = try await fixture.store.writer.memories(of: target.id, now: now)
        #expect(known == stored)
    }

    @Test func `another process's lock is waited for within a bound, then named`() async throws {
        let fixture = try await StoreFixture(options: StoreOptions(busyMilliseconds: 50))
        let target = try #require(try await fixture.targets("api.example.com").first)
        let other = try SQLiteConnection(path: fixture.path, mode: .write, busyMilliseconds: 50)
        try other.run("BEGIN IMMEDIATE")
        let error = await #expect(throws: StoreError.self) {
            try await fixture.store.record(
                [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        }
        guard case .locked? = error else { throw try #require(error) }
        #expect(try #require(await fixture.store.writeProblem(now: noon)).contains("locked"))
        #expect(try await fixture.store.targets(PageRequest()).total == 1)
        try other.run("ROLLBACK")
        #expect(await fixture.store.writeProblem(now: noon) == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func `readers see whole transactions only, while another writes`() async throws {
        let fixture = try await StoreFixture()
        let store = fixture.store
        let targets = try await fixture.targets("a.example", "b.example")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<100 {
                    let now = noon + Int64(number)
                    try await store.record(
                        targets.map { scan($0, at: now, [("192.0.2.1", chain(UInt8(number), key: 1))]) },
                        assessor: NumberAssessor(), now: now)
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        let counts = try await store.read { database in
                            try targets.map { target in
                                try database.number(
                                    "SELECT count(*) FROM observation WHERE target_id = :id",
                                    [("id", .integer(target.id.rawValue))])
                            }
                        }
                        #expect(counts[0] == counts[1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.observations(of: targets[0].id, PageRequest()).total == 100)
    }
}
