import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchScan

@Suite("The order of hellos")
struct HelloSequenceTests {
    private static let certificate = Certificate(der: [1], fingerprint: Digests.sha256([1]))

    /// Plays answers by the profile that is asked, and says in which order hellos were sent; `*` marks a legacy one.
    private func play(_ plan: HelloPlan, _ answers: [HelloProfile: Outcome]) -> (sent: String, judged: [Observation]) {
        var sequence = HelloSequence(plan: plan)
        var (sent, hello): ([String], HelloSequence.Hello?) = ([], HelloSequence.first)
        while let asked = hello, sent.count < 9 {
            sent.append(asked.profile.rawValue + (asked.isLegacy && asked.profile.isNarrowed ? "*" : ""))
            let outcome = answers[asked.profile] ?? .ok
            var observation = Observation(
                at: TestPKI.now, address: IPAddress("127.0.0.1"), profile: asked.profile, outcome: outcome)
            if outcome == .ok {
                observation.chain = Chain(id: ChainID(digest: Digests.sha256([1])), certificates: [Self.certificate])
            }
            hello = sequence.next(after: observation, wasSent: outcome != .connectRefused(message: ""))
        }
        return (sent.joined(separator: " "), sequence.judged())
    }

    static let refused = Outcome.alert(number: 40, name: "handshake_failure")

    @Test(
        arguments: [
            (HelloPlan.phone, [:], "phone"),
            (.phone, [.phone: refused], "phone legacy"),
            (.everyFamily, [:], "phone ecdsa rsa"),
            (.everyFamily, [.phone: refused], "phone legacy ecdsa* rsa*"),
            (.everyFamily, [.phone: refused, .legacy: refused], "phone legacy ecdsa rsa"),
            (.everyFamily, [.phone: .connectRefused(message: "")], "phone"),
            (.everyFamily, [.phone: .handshakeTimeout(message: "")], "phone"),
            (.everyFamily, [.phone: .notTLS(firstBytes: [])], "phone"),
            (.everyFamily, [.ecdsa: refused], "phone ecdsa rsa"),
            (.everyFamily, [.ecdsa: .handshakeTimeout(message: "")], "phone ecdsa"),
        ] as [(HelloPlan, [HelloProfile: Outcome], String)])
    func `what is sent depends on what was answered`(plan: HelloPlan, answers: [HelloProfile: Outcome], sent: String) {
        #expect(play(plan, answers).sent == sent)
    }

    @Test(arguments: [refused, .closed(message: ""), .reset(message: ""), .protocolUnsupported(message: "")])
    func `a refused family is none where another hello got a certificate`(outcome: Outcome) {
        let judged = play(.everyFamily, [.rsa: outcome]).judged
        #expect(judged.map(\.profile) == [.phone, .ecdsa, .rsa])
        #expect(judged.map(\.outcome.word) == ["ok", "ok", "no_such_key_family"])
    }

    @Test func `where no hello got a certificate a refused family keeps its own outcome`() {
        let judged = play(
            .everyFamily, [.phone: Self.refused, .legacy: Self.refused, .ecdsa: Self.refused, .rsa: Self.refused]
        ).judged
        #expect(judged.map(\.outcome.word) == ["alert", "alert", "alert", "alert"])
    }

    @Test func `a phone's refusal stays its own where the legacy hello got through`() {
        let judged = play(.everyFamily, [.phone: .protocolUnsupported(message: "old"), .ecdsa: Self.refused]).judged
        #expect(judged.map(\.profile) == [.phone, .ecdsa, .rsa, .legacy])
        #expect(judged.map(\.outcome.word) == ["protocol_unsupported", "no_such_key_family", "ok", "ok"])
    }
}
