import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Reading pin sets") struct PinSetReadingTests {
    @Test(.timeLimit(.minutes(5))) func `does not wait for what is being recorded`() async throws {
        let hold = WriterHold(at: "store.record.before_commit")
        let fixture = try await StoreFixture(options: StoreOptions(checkpoint: { hold.reached($0) }))
        let (target, id) = try await watched(fixture)
        hold.arm()
        async let recorded: Void = fixture.record(target, key: 3, at: noon + 300)
        await hold.isThere()
        #expect(try await fixture.store.pinSets(PageRequest()).items.map(\.verdicts) == [[.rejectPin: 1]])
        #expect(try await fixture.store.pinSet(id)?.targetCount == 1)
        #expect(try await fixture.store.targets(of: id).map(\.targetID) == [target.id])
        #expect(hold.isHeld, "the reading waited for the recording")
        hold.release()
        try await recorded
    }

    @Test(.timeLimit(.minutes(5))) func `never shows the rows of one state with the pins of another`() async throws {
        let hold = WriterHold(at: "store.manage.after_commit")
        let fixture = try await StoreFixture(options: StoreOptions(checkpoint: { hold.reached($0) }))
        let (_, id) = try await watched(fixture)
        hold.arm()
        async let changed = fixture.store.changePinSet(id, to: pinDefinition("shop", keys: [7]), change(at: noon + 1))
        await hold.isThere()
        async let read = fixture.store.pinSet(id)
        async let listed = fixture.store.pinSets(PageRequest())
        // Both have rows of a commit whose pins are not shown yet, unless they are slower than this.
        hold.release()
        let records = [try await changed, try #require(try await read)] + (try await listed.items)
        for record in records {
            #expect(record.revision == record.pinSet.revision)
            let keys: [UInt8] = record.revision == 2 ? [7] : [2]
            #expect(record.pinSet.definition.source == pinDefinition("shop", keys: keys).source)
        }
    }

    @Test func `the counts kept equal a count of the rows, whatever came`() async throws {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(hosts: (0..<4).map { "h\($0).example" })
        configuration.pinSets = (0..<4).map {
            pinDefinition("app\($0)", host: "h\($0).example", keys: [2], managedBy: .config)
        }
        let targets = try await fixture.synchronize(configuration).targets.map(\.target)
        for (step, keys) in [[1, 2, 2, 1], [2, 2, 1, 1], [2, 1, 2, 2]].enumerated() {
            let now = noon + Int64(step) * 300
            let scans = zip(targets, keys).map { target, key in
                let other: UInt8 = step == 1 ? 2 : UInt8(key)
                return scan(
                    target, at: now,
                    [("192.0.2.1", chain(UInt8(key), key: UInt8(key))), ("192.0.2.2", chain(other, key: other))])
            }
            try await fixture.store.record(scans, assessor: NumberAssessor(), now: now)
            try await check(fixture, applying: 4)
        }
        configuration.pinSets.removeFirst()
        configuration.targets.removeLast()
        _ = try await fixture.synchronize(configuration, at: noon + 1_000)
        try await fixture.judge(at: noon + 1_000)
        try await check(fixture, applying: nil)
        try await fixture.store.prune(Configuration.Retention(), now: noon + 5_000 * 86_400)
        try await check(fixture, applying: nil)
        #expect(try await fixture.count("SELECT count(*) FROM pin_set_reach WHERE pin_set_id = 1") == 0)
    }

    @Test func `counts nothing and looks everything up by a key`() async throws {
        let fixture = try await StoreFixture()
        for table in ["pin_set_tally", "pin_set_reach"] {
            let plan = try await fixture.store.writer.statement(
                "EXPLAIN QUERY PLAN SELECT * FROM \(table) WHERE pin_set_id = 1")
            #expect(plan.count == 1 && "\(plan)".contains("SEARCH \(table) USING"), "\(plan)")
        }
        let worst = try await fixture.store.writer.statement(
            """
            EXPLAIN QUERY PLAN SELECT target_id, count(DISTINCT address), min(body)
            FROM verdict WHERE pin_set_id = 1 AND kind = 'reject_pin' GROUP BY target_id ORDER BY target_id LIMIT 200
            """)
        #expect("\(worst)".contains("verdict_pin_set (pin_set_id=? AND kind=?)"), "\(worst)")
        #expect(!"\(worst)".contains("FOR GROUP BY") && !"\(worst)".contains("FOR ORDER BY"), "\(worst)")
    }

    @Test func `shows the worst targets first, and those alike by host`() async throws {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(hosts: ["c.example", "a.example", "b.example"])
        configuration.pinSets = [pinDefinition("shop", host: "*", keys: [2], managedBy: .config)]
        let targets = try await fixture.synchronize(configuration).targets.map(\.target)
        for (target, key) in zip(targets, [1, 1, 2] as [UInt8]) { try await fixture.record(target, key: key, at: noon) }
        let id = try #require(try await fixture.store.pinSets(PageRequest()).items.first).pinSet.id
        let shown = try await fixture.store.targets(of: id)
        #expect(shown.map(\.label).map { $0.prefix(1) } == ["a", "c", "b"])
        #expect(shown.map(\.verdict) == [.rejectPin, .rejectPin, .accept])
    }

    private func watched(_ fixture: StoreFixture) async throws -> (Target, PinSetID) {
        let target = try #require(try await fixture.targets("api.example.com").first)
        let id = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change()).pinSet.id
        try await fixture.record(target, key: 1, at: noon)
        return (target, id)
    }

    private func check(_ fixture: StoreFixture, applying: Int?) async throws {
        let records = try await fixture.store.pinSets(PageRequest()).items
        if let applying { #expect(records.count { $0.targetCount == 1 } == applying) }
        for record in records {
            let id = record.pinSet.id.rawValue
            for kind in VerdictKind.allCases {
                let rows = try await fixture.count(
                    "SELECT count(*) FROM verdict WHERE pin_set_id = \(id) AND kind = '\(kind.rawValue)'")
                let accepted = try await fixture.count(
                    "SELECT coalesce(sum(count), 0) FROM verdict_accepted WHERE pin_set_id = \(id)")
                let expected = rows + (kind == .accept ? accepted : 0)
                #expect(Int64(record.verdicts[kind] ?? 0) == expected, "\(kind) of \(id)")
            }
            let reach = try await fixture.count(
                """
                SELECT count(*) FROM (SELECT target_id FROM verdict WHERE pin_set_id = \(id)
                  UNION SELECT target_id FROM verdict_accepted WHERE pin_set_id = \(id))
                """)
            #expect(Int64(record.targetCount) == reach)
        }
    }
}
