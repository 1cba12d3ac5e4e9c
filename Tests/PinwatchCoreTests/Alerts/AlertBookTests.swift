import PinwatchCore
import Testing

struct AlertBookTests {
    typealias Book = BookDriver

    @Test func `a finding opens an alert once, is kept without a change, and resolves with its end`() throws {
        var book = BookDriver()
        let opened = book.play([Book.finding()])
        #expect(opened.told == ["ops alert.opened", "chat alert.opened"])
        guard case .open(let finding, let alert?) = try #require(opened.changes.first) else {
            Issue.record("not opened")
            return
        }
        #expect(alert.state == .open && alert.severity == .critical && alert.id.rawValue == 0)
        #expect(alert.openedAt == book.now)
        for _ in 0..<5 { #expect(book.play([Book.finding()]) == BookChanges(changes: [], outbox: [])) }
        #expect(book.open[0].finding.since == finding.since)

        let resolved = book.play([])
        #expect(resolved.told == ["ops alert.resolved", "chat alert.resolved"])
        guard case .resolve(let last, let ended?) = try #require(resolved.changes.first) else {
            Issue.record("not resolved")
            return
        }
        #expect(last == finding)
        #expect(ended.state == .resolved && ended.resolvedAt == book.now && ended.id.rawValue == 1)
        #expect(book.play([]) == BookChanges(changes: [], outbox: []))

        // What comes back is a new alert.
        _ = book.play([Book.finding()])
        #expect(book.open[0].alert?.id.rawValue == 2)
        #expect(book.open[0].finding.since == book.now)
    }

    @Test(
        "what a change of a finding is to those who were told",
        arguments: [
            (Book.finding(severity: .warning), Book.finding(severity: .critical), AlertChangeKind?.some(.escalated)),
            (Book.finding(severity: .critical), Book.finding(severity: .warning), .updated),
            (Book.finding(stage: .soon), Book.finding(stage: .imminent), .escalated),
            (Book.finding(stage: .expired), Book.finding(stage: .soon), .updated),
            (Book.finding(scope: (1, 8)), Book.finding(scope: (3, 8)), .escalated),
            (Book.finding(scope: (3, 8)), Book.finding(scope: (1, 8)), .updated),
            (Book.finding(scope: (3, 8)), Book.finding(scope: (3, 9)), nil),
            (Book.finding(scope: (8, 8)), Book.finding(scope: (9, 9)), nil),
            (Book.finding(scope: (8, 8)), Book.finding(scope: (7, 7)), nil),
            (Book.finding(stage: .near, scope: (3, 8)), Book.finding(stage: .soon, scope: (1, 8)), .escalated),
            (Book.finding(evidence: 1), Book.finding(evidence: 2), nil),
            (Book.finding(summary: "a"), Book.finding(summary: "b"), nil),
            (Book.finding(stale: false), Book.finding(stale: true), nil),
        ])
    func change(before: Finding, after: Finding, told: AlertChangeKind?) throws {
        var book = BookDriver()
        _ = book.play([before])
        let since = book.open[0].finding.since
        let changes = book.play([after])
        guard case .update(let finding, let alert?, let kind) = try #require(changes.changes.first) else {
            Issue.record("not updated")
            return
        }
        #expect(kind == told)
        #expect(changes.outbox.map(\.type) == (told.map { [$0.rawValue, $0.rawValue] } ?? []))
        #expect(finding.since == since)
        #expect(alert.severity == after.severity)
        #expect(book.play([after]).changes.isEmpty)
    }

    @Test func `a finding that comes to matter opens its alert then, and keeps its beginning`() throws {
        var book = BookDriver()
        let near = Book.finding("c", kind: .certificateExpiry, severity: .info, stage: .near)
        #expect(book.play([near]).outbox.isEmpty)
        #expect(book.open[0].alert == nil)
        let began = book.open[0].finding.since
        let changes = book.play([Book.finding("c", kind: .certificateExpiry, severity: .warning, stage: .soon)])
        #expect(changes.told == ["ops alert.opened", "chat alert.opened"])
        guard case .update(let finding, let alert?, .opened) = try #require(changes.changes.first) else {
            Issue.record("not an update that opens")
            return
        }
        #expect(finding.since == began)
        #expect(alert.id.rawValue == 0)
        #expect(book.open[0].alert?.id.rawValue == 1)
    }

    @Test func `acknowledged stays so through news, and is open again when it gets worse`() {
        var book = BookDriver()
        _ = book.play([Book.finding(scope: (3, 8))])
        book.acknowledge()
        _ = book.play([Book.finding(scope: (2, 8))])
        #expect(book.open[0].alert?.state == .acknowledged)
        _ = book.play([Book.finding(scope: (4, 8))])
        #expect(book.open[0].alert?.state == .open)
        #expect(book.open[0].alert?.acknowledged == nil)
    }

    @Test func `who heard of an alert hears of its end, whatever its severity is by then`() {
        var book = BookDriver()
        book.policy.routes = [
            Route(severities: [.warning], channels: ["chat"]), Route(severities: [.critical], channels: ["ops"]),
        ]
        #expect(book.play([Book.finding(severity: .warning)]).told == ["chat alert.opened"])
        #expect(book.play([Book.finding(severity: .critical)]).told == ["ops alert.escalated", "chat alert.escalated"])
        _ = book.play([Book.finding(severity: .info)])
        #expect(book.play([]).told == ["ops alert.resolved", "chat alert.resolved"])
    }

    @Test func `who never heard of an alert does not hear of its end`() {
        var book = BookDriver()
        book.policy.routes = [Route(severities: [.critical], channels: ["ops"])]
        #expect(book.play([Book.finding(severity: .warning)]).outbox.isEmpty)
        #expect(book.open[0].alert != nil)
        #expect(book.play([]).outbox.isEmpty)
    }

    @Test func `worst first, ends last, and a key only once`() {
        var book = BookDriver()
        _ = book.play([Book.finding("old")])
        let changes = book.play([
            Book.finding("b", severity: .warning), Book.finding("a", severity: .critical),
            Book.finding("a", severity: .info),
        ])
        let keys = changes.changes.map { change in
            switch change {
            case .open(let finding, _), .update(let finding, _, _), .resolve(let finding, _): finding.key
            }
        }
        #expect(keys == ["a", "b", "old"])
    }

    @Test(arguments: 1...20)
    func `what was reconciled is reconciled`(seed: Int) {
        var book = BookDriver()
        for step in 0..<40 {
            let found = (0..<6).filter { (step * 7 + $0 * seed) % 3 != 0 }.map { number in
                Book.finding(
                    "k\(number)", severity: Severity.allCases[(step / 3 + number * seed) % 3],
                    scope: ((step + number) % 4 + 1, 5))
            }
            _ = book.play(found, after: 1)
            #expect(book.play(found, after: 0) == BookChanges(changes: [], outbox: []))
            #expect(Set(book.open.map(\.finding.key)) == Set(found.map(\.key)))
        }
    }
}
