internal import PinwatchCore
internal import PinwatchTLS

/// One address being visited: a connection for each hello, one after another.
final class Visit {
    enum Phase {
        /// This machine lacked descriptors or memory for the connection; to be tried again shortly.
        case awaitingMeans
        case connecting
        /// A protocol is spoken in clear until the server agrees to switch to TLS.
        case inClear
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
    var hello = HelloSequence.first
    var hellos: HelloSequence
    var helloStarted: MonotonicTime
    var phase = Phase.connecting
    /// -1 while there is none.
    var descriptor: Int32 = -1
    var dialogue: BoundedDialogue?
    /// What is still to be sent in clear, and whether TLS begins after it.
    var unsent: (bytes: ArraySlice<UInt8>, switches: Bool) = ([], false)
    var handshake: Handshake?
    /// What was lacking at the last try to connect: an errno.
    var shortage: Int32 = 0

    init(job: AddressJob, startedAt: Instant, now: MonotonicTime, deadline: MonotonicTime) {
        self.job = job
        self.startedAt = startedAt
        self.deadline = deadline
        helloStarted = now
        hellos = HelloSequence(plan: job.hellos)
    }
}
