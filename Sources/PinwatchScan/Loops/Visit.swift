internal import PinwatchCore
internal import PinwatchTLS

/// One address being visited: a connection for each hello, one after another.
final class Visit {
    enum Phase {
        /// This machine lacked what the visit needs; to be tried again shortly.
        case awaitingMeans
        case connecting
        /// A proxy was asked for a way to the address.
        case askingProxy
        /// A protocol is spoken in clear until the server agrees to switch to TLS.
        case inClear
        /// The hello is sent, and nothing was read yet.
        case awaitingFirstBytes
        case handshaking
        /// The server asked for a client certificate, and is judged before it gets it.
        case awaitingVerdict
        /// TLS 1.3: done here, but the server asked for a client certificate and has not said what it thinks.
        case awaitingServer
    }

    /// What this machine may lack, which says nothing about any server.
    enum Shortage {
        /// Descriptors or memory for a connection, by errno.
        case system(Int32)
        /// A place among those whose servers send long messages.
        case longMessages
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
    /// Which of the proxy's addresses is connected to, where there is a proxy.
    var proxyAddress = 0
    var proxyDialogue: ProxyDialogue?
    var dialogue: BoundedDialogue?
    /// What is still to be sent in clear, and whether TLS begins after it.
    var unsent: (bytes: ArraySlice<UInt8>, switches: Bool) = ([], false)
    var handshake: Handshake?
    /// What the present hello's server gets if it asks for a client certificate.
    var clientCertificate = ClientCertificateAnswer.none
    /// What was lacking at the last try.
    var shortage = Shortage.longMessages
    /// Whether it holds room for a long message; it does until its end, for what it has heard stays until then.
    var hasRoom = false

    /// - Parameter wallClock: The present time, for a visit that begins here.
    init(job: AddressJob, now: MonotonicTime, wallClock: () -> Instant) {
        self.job = job
        helloStarted = now
        if let begun = job.begun {
            startedAt = begun.startedAt
            deadline = begun.deadline
            hello = begun.hello
            hellos = begun.hellos
            proxyAddress = begun.proxyAddress
        } else {
            startedAt = wallClock()
            deadline = now.adding(milliseconds: job.timeoutMilliseconds)
            hellos = HelloSequence(plan: job.hellos)
        }
    }

    /// The job for another loop to go on with, from the present hello.
    var asBegun: AddressJob {
        var job = job
        job.begun = .init(
            startedAt: startedAt, deadline: deadline, hello: hello, hellos: hellos, proxyAddress: proxyAddress)
        return job
    }

    /// Whether the present hello's server got the client certificate.
    var showedCertificate: Bool { handshake?.certificateShown ?? false }

    /// Where the connection goes: the address, or the proxy that leads to it.
    var peer: (address: IPAddress, port: UInt16) {
        guard let route = job.proxy else { return (job.address, job.port) }
        return (route.addresses[proxyAddress], route.proxy.port)
    }
}
