import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Lists") struct ListTests {
    @Test func `pages neither repeat nor hide a target when others come and go between them`() async throws {
        let fixture = try await StoreFixture()
        let hosts = (10..<30).map { "h\($0).example" }
        _ = try await fixture.synchronize(fixture.configuration(hosts: hosts))
        let first = try await fixture.store.targets(PageRequest(limit: 8))
        #expect(first.total == 20 && first.items.count == 8)
        let changed = hosts.filter { $0 != "h12.example" } + ["a.example", "h205.example"]
        _ = try await fixture.synchronize(fixture.configuration(hosts: changed))
        var seen = first.items.map(\.target.host.text)
        var cursor = first.next
        while let place = cursor {
            let page = try await fixture.store.targets(PageRequest(limit: 8, cursor: place))
            seen += page.items.map(\.target.host.text)
            cursor = page.next
        }
        #expect(seen == (hosts + ["h205.example"]).sorted())
    }

    @Test(arguments: ["host", "last_scan_at", "state", "leaf.not_after"], [false, true])
    func `every sort pages through everything once, in both directions`(sort: String, descending: Bool) async throws {
        let fixture = try await StoreFixture()
        let targets = try await fixture.targets("c.example", "a.example", "b.example", "d.example")
        for (number, target) in targets.dropLast().enumerated() {
            let now = noon + Int64(number)
            try await fixture.store.record(
                [scan(target, at: now, [("192.0.2.1", chain(UInt8(number), key: 1))])], assessor: NumberAssessor(),
                now: now)
        }
        let whole = try await fixture.store.targets(PageRequest(sort: sort, descending: descending))
        var paged: [TargetID] = []
        var cursor: String?
        repeat {
            let page = try await fixture.store.targets(
                PageRequest(limit: 1, cursor: cursor, sort: sort, descending: descending))
            paged += page.items.map(\.target.id)
            cursor = page.next
        } while cursor != nil
        #expect(paged == whole.items.map(\.target.id) && Set(paged).count == 4)
        if sort == "host" {
            let sorted = ["a.example", "b.example", "c.example", "d.example"]
            #expect(whole.items.map(\.target.host.text) == (descending ? sorted.reversed() : sorted))
        }
        if sort == "last_scan_at" {
            let times = whole.items.map { $0.lastScanAt ?? Instant(unixSeconds: .min) }
            #expect(times == (descending ? times.sorted(by: >) : times.sorted()))
        }
    }

    @Test(arguments: [
        PageRequest(sort: "colour"), PageRequest(filters: ["colour": ["red"]]),
        PageRequest(filters: ["state": ["bad"]]),
        PageRequest(filters: ["stale": ["maybe"]]), PageRequest(filters: ["label": ["nocolon"]]),
        PageRequest(cursor: "!!"), PageRequest(cursor: ""), PageRequest(cursor: "WyJ0YXJnZXRzIl0"),
        PageRequest(cursor: String(repeating: "A", count: 5_000)),
    ])
    func `what a list cannot do is refused by the field's name`(request: PageRequest) async throws {
        let fixture = try await StoreFixture()
        let refusal = await #expect(throws: StoreRefusal.self) { try await fixture.store.targets(request) }
        let field = request.cursor != nil ? "cursor" : request.sort != nil ? "sort" : request.filters.keys.first
        #expect(refusal?.field == field)
    }

    @Test(arguments: [
        (["true"], 1), (["false"], 2), (["true", "true"], 1), (["false", "false"], 2), (["true", "false"], 3),
    ])
    func `a flag that is asked for several times may have any of the values`(values: [String], total: Int) async throws
    {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(hosts: ["a.example", "b.example", "c.example"])
        configuration.targets[0].paused = true
        _ = try await fixture.synchronize(configuration)
        #expect(try await fixture.store.targets(PageRequest(filters: ["paused": values])).total == total)
    }

    @Test func `filters are read by code points, as the database compares them`() async throws {
        let fixture = try await StoreFixture()
        var configuration = fixture.configuration(hosts: [])
        // What begins with an accent joins what stands before it.
        configuration.targets = [settings("a.example", labels: ["app": "\u{301}x"])]
        _ = try await fixture.synchronize(configuration)
        for (field, value, total) in [
            ("label", "app:\u{301}x", 1), ("label", "app:x", 0), ("host", "a.ex", 1), ("host", "a%\u{301}", 0),
            ("host", "%", 0), ("host", "_\u{301}", 0),
        ] {
            let page = try await fixture.store.targets(PageRequest(filters: [field: [value]]))
            #expect(page.total == total, "\(field)=\(value)")
        }
    }

    @Test func `a cursor of another order is refused`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example", "b.example")
        let cursor = try await fixture.store.targets(PageRequest(limit: 1)).next
        await #expect(throws: StoreRefusal.self) {
            try await fixture.store.targets(PageRequest(cursor: cursor, sort: "state"))
        }
        await #expect(throws: StoreRefusal.self) { try await fixture.store.events(PageRequest(cursor: cursor)) }
    }

    @Test(arguments: [("EXAMPLE", 2), ("a.ex", 1), ("%", 0), ("_", 0), ("\\", 0), ("", 2)])
    func `hosts are found by a part of their name, taken literally`(part: String, count: Int) async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example", "b.example")
        #expect(try await fixture.store.targets(PageRequest(filters: ["host": [part]])).total == count)
    }

    @Test func `lists of a hundred thousand targets use indexes`() async throws {
        let fixture = try await StoreFixture()
        for order in ["host, target_id", "condition, host, target_id", "leaf_ends_at, target_id"] {
            let plan = try await fixture.store.writer.statement(
                "EXPLAIN QUERY PLAN SELECT target_id FROM target_standing ORDER BY \(order) LIMIT 51")
            #expect(plan.count == 1 && "\(plan)".contains("USING COVERING INDEX"), "\(plan)")
        }
        let findings = try await fixture.store.writer.statement(
            """
            EXPLAIN QUERY PLAN SELECT body FROM finding WHERE (severity, since_at, id) > (0, 1, 2)
            ORDER BY severity, since_at, id LIMIT 51
            """)
        #expect(findings.count == 1 && "\(findings)".contains("SEARCH"), "\(findings)")
    }

    @Test func `events come newest first and are filtered`() async throws {
        let fixture = try await StoreFixture()
        let targets = try await fixture.targets("a.example", "b.example")
        let events = try await fixture.store.events(PageRequest())
        #expect(events.items.map(\.id) == [2, 1] && events.items.map(\.event.subject) == ["b.example", "a.example"])
        let one = try await fixture.store.events(PageRequest(filters: ["target_id": [targets[0].id.text]]))
        #expect(one.items.map(\.id) == [1] && one.total == 1)
        #expect(try await fixture.store.events(PageRequest(filters: ["kind": ["key.changed"]])).total == 0)
    }
}
