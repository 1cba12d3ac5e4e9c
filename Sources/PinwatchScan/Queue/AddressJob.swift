internal import PinwatchCore

/// One address to visit, as an event loop gets it.
struct AddressJob: Sendable {
    /// The open scan that it belongs to, and the address's place in it.
    let scan: Int
    let index: Int
    let address: IPAddress
    let port: UInt16
    let serverName: HostName?
    let startTLS: StartTLS?
    /// `nil` connects directly.
    let proxy: ProxyRoute?
    /// What the server may be shown; `nil` for most targets.
    let client: ClientOffer?
    /// How dialogues in clear name the host.
    let hostText: String
    let hellos: HelloPlan
    /// Bounds all steps at the address together.
    let timeoutMilliseconds: Int64
    /// How far another loop came with it; `nil` where nobody has begun.
    var begun: Begun?

    /// A visit between two connections.
    struct Begun: Sendable {
        let startedAt: Instant
        let deadline: MonotonicTime
        /// The hello that is to be sent anew.
        let hello: HelloSequence.Hello
        let hellos: HelloSequence
        let proxyAddress: Int
    }

    /// The address and port for people: `192.0.2.1:443`, `[2001:db8::1]:443`.
    var place: String { address.place(port: port) }
}

/// What a visit to an address found, one observation per hello.
struct AddressResult: Sendable {
    let scan: Int
    let index: Int
    let observations: [Observation]
}

/// What a loop is to do next.
struct LoopOrders {
    var jobs: [AddressJob] = []
    /// Ask again at this time at the latest.
    var askAgain: MonotonicTime?
    /// Close everything and leave.
    var ends = false
}
