import PinwatchAlert
import PinwatchCore
import TestSupport
import Testing

@Suite struct CircuitTests {
    private let now = AlertSamples.now

    @Test func `Four failures do not open it, the fifth pauses 30 s, and each trial doubles up to ten minutes`() {
        var circuit = Circuit()
        for _ in 1...4 {
            circuit.failed(at: now, retryAfter: nil)
            #expect(!circuit.isOpen(at: now))
        }
        for pause in [30, 60, 120, 240, 480, 600, 600, 600] as [Int64] {
            circuit.failed(at: now, retryAfter: nil)
            #expect(circuit.pausedUntil == now + pause)
            #expect(circuit.isOpen(at: now + pause - 1))
            #expect(!circuit.isOpen(at: now + pause))
        }
    }

    @Test func `A success closes it and forgets all failures`() {
        var circuit = Circuit()
        for _ in 1...9 { circuit.failed(at: now, retryAfter: nil) }
        circuit.succeeded()
        #expect(circuit == Circuit())
        #expect(!circuit.isOpen(at: now))
    }

    @Test func `Retry-After pauses at the first failure`() {
        var circuit = Circuit()
        circuit.failed(at: now, retryAfter: RetryAfter("90", now: now))
        #expect(circuit.pausedUntil == now + 90)
    }

    @Test func `A thousand failures still pause ten minutes`() {
        var circuit = Circuit()
        for _ in 1...1_000 { circuit.failed(at: now, retryAfter: nil) }
        #expect(circuit.pausedUntil == now + 600)
    }
}
