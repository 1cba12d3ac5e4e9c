import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Whether the store takes what should be written") struct WriteProblemTests {
    @Test func `a row that cannot be read is told until scans are recorded again, in words for anyone`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        _ = try await fixture.store.writer.statement("UPDATE target SET owner = 'nobody'")
        let first = scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])
        let error = await #expect(throws: StoreError.self) {
            try await fixture.store.record([first], assessor: NumberAssessor(), now: noon)
        }
        guard case .unreadableRow? = error else { throw try #require(error) }
        #expect(error?.isPassing == false)
        for second in [0, 1, 60, 61] as [Int64] {
            let words = try #require(await fixture.store.writeProblem(now: noon + second))
            #expect(words.contains("a stored row cannot be read"))
            #expect(!words.contains("nobody") && !words.contains("column") && !words.contains(fixture.path))
        }
        try await fixture.store.prune(Configuration.Retention(), now: noon)
        #expect(await fixture.store.writeProblem(now: noon + 62) != nil)
        _ = try await fixture.store.writer.statement("UPDATE target SET owner = 'ours'")
        try await fixture.store.record([first], assessor: NumberAssessor(), now: noon + 70)
        #expect(await fixture.store.writeProblem(now: noon + 70) == nil)
    }

    @Test func `a scope that cannot be judged is told and put off, and the others are judged`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("api.example.com")
        _ = try await fixture.store.writer.statement("INSERT INTO evaluation VALUES ('moon/1', 0)")
        let judgement = try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon)
        #expect(judgement.fault != nil && judgement.judged > 1)
        #expect(await fixture.store.writeProblem(now: noon) != nil)
        let due = "SELECT count(*) FROM evaluation WHERE next_change_at <= \(noon.unixSeconds)"
        #expect(try await fixture.count(due) == 0)
        #expect(try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon).judged == 0)
        #expect(try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon + 3_600).fault != nil)
        _ = try await fixture.store.writer.statement("DELETE FROM evaluation WHERE scope_key = 'moon/1'")
        _ = try await fixture.store.writer.statement("INSERT OR REPLACE INTO evaluation VALUES ('installation', 0)")
        #expect(try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon + 3_600).fault == nil)
        #expect(await fixture.store.writeProblem(now: noon) == nil)
    }

    @Test func `a disk that filled up is noticed before anything was to be written, and asking often writes seldom`()
        async throws
    {
        let fixture = try await StoreFixture()
        #expect(await fixture.store.writeProblem(now: noon) == nil)
        let changes = try await fixture.count("SELECT total_changes()")
        _ = try await fixture.store.writer.statement("VACUUM")
        let pages = try await fixture.count("PRAGMA page_count")
        _ = try await fixture.store.writer.statement("PRAGMA max_page_count = \(pages)")
        for second in 0..<10 as Range<Int64> {
            #expect(await fixture.store.writeProblem(now: noon + second) == nil)
        }
        #expect(try await fixture.count("SELECT total_changes()") == changes)
        for now in [noon + 10, noon - 60] {
            #expect(try #require(await fixture.store.writeProblem(now: now)).contains("full"))
        }
        _ = try await fixture.store.writer.statement("PRAGMA max_page_count = 1000000")
        #expect(await fixture.store.writeProblem(now: noon + 11) == nil)
    }

    @Test func `only trouble that lies around the database passes`() {
        let passing: [StoreError] = [
            .locked(doing: ""), .full(doing: ""), .readOnly(doing: ""), .failing(doing: "", why: ""),
        ]
        let lasting: [StoreError] = [
            .cannotOpen(path: "", why: ""), .foreign(path: "", what: ""), .newer(path: "", version: 2, known: 1),
            .served(path: ""), .damaged(doing: "", why: ""), .refused(code: 1, why: "", doing: ""),
            .unreadableRow(column: 0, why: ""), .closed,
        ]
        #expect(passing.allSatisfy(\.isPassing) && !lasting.contains(where: \.isPassing))
    }
}
