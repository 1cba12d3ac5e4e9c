import PinwatchCore
import Testing

@Suite struct OverviewTests {
    private let now = Instant(unixSeconds: 1_796_040_000)

    private func summary(_ targets: Int = 12, _ edit: (inout SummaryRecord) -> Void = { _ in }) -> SummaryRecord {
        var summary = SummaryRecord(
            targets: targets, addresses: targets, conditions: [.ok: targets], findings: FindingCounts(), openAlerts: 0,
            pinSets: 1, broken: [], runway: [], changes: [], lastScanAt: now, onTime: targets, failing: 0, unscanned: 0)
        edit(&summary)
        return summary
    }

    private func finding(_ severity: Severity, stale: Bool = false) -> Finding {
        Finding(
            key: "k", kind: .pinRejected, severity: severity, subject: "api.example.com",
            summary: "shop-ios 5.1 rejects api.example.com.", nextStep: "", since: now, stale: stale)
    }

    private func upcoming(_ kind: Upcoming.Kind, in seconds: Int64) -> Upcoming {
        Upcoming(
            kind: kind, endsAt: now + seconds, targetID: nil, pinSetID: nil, subject: "shop-ios 5.1", summary: "ends")
    }

    @Test func `Without targets the sentence teaches the next step`() {
        let answer = Overview.sentence(summary(0) { $0.lastScanAt = nil }, now: now)
        #expect(answer == (.unknown, "Nothing is watched yet. Add the hosts that your apps speak to."))
    }

    @Test(arguments: [
        (1, "Not scanned yet. One target waits for the first scan."),
        (10, "Not scanned yet. Ten targets wait for the first scan."),
        (11, "Not scanned yet. 11 targets wait for the first scan."),
    ])
    func `Before the first scan nothing is known`(targets: Int, sentence: String) {
        let answer = Overview.sentence(
            summary(targets) {
                $0.lastScanAt = nil
                $0.unscanned = targets
                $0.conditions = [.unknown: targets]
            }, now: now)
        #expect(answer == (.unknown, sentence))
    }

    @Test(
        arguments: [
            (Upcoming.Kind.certificate, 42 * 86_400 + 5, "The next certificate ends in 42 days."),
            (.certificate, 86_400, "The next certificate ends in one day."),
            (.certificate, 86_399, "The next certificate ends in less than a day."),
            (.certificate, 2 * 86_400, "The next certificate ends in two days."),
            (.chain, 10 * 86_400, "The next intermediate certificate ends in ten days."),
            (.pinSet, 11 * 86_400, "The pinning of shop-ios 5.1 turns off in 11 days."),
        ] as [(Upcoming.Kind, Int64, String)])
    func `With nothing broken the nearest end follows`(kind: Upcoming.Kind, seconds: Int64, sentence: String) {
        let answer = Overview.sentence(
            summary { $0.runway = [upcoming(kind, in: -1), upcoming(kind, in: seconds)] }, now: now)
        #expect(answer == (.ok, "Nothing is broken. " + sentence))
    }

    @Test func `With nothing broken and no end known one sentence is enough`() {
        #expect(Overview.sentence(summary(), now: now) == (.ok, "Nothing is broken."))
    }

    @Test(arguments: [
        (Severity.critical, 1, 0, ""), (.critical, 1, 1, " One more problem is open."),
        (.critical, 2, 1, " Two more problems are open."), (.critical, 5, 7, " 11 more problems are open."),
        (.warning, 0, 1, ""), (.warning, 0, 3, " Two more problems are open."),
    ])
    func `The worst comes first, and the rest is counted`(severity: Severity, critical: Int, warning: Int, more: String)
    {
        let answer = Overview.sentence(
            summary {
                $0.broken = [finding(severity)]
                $0.findings = FindingCounts(critical: critical, warning: warning, info: 9)
            }, now: now)
        #expect(answer.verdict == (severity == .critical ? .critical : .warning))
        #expect(answer.sentence == "shop-ios 5.1 rejects api.example.com." + more)
    }

    @Test func `Stale knowledge is called so`() {
        let answer = Overview.sentence(
            summary {
                $0.broken = [finding(.critical, stale: true)]
                $0.findings = FindingCounts(critical: 1)
            }, now: now)
        #expect(
            answer.sentence == "shop-ios 5.1 rejects api.example.com. "
                + "That is the last known state, for the host no longer answers.")
    }

    @Test(arguments: [
        (1, 12, "one of 12 targets could not be judged."), (2, 4, "two of four targets could not be judged."),
        (1, 1, "the target could not be judged."),
    ])
    func `What is unknown is its own answer`(unknown: Int, targets: Int, rest: String) {
        let answer = Overview.sentence(summary(targets) { $0.conditions = [.unknown: unknown] }, now: now)
        #expect(answer == (.unknown, "Nothing is known to be broken, but " + rest))
    }

    @Test(arguments: [(-1, -1), (-86_400, -1), (-86_401, -2), (0, 0), (86_399, 0), (86_400, 1)] as [(Int64, Int)])
    func `Days left are whole days, negative after the end`(seconds: Int64, days: Int) {
        #expect(upcoming(.certificate, in: seconds).json(now: now).text.contains(#""days_left":\#(days),"#))
    }

    @Test func `The summary's shape holds every member, and unknown is null`() {
        let text = summary(0) { $0.lastScanAt = nil }
            .json(now: now, load: ScannerLoad(waiting: 3, open: 2, oldestWaitSeconds: 40)).text
        #expect(
            text.contains(
                #""counts":{"targets":0,"addresses":0,"ok":0,"warning":0,"critical":0,"unknown":0,"#
                    + #""findings":{"critical":0,"warning":0,"info":0},"alerts_open":0,"pin_sets":1}"#))
        #expect(
            text.contains(
                #""scans":{"last_at":null,"on_time":null,"failing":0,"unscanned":0,"waiting":3,"under_way":2,"#
                    + #""oldest_wait_s":40}"#))
    }
}
