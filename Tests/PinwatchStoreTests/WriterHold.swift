import Dispatch
import Synchronization

/// Holds the writer's thread at one of its steps, from when it is armed until a test lets it go.
final class WriterHold: Sendable {
    private let step: String
    private let armed = Mutex(false)
    private let there = AsyncStream<Void>.makeStream()
    private let gate = DispatchSemaphore(value: 0)
    /// Whether the writer is held now.
    var isHeld: Bool { held.withLock(\.self) }
    private let held = Mutex(false)

    init(at step: String) { self.step = step }

    /// The checkpoint. Gives up after a minute, so that who waits for the writer fails instead of hanging.
    func reached(_ step: StaticString) {
        guard "\(step)" == self.step, armed.withLock({ exchange(&$0, false) }) else { return }
        held.withLock { $0 = true }
        there.continuation.yield()
        _ = gate.wait(timeout: .now() + 60)
        held.withLock { $0 = false }
    }

    func arm() { armed.withLock { $0 = true } }

    /// Returns once the writer is held.
    func isThere() async { for await _ in there.stream { return } }

    func release() { gate.signal() }

    private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
        defer { value = new }
        return value
    }
}
