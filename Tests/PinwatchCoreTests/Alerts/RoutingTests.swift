import PinwatchCore
import Testing

struct RoutingTests {
    typealias Book = BookDriver

    @Test(
        "routes to `ops`, and whether they carry a pin.rejected of some severity",
        arguments: [
            ([Route(channels: ["ops"])], Severity.critical, true),
            ([Route(channels: ["ops"])], .warning, true),
            ([Route(channels: ["ops"])], .info, false),
            ([Route(severities: [.info], channels: ["ops"])], .info, true),
            ([Route(severities: [.critical], channels: ["ops"])], .warning, false),
            ([Route(kinds: [.pinRejected], channels: ["ops"])], .info, true),
            ([Route(kinds: [.scanStale], channels: ["ops"])], .critical, false),
            ([Route(severities: [.critical], kinds: [.pinRejected], channels: ["ops"])], .critical, true),
            ([Route(labels: ["app": "shop"], channels: ["ops"])], .critical, true),
            ([Route(labels: ["app": "bank"], channels: ["ops"])], .critical, false),
            ([Route(labels: ["app": "shop", "team": "a"], channels: ["ops"])], .critical, false),
            ([Route(events: [.keyChanged], channels: ["ops"])], .critical, false),
            ([Route(severities: [.critical], events: [.keyChanged], channels: ["ops"])], .critical, true),
            ([Route(channels: ["gone"])], .critical, false),
            ([Route(channels: ["ops"]), Route(severities: [.critical], channels: ["ops"])], .critical, true),
        ])
    func route(routes: [Route], severity: Severity, carries: Bool) {
        var book = BookDriver()
        book.policy.routes = routes
        #expect(book.play([Book.finding(severity: severity)]).outbox.map(\.channel) == (carries ? ["ops"] : []))
    }

    @Test(arguments: [(Severity.critical, 2), (.warning, 2), (.info, 0)])
    func `without routes every channel hears of what is critical or a warning`(severity: Severity, count: Int) {
        var book = BookDriver()
        let changes = book.play([Book.finding(severity: severity)])
        #expect(changes.outbox.count == count)
        #expect((book.open[0].alert != nil) == (severity != .info))
    }

    @Test func `a channel that fails is not told so itself`() {
        var book = BookDriver()
        let finding = Book.finding("channel.failing/ops", kind: .channelFailing, severity: .warning, subject: "ops")
        #expect(book.play([finding]).told == ["chat alert.opened"])
        #expect(book.play([]).told == ["chat alert.resolved"])
    }

    @Test(arguments: [(false, ["event.key.changed"]), (true, [])])
    func `events go where a route names their kind, quiet ones nowhere`(quiet: Bool, told: [String]) {
        var book = BookDriver()
        book.policy.routes = [
            Route(events: [.keyChanged], channels: ["chat"]), Route(severities: [.critical], channels: ["ops"]),
        ]
        let events = [EventKind.keyChanged, .chainChanged].map { kind in
            Event(
                kind: kind, at: book.now, targetID: TargetID(12), subject: "a", quiet: quiet, summary: "s",
                evidence: .null)
        }
        let items = AlertBook.outbox(
            for: events, policy: book.policy, targets: book.target, windows: &book.windows, now: book.now)
        #expect(items.map(\.type) == told)
        #expect(items.allSatisfy { $0.channel == "chat" && $0.holdUntil == book.now && $0.target != nil })
    }
}
