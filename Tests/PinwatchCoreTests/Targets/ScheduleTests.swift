import PinwatchCore
import Testing

struct ScheduleTests {
    private let now = Instant(unixSeconds: 1_000_000)

    private func target(_ id: Int64, paused: Bool = false) -> Target {
        Target(
            id: TargetID(id),
            settings: TargetSettings(
                identity: TargetIdentity(
                    host: .name(HostName(checked: "h\(id).test")), port: 443, sni: nil, startTLS: nil),
                paused: paused))
    }

    @Test func `first scans spread over a tenth of the period, the same in every start`() {
        var schedule = Schedule()
        for id in 1...1_000 {
            schedule.set(target(Int64(id)), periodSeconds: 3_000, narrowedSeconds: 3_600, lastScanAt: nil, now: now)
        }
        var perSecond: [Int] = []
        for second in 0..<300 { perSecond.append(schedule.takeDue(now: now + Int64(second), limit: 9_999).count) }
        #expect(perSecond.reduce(0, +) == 1_000)
        #expect((perSecond.max() ?? 0) < 20)
        #expect(schedule.count == 1_000)
    }

    @Test(
        arguments: [
            (nil, Int64(0)), (-100, 200), (-300, 0), (-500, -200), (50, 300), (-700, 0),
        ] as [(Int64?, Int64)])
    func `the last scan decides the next`(lastScan: Int64?, due: Int64) throws {
        var schedule = Schedule()
        schedule.set(
            target(1), periodSeconds: 300, narrowedSeconds: 3_600, lastScanAt: lastScan.map { now + $0 }, now: now)
        let next = try #require(schedule.nextDue).seconds(since: now)
        // Those without a usable last scan are spread over the first tenth.
        if lastScan == nil || lastScan == -700 {
            #expect((0..<30).contains(next))
        } else {
            #expect(next == due)
        }
    }

    @Test func `a target comes one period after it was due, or from now if more was missed`() {
        var schedule = Schedule()
        schedule.set(target(1), periodSeconds: 300, narrowedSeconds: 3_600, lastScanAt: now - 300, now: now)
        #expect(schedule.takeDue(now: now + 10, limit: 5).map(\.target.id.rawValue) == [1])
        #expect(schedule.nextDue == now + 300)
        #expect(schedule.takeDue(now: now + 299, limit: 5).isEmpty)
        #expect(schedule.takeDue(now: now + 1_000, limit: 5).count == 1)
        #expect(schedule.nextDue == now + 1_300)
    }

    @Test func `the earliest come first, equals by number, and no more than asked for`() {
        var schedule = Schedule()
        for (id, last) in [(3, -300), (1, -300), (2, -400), (4, -299)] as [(Int64, Int64)] {
            schedule.set(target(id), periodSeconds: 300, narrowedSeconds: 3_600, lastScanAt: now + last, now: now)
        }
        #expect(schedule.takeDue(now: now, limit: 2).map(\.target.id.rawValue) == [2, 1])
        #expect(schedule.takeDue(now: now, limit: 2).map(\.target.id.rawValue) == [3])
        #expect(schedule.takeDue(now: now + 1, limit: 0).isEmpty)
        #expect(schedule.nextDue == now + 1)
    }

    @Test func `replaced, removed and paused targets leave nothing behind`() {
        var schedule = Schedule()
        for _ in 0..<500 {
            schedule.set(target(1), periodSeconds: 300, narrowedSeconds: 3_600, lastScanAt: now, now: now)
        }
        schedule.set(target(2), periodSeconds: 300, narrowedSeconds: 3_600, lastScanAt: now - 300, now: now)
        schedule.set(target(1), periodSeconds: 60, narrowedSeconds: 3_600, lastScanAt: now, now: now)
        schedule.remove(TargetID(2))
        schedule.remove(TargetID(7))
        #expect(schedule.count == 1)
        #expect(schedule.nextDue == now + 60)
        schedule.set(target(1, paused: true), periodSeconds: 60, narrowedSeconds: 3_600, lastScanAt: now, now: now)
        #expect(schedule.count == 0)
        #expect(schedule.nextDue == nil)
        #expect(schedule.takeDue(now: now + 9_999, limit: 9).isEmpty)
    }

    @Test func `setting a target that waits for its first scan again does not put it off`() throws {
        var schedule = Schedule()
        schedule.set(target(5), periodSeconds: 3_000, narrowedSeconds: 3_600, lastScanAt: nil, now: now)
        let first = try #require(schedule.nextDue)
        schedule.set(target(5), periodSeconds: 3_000, narrowedSeconds: 3_600, lastScanAt: nil, now: now + 100)
        #expect(try #require(schedule.nextDue) <= max(first, now + 100))
        #expect(schedule.nextDue == first)
    }

    @Test func `each key family is asked for in the first scan and then at its own pace`() {
        var schedule = Schedule()
        schedule.set(target(1), periodSeconds: 300, narrowedSeconds: 1_000, lastScanAt: nil, now: now)
        var hellos: [HelloPlan] = []
        for minute in 0..<60 { hellos += schedule.takeDue(now: now + Int64(minute) * 60, limit: 9).map(\.hellos) }
        let three: [HelloPlan] = [.phone, .phone, .phone]
        var expected: [HelloPlan] = [.everyFamily]
        expected += three
        expected.append(.everyFamily)
        expected += three
        expected.append(.everyFamily)
        #expect(Array(hellos.prefix(9)) == expected)
    }

    @Test func `after a start narrowed hellos are spread over their pace, and a change of settings keeps their time`() {
        var schedule = Schedule()
        for id in 1...600 {
            schedule.set(target(Int64(id)), periodSeconds: 60, narrowedSeconds: 3_600, lastScanAt: now - 60, now: now)
        }
        var perMinute: [Int] = []
        for minute in 0..<60 {
            perMinute.append(
                schedule.takeDue(now: now + Int64(minute) * 60, limit: 9_999).count { $0.hellos == .everyFamily })
            if minute == 30 {
                schedule.set(
                    target(1), periodSeconds: 60, narrowedSeconds: 3_600, lastScanAt: now + 1_800, now: now + 1_800)
            }
        }
        #expect((570...601).contains(perMinute.reduce(0, +)), "\(perMinute)")
        #expect((perMinute.max() ?? 0) < 30, "\(perMinute)")
    }
}
