import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct SharedAnswerTests {
    private struct Failure: Error {}

    private func call(_ target: String = "/api/v1/summary", after seconds: Int64 = 0) throws -> Call {
        Call(
            request: Request(method: "GET", target: target), target: try RequestTarget(target), parameters: [:],
            principal: nil, address: nil, now: PinwatchHTTPTests.now + seconds)
    }

    @Test func `who asks at the same moment for the same is told the same, read once`() async throws {
        let (shared, made) = (SharedAnswers(), Counter())
        let call = try call()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await shared.answer(call, version: 7) { Response(status: 200 + made.next()) }.status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
        #expect(made.count == 1)
    }

    @Test func `a commit, a second, another target and a store that does not count each ask anew`() async throws {
        let (shared, made) = (SharedAnswers(), Counter())
        let asked: [(Call, UInt64?)] = [
            (try call(), 1), (try call(), 2), (try call(after: 1), 2), (try call("/api/v1/targets"), 2),
            (try call(), nil), (try call(), nil),
        ]
        for (call, version) in asked {
            _ = try await shared.answer(call, version: version) { Response(status: 200 + made.next()) }
        }
        #expect(made.count == asked.count)
    }

    @Test func `a refusal is everybody's, and the next commit is asked again`() async throws {
        let (shared, call) = (SharedAnswers(), try call())
        for _ in 0..<2 {
            await #expect(throws: Failure.self) { try await shared.answer(call, version: 1) { throw Failure() } }
        }
        #expect(try await shared.answer(call, version: 2) { Response(status: 200) }.status == 200)
    }

    @Test func `who gives up does not take the answer from the others`() async throws {
        let (shared, gate, call) = (SharedAnswers(), Gate(), try call())
        let make: @Sendable () async throws -> Response = {
            await gate.wait()
            try Task.checkCancellation()
            return Response(status: 204)
        }
        let first = Task { try await shared.answer(call, version: 1, make: make).status }
        let second = Task { try await shared.answer(call, version: 1, make: make).status }
        first.cancel()
        gate.open()
        #expect(try await second.value == 204)
        _ = await first.result
    }

    @Test func `kept answers are bounded`() async throws {
        let (shared, made) = (SharedAnswers(), Counter())
        for number in 0..<1_000 {
            let call = try call("/api/v1/targets?cursor=\(number)")
            _ = try await shared.answer(call, version: 1) { Response(status: 200 + made.next() % 2) }
        }
        #expect(made.count == 1_000)
    }
}
