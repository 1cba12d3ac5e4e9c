import PinwatchCore
import Testing

@testable import pinwatch

@Suite(.timeLimit(.minutes(5))) struct VisitsTests {
    private let target: Target = {
        let name = HostName(checked: "api.example.com")
        let identity = TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil)
        return Target(id: TargetID(1), settings: TargetSettings(identity: identity))
    }()
    private let seen = [
        Observation(
            at: Instant(unixSeconds: 1), address: nil, profile: .phone, outcome: .resolveFailed(message: "no"))
    ]

    @Test func `a target is under way once`() {
        let visits = Visits()
        #expect(visits.begin(target.id))
        #expect(!visits.begin(target.id))
        #expect(visits.end(target.id, nil) == nil)
        #expect(visits.begin(target.id))
    }

    @Test func `who asked for a scan hears what it saw`() async {
        let visits = Visits()
        #expect(visits.beginByHand(target))
        async let answer = visits.answer(of: target.id, within: .seconds(30))
        while await !isAwaited(visits) {}
        #expect(visits.end(target.id, seen) == nil)
        let seen = await answer
        #expect(seen?.count == 1)
    }

    @Test func `a scan that is under way already does not answer, the one after it does`() async {
        let visits = Visits()
        #expect(visits.begin(target.id))
        #expect(!visits.beginByHand(target))
        async let answer = visits.answer(of: target.id, within: .seconds(30))
        while await !isAwaited(visits) {}
        #expect(visits.end(target.id, nil) == target)
        #expect(!visits.begin(target.id))
        #expect(visits.end(target.id, seen) == nil)
        let seen = await answer
        #expect(seen?.count == 1)
    }

    @Test func `an answer that does not come is given up at the limit, and when its asker leaves`() async {
        let visits = Visits()
        _ = visits.beginByHand(target)
        let late = await visits.answer(of: target.id, within: .milliseconds(10))
        #expect(late == nil)
        let asker = Task { await visits.answer(of: target.id, within: .seconds(30)) }
        asker.cancel()
        let left = await asker.value
        #expect(left == nil)
        #expect(visits.waiting == 0)
    }

    @Test func `nobody waits for a target that is not under way`() async {
        let answer = await Visits().answer(of: target.id, within: .seconds(30))
        #expect(answer == nil)
    }

    private func isAwaited(_ visits: Visits) async -> Bool {
        await Task.yield()
        return visits.waiting == 1
    }
}
