/// What one client may ask of the daemon. Times are in whole ticks of the watch, one second each unless a test says otherwise.
package struct ServerLimits: Sendable {
    /// Connections at once; further ones wait in the backlog.
    package var connections: UInt32 = 512
    /// Bytes of a request target; beyond it 414.
    package var target = 8 << 10
    /// Bytes of request line and headers together; beyond it 431.
    package var headers = 16 << 10
    /// Bytes of a body; beyond it 413. Bodies are read past and dropped, for nothing here takes one.
    package var body = 1 << 20
    /// Bytes of a body that are read past to be able to answer 413; beyond it the connection is reset.
    package var swallowed = 16 << 20
    /// What the library may hold for one connection. It answers 431 and 414 in its own words where this is too little,
    /// so it is far more than `headers`.
    package var connectionMemory = 128 << 10
    /// Seconds without a byte either way (the library's own timer).
    package var inactivitySeconds: UInt32 = 15
    /// From the end of the last answer, or the beginning of the connection, to the end of a request: against peers that drip.
    package var receiveTicks = 30
    /// For the handler.
    package var computeTicks = 30
    /// For the peer to take the answer.
    package var sendTicks = 60
    package var tick: Duration = .seconds(1)

    package init() {}
}
