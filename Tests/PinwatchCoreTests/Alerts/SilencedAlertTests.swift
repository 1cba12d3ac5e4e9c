import PinwatchCore
import Testing

struct SilencedAlertTests {
    typealias Book = BookDriver

    /// A book whose driver's host is silenced from its present time for a thousand seconds.
    private func silenced(_ book: BookDriver, _ matchers: Silence.Matchers? = nil) -> BookDriver {
        var book = book
        let silence = Silence(
            matchers: matchers ?? Silence.Matchers(host: "api.example.com"), startsAt: book.now,
            endsAt: book.now + 1_000, comment: "")
        book.policy.silences = [EvaluationPolicy.NumberedSilence(id: SilenceID(7), silence: silence)]
        return book
    }

    @Test func `what opens in a silence is told to nobody, and as opened when the silence ends`() {
        var book = silenced(BookDriver())
        #expect(book.play([Book.finding()]).told.isEmpty)
        #expect(book.open[0].alert?.state == .silenced && book.open[0].alert?.silencedBy == "7")
        #expect(book.play([Book.finding(scope: (3, 8))]).told.isEmpty)
        #expect(book.play([Book.finding(scope: (3, 8))], after: 1).changes.isEmpty)
        #expect(
            book.play([Book.finding(scope: (3, 8))], after: 1_000).told == ["ops alert.opened", "chat alert.opened"])
        #expect(book.open[0].alert?.state == .open && book.open[0].alert?.silencedBy == nil)
        #expect(book.play([Book.finding(scope: (3, 8))]) == BookChanges(changes: [], outbox: []))
        #expect(book.play([]).told == ["ops alert.resolved", "chat alert.resolved"])
    }

    @Test(
        "what is told at the end of a silence to those who had heard of the alert before it",
        arguments: [
            (2, [String]()), (1, [String]()), (3, ["ops alert.escalated", "chat alert.escalated"]),
        ])
    func end(affected: Int, told: [String]) {
        let after = Book.finding(scope: (affected, 8))
        var book = BookDriver()
        _ = book.play([Book.finding(scope: (2, 8))])
        book = silenced(book)
        #expect(book.play([Book.finding(scope: (2, 8))], after: 1).told.isEmpty)
        #expect(book.open[0].alert?.state == .silenced)
        #expect(book.play([after]).told.isEmpty)
        #expect(book.play([after], after: 1_000).told == told)
        #expect(book.open[0].alert?.state == .open && book.open[0].alert?.atSilence == nil)
    }

    @Test func `after a silence, who hears of the alert for the first time hears that it opened`() {
        var book = BookDriver()
        book.policy.routes = [
            Route(severities: [.warning], channels: ["chat"]), Route(severities: [.critical], channels: ["ops"]),
        ]
        _ = book.play([Book.finding(severity: .warning)])
        book = silenced(book)
        #expect(book.play([Book.finding(severity: .critical)]).told.isEmpty)
        #expect(
            book.play([Book.finding(severity: .critical)], after: 1_000).told
                == ["chat alert.escalated", "ops alert.opened"])
    }

    @Test(arguments: [1, 1_001])
    func `the end of a silenced alert is told to those alone who heard of it before`(seconds: Int64) {
        var book = BookDriver()
        _ = book.play([Book.finding("told")])
        book = silenced(book)
        _ = book.play([Book.finding("told"), Book.finding("never told")], after: 1)
        #expect(book.play([], after: seconds).told == ["ops alert.resolved", "chat alert.resolved"])
    }

    @Test(arguments: [(2, AlertState.acknowledged), (3, AlertState.open)])
    func `an acknowledgement outlives a silence, unless it got worse meanwhile`(affected: Int, state: AlertState) {
        var book = BookDriver()
        _ = book.play([Book.finding(scope: (2, 8))])
        book.acknowledge()
        book = silenced(book)
        _ = book.play([Book.finding(scope: (2, 8))], after: 1)
        #expect(book.open[0].alert?.state == .silenced && book.open[0].alert?.acknowledged != nil)
        let told = book.play([Book.finding(scope: (affected, 8))], after: 1_000).told
        #expect(book.open[0].alert?.state == state && told.isEmpty == (state == .acknowledged))
    }

    static let covered: [Silence.Matchers] = [
        Silence.Matchers(targets: [TargetID(12)]), Silence.Matchers(host: "api.example.com"),
        Silence.Matchers(host: "*.example.com"), Silence.Matchers(host: "API.example.com."),
        Silence.Matchers(host: "*.com"), Silence.Matchers(labels: ["app": "shop"]),
        Silence.Matchers(kinds: [.pinRejected]), Silence.Matchers(severities: [.critical]),
    ]

    static let uncovered: [Silence.Matchers] = [
        Silence.Matchers(targets: [TargetID(13)]), Silence.Matchers(host: "example.com"),
        Silence.Matchers(host: "*.api.example.com"), Silence.Matchers(labels: ["app": "shop", "team": "a"]),
        Silence.Matchers(kinds: [.scanFailing]), Silence.Matchers(severities: [.warning]),
        Silence.Matchers(host: "api.example.com", kinds: [.scanFailing]), Silence.Matchers(),
    ]

    @Test(arguments: covered) func `a silence covers what meets all of its matchers`(matchers: Silence.Matchers) {
        var book = silenced(BookDriver(), matchers)
        #expect(book.play([Book.finding()]).told.isEmpty)
    }

    @Test(arguments: uncovered) func `a silence covers nothing else`(matchers: Silence.Matchers) {
        var book = silenced(BookDriver(), matchers)
        #expect(book.play([Book.finding()]).told == ["ops alert.opened", "chat alert.opened"])
    }

    @Test func `what concerns all targets of a host is covered if each of them is`() throws {
        let book = BookDriver()
        let first = try #require(book.target(TargetID(1)))
        let second = try #require(book.target(TargetID(2)))
        var finding = Book.finding()
        finding.targetID = nil
        let one = Silence.Matchers(targets: [TargetID(1)])
        #expect(one.cover(finding, targets: [first]))
        #expect(one.cover(finding, targets: [first, second]) == false)
        #expect(one.cover(finding, targets: []) == false)
        #expect(Silence.Matchers(kinds: [.pinRejected]).cover(finding, targets: []))
    }

    @Test func `of two silences the one that covers an alert already stays named until it ends`() {
        var book = silenced(BookDriver())
        _ = book.play([Book.finding()], after: 1)
        let longer = Silence(
            matchers: Silence.Matchers(kinds: [.pinRejected]), startsAt: book.now, endsAt: book.now + 9_000, comment: ""
        )
        book.policy.silences.insert(EvaluationPolicy.NumberedSilence(id: SilenceID(3), silence: longer), at: 0)
        _ = book.play([Book.finding()], after: 1)
        #expect(book.open[0].alert?.silencedBy == "7")
        #expect(book.play([Book.finding()], after: 1_000).told.isEmpty)
        #expect(book.open[0].alert?.silencedBy == "3")
    }

    @Test func `an acknowledgement is told once, to those who heard of the alert, and not in a silence`() throws {
        var book = BookDriver()
        _ = book.play([Book.finding()])
        func acknowledge(_ known: OpenFinding, _ note: String) -> BookChanges {
            AlertBook.acknowledge(
                known, Alert.Acknowledgement(by: "ann", at: book.now, note: note), policy: book.policy,
                targets: book.target, windows: &book.windows, now: book.now)
        }
        let first = acknowledge(book.open[0], "on it")
        #expect(first.told == ["ops alert.acknowledged", "chat alert.acknowledged"])
        guard case .update(_, let alert?, .acknowledged) = try #require(first.changes.first) else {
            Issue.record("not acknowledged")
            return
        }
        #expect(alert.state == .acknowledged && alert.acknowledged?.note == "on it")
        let again = acknowledge(OpenFinding(finding: book.open[0].finding, alert: alert), "still")
        #expect(again.outbox.isEmpty && again.changes.count == 1)
        var silenced = book.open[0]
        silenced.alert?.state = .silenced
        #expect(acknowledge(silenced, "quietly").outbox.isEmpty)
        guard
            case .update(_, let back?, nil) = try #require(
                AlertBook.unacknowledge(OpenFinding(finding: book.open[0].finding, alert: alert)).changes.first)
        else {
            Issue.record("not taken back")
            return
        }
        #expect(back.state == .open && back.acknowledged == nil)
    }
}
