internal import PinwatchCore
internal import PinwatchTLS

/// One address being visited: a connection with its hello, and after a failure a second one.
final class Visit {
    enum Phase {
        /// This machine lacked descriptors or memory for the connection; to be tried again shortly.
        case awaitingMeans
        case connecting
        /// The hello is sent, and nothing was read yet.
        case awaitingFirstBytes
        case handshaking
        /// TLS 1.3: done here, but the server asked for a client certificate and has not said what it thinks.
        case awaitingServer
    }

    let job: AddressJob
    /// One absolute end for all steps of the address.
    let deadline: MonotonicTime
    let startedAt: Instant
    var profile = HelloProfile.phone
    var helloStarted: MonotonicTime
    var phase = Phase.connecting
    /// -1 while there is none.
    var descriptor: Int32 = -1
    var handshake: Handshake?
    var observations: [Observation] = []
    /// What was lacking at the last try to connect: an errno.
    var shortage: Int32 = 0

    init(job: AddressJob, startedAt: Instant, now: MonotonicTime, deadline: MonotonicTime) {
        self.job = job
        self.startedAt = startedAt
        self.deadline = deadline
        helloStarted = now
    }
}
