/// A body without an end of its own: it is asked for its next bytes whenever the peer can take some.
package protocol ResponseStream: AnyObject, Sendable {
    /// Called once, before all else. `wake` may be called from any thread, whenever ``next(_:)`` has something again.
    func begin(wake: @escaping @Sendable () -> Void)
    /// At most `count` bytes; never blocks. Called by one thread at a time.
    func next(_ count: Int) -> StreamPiece
    /// Called once in every tick of the server's watch.
    func tick()
    /// The connection is gone; nothing is called after this.
    func closed()
}

/// What a stream has to say.
package enum StreamPiece: Sendable, Hashable {
    case bytes([UInt8])
    /// Nothing until the next wake.
    case nothing
    /// Nothing ever again.
    case end
}
