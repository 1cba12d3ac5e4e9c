internal import Glibc

/// Named places between any two steps from scan to settled delivery, at which a crash test may end the process.
enum Checkpoint {
    /// In debug builds `PINWATCH_KILL_AT=NAME` ends the process with SIGKILL when it first gets there; else nothing happens.
    static func fromEnvironment() -> @Sendable (StaticString) -> Void {
        #if DEBUG
            if let name = Machine.environment("PINWATCH_KILL_AT") {
                return { reached in if "\(reached)" == name { kill(getpid(), SIGKILL) } }
            }
        #endif
        return { _ in }
    }
}
