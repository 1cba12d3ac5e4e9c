import PinwatchAlert
import PinwatchCore
import TestSupport
import Testing

@Suite struct CircuitTests {
    private let now = AlertSamples.now

    /// Fails tries of deliveries one after another, each of them new.
    private func fail(
        _ circuit: inout Circuit, _ deliveries: ClosedRange<Int64>, isTurnedDown: Bool = false,
        retryAfter: String? = nil
    ) -> [Bool] {
        deliveries.map { delivery in
            circuit.failed(
                delivery, isTurnedDown: isTurnedDown, at: now,
                retryAfter: retryAfter.flatMap { RetryAfter($0, now: now) })
        }
    }

    @Test(
        "Four failures do not open it, the fifth pauses 30 s, and each trial doubles up to ten minutes",
        arguments: [true, false])
    func opens(isTurnedDown: Bool) {
        var circuit = Circuit()
        for number in 1...4 as ClosedRange<Int64> {
            #expect(fail(&circuit, number...number, isTurnedDown: isTurnedDown) == [false])
            #expect(!circuit.isOpen(at: now) && !circuit.isOnTrial)
        }
        #expect(fail(&circuit, 5...5, isTurnedDown: isTurnedDown) == [true])
        for (number, pause) in zip(6..., [30, 60, 120, 240, 480, 600, 600, 600])
            as Zip2Sequence<PartialRangeFrom<Int64>, [Int64]>
        {
            #expect(circuit.pausedUntil == now + pause)
            #expect(circuit.isOpen(at: now + pause - 1) && circuit.isOnTrial)
            #expect(!circuit.isOpen(at: now + pause))
            #expect(fail(&circuit, number...number) == [false])
        }
    }

    @Test func `A success closes it and forgets all failures`() {
        var circuit = Circuit()
        _ = fail(&circuit, 1...9)
        circuit.succeeded()
        #expect(circuit == Circuit())
        #expect(!circuit.isOpen(at: now))
    }

    @Test("One delivery alone never opens it, and the next that fails does", arguments: [true, false])
    func alone(isTurnedDown: Bool) {
        var circuit = Circuit()
        for _ in 1...77 { #expect(fail(&circuit, 1...1, isTurnedDown: isTurnedDown) == [false]) }
        #expect(circuit.pausedUntil == nil && circuit.failures == 77)
        #expect(fail(&circuit, 2...2) == [!isTurnedDown])
        #expect(fail(&circuit, 3...4) == [false, false])
        #expect(fail(&circuit, 5...5) == [isTurnedDown])
    }

    @Test func `What is turned down counts once, and a trial that is turned down pauses again but no longer`() {
        var circuit = Circuit()
        for _ in 1...9 { #expect(fail(&circuit, 1...4, isTurnedDown: true) == [false, false, false, false]) }
        #expect(fail(&circuit, 5...5, isTurnedDown: true) == [true])
        for number in 6...60 as ClosedRange<Int64> {
            #expect(fail(&circuit, number...number, isTurnedDown: true) == [false])
            #expect(circuit.pausedUntil == now + 30)
        }
        _ = fail(&circuit, 61...61)
        _ = fail(&circuit, 62...62, isTurnedDown: true)
        #expect(circuit.pausedUntil == now + 60)
    }

    @Test func `A try in a pause that fails leaves the pause as it is`() {
        var circuit = Circuit()
        _ = fail(&circuit, 1...5)
        circuit.failedInPause()
        #expect(circuit.pausedUntil == now + 30 && circuit.failures == 6)
        _ = fail(&circuit, 6...6)
        #expect(circuit.pausedUntil == now + 60)
    }

    @Test func `Retry-After pauses at the first failure, unless it is about a message that was turned down`() {
        var circuit = Circuit()
        _ = fail(&circuit, 1...1, isTurnedDown: true, retryAfter: "90")
        #expect(circuit.pausedUntil == nil)
        _ = fail(&circuit, 2...2, retryAfter: "90")
        #expect(circuit.pausedUntil == now + 90)
    }

    @Test func `A thousand failures still pause ten minutes`() {
        var circuit = Circuit()
        _ = fail(&circuit, 1...1_000)
        #expect(circuit.pausedUntil == now + 600)
    }

    @Test func `A clock that is set back ends a pause`() {
        var circuit = Circuit()
        _ = fail(&circuit, 1...1, retryAfter: "86400")
        #expect(circuit.isOpen(at: now))
        #expect(!circuit.isOpen(at: now - 1))
    }

    @Test(
        "A message is turned down by what a 4xx says of it, not by what it says of the time or the place",
        arguments: [
            (200, false), (302, false), (399, false), (400, true), (401, true), (404, true), (408, false), (410, false),
            (413, true), (422, true), (425, false), (429, false), (499, true), (500, false), (503, false),
        ])
    func turnsDown(status: Int, expected: Bool) {
        #expect(Circuit.turnsDown(status: status) == expected)
    }
}
