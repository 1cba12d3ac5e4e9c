internal import Glibc

/// Named places between any two steps from scan to settled delivery, at which a crash test may end the process.
enum Checkpoint {
    /// In debug builds `PINWATCH_STOP_AT=NAME` stops the process with SIGSTOP when it first gets there, with all that it
    /// holds: a test can look at it and then kill it, and no line of it runs in between. Else nothing happens.
    static func fromEnvironment() -> @Sendable (StaticString) -> Void {
        #if DEBUG
            if let name = Machine.environment("PINWATCH_STOP_AT") {
                // To this thread, which so goes no further; another one would take what is sent to the process.
                return { reached in if "\(reached)" == name { raise(SIGSTOP) } }
            }
        #endif
        return { _ in }
    }
}
