package import PinwatchCore

/// Why a name gave no address, as a sentence.
package struct ResolveFailure: Error, Hashable, Sendable {
    package let message: String

    package init(message: String) {
        self.message = message
    }
}

/// Turns names into addresses away from the event loops.
package protocol NameResolver: Sendable {
    /// Looks a name up as absolute, without search domains, in both address families.
    ///
    /// Returns at once. `completion` is called exactly once, on any thread, within `timeoutMilliseconds` and a little:
    /// with each address once in the order found, at least one; or with why there is none.
    func resolve(
        _ name: HostName, timeoutMilliseconds: Int64,
        completion: @escaping @Sendable (Result<[IPAddress], ResolveFailure>) -> Void)

    /// Ends all lookups, each with a failure. Later ones fail at once.
    func stop()
}
