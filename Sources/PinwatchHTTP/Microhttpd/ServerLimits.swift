/// What one client may ask of the daemon. Times are in whole ticks of the watch, one second each unless a test says otherwise.
package struct ServerLimits: Sendable {
    /// Connections at once; further ones wait in the backlog.
    package var connections: UInt32 = 4_096
    /// Bytes of a request target; beyond it 414.
    package var target = 8 << 10
    /// Bytes of request line and headers together; beyond it 431.
    package var headers = 10 << 10
    /// Bytes of a body that nobody asked for, read past and dropped; beyond it 413.
    package var body = 1 << 20
    /// Bytes of a body that are read past to be able to answer 413; beyond it the connection is reset.
    package var swallowed = 16 << 20
    /// Bytes of each body that are kept whatever others hold: a sign-in, and most changes. The connections bound them.
    package var smallBody = 16 << 10
    /// Bytes of bodies beyond that which are kept at once, over all requests; beyond it 503.
    package var bodies = 64 << 20
    /// What the library holds for one connection, idle ones included, once it took a request. The library answers 431
    /// and 414 in its own words where this is too little, so it is more than `headers` and an answer's headers together.
    package var connectionMemory = 20 << 10
    /// Seconds without a byte either way (the library's own timer); for a connection that is kept, between two requests.
    package var inactivitySeconds: UInt32 = 15
    /// From the end of the last answer, or the beginning of the connection, to the end of a request: against peers that drip.
    package var receiveTicks = 30
    /// For the handler.
    package var computeTicks = 75
    /// For the peer to take the answer.
    package var sendTicks = 60
    /// For the peer to take anything of a stream.
    package var streamStallTicks = 30
    /// For connections under a certificate that was replaced.
    package var retireTicks = 60
    package var tick: Duration = .seconds(1)

    package init() {}
}
