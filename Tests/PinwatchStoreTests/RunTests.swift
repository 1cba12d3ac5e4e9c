import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Runs of equal answers") struct RunTests {
    /// Answers of which each says the same with other words, as a banner with a date does.
    static let talkative: [[Outcome]] = [
        (0..<4).map { .startTLSRefused(message: "421 busy at 12:00:0\($0)") },
        (0..<4).map { .notTLS(firstBytes: [0x48, 0x54, UInt8($0)]) },
        (0..<4).map { .clientCertificateRequired(message: "salt \($0)") },
        (0..<4).map { .blockedByPolicy(rule: "rule \($0)") },
        (0..<4).map { .certificateTooLarge(limit: 1_000 + $0) },
        (0..<4).map { .alert(number: 40, name: "name \($0)") },
    ]

    @Test(arguments: talkative)
    func `an answer in other words continues its run, whose row holds the newest`(answers: [Outcome]) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for (number, answer) in answers.enumerated() {
            let now = noon + Int64(number) * 300
            try await fixture.store.record([refusing(target, answer, at: now)], assessor: NumberAssessor(), now: now)
            let (known, stored) = try await fixture.store.writer.memories(of: target.id, now: now)
            #expect(known == stored)
        }
        let runs = try await fixture.store.observations(of: target.id, PageRequest()).items
        #expect(runs.map(\.times) == [4])
        #expect(runs.map(\.firstAt) == [noon])
        #expect(runs.map(\.observation.outcome) == answers.suffix(1))
    }

    @Test(arguments: [
        (Outcome.alert(number: 40, name: "handshake_failure"), Outcome.alert(number: 70, name: "protocol_version")),
        (.reset(message: "gone"), .closed(message: "gone")),
    ])
    func `another answer begins a run`(first: Outcome, second: Outcome) async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        for (number, answer) in [first, second].enumerated() {
            let now = noon + Int64(number) * 300
            try await fixture.store.record([refusing(target, answer, at: now)], assessor: NumberAssessor(), now: now)
        }
        #expect(try await fixture.store.observations(of: target.id, PageRequest()).items.map(\.times) == [1, 1])
    }

    private func refusing(_ target: Target, _ outcome: Outcome, at now: Instant) -> Scan {
        Scan(
            target: target, startedAt: now, endedAt: now, resolved: [address("192.0.2.1")],
            observations: [Observation(at: now, address: address("192.0.2.1"), profile: .phone, outcome: outcome)])
    }
}
