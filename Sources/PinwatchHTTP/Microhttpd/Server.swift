internal import Glibc
package import PinwatchCore
internal import Synchronization

/// The HTTP daemon: libmicrohttpd's epoll threads, one per core, in front of a function from request to response.
///
/// Must be stopped before it is let go of; letting go of it unstopped answers 503 to whatever is being computed.
package final class Server: Sendable {
    /// The address with the real port.
    package let address: ListenAddress
    /// `nil` after a stop, which closes it.
    private let socket: Mutex<ListeningSocket?>
    private let threads: Int
    private let handlers: ServerHandlers
    private let daemons: Daemons
    private let watch: Task<Void, Never>

    /// Starts listening; requests arrive from now on.
    ///
    /// - Parameters:
    ///   - listen: Port 0 lets the system choose.
    ///   - certificate: `nil` speaks plain HTTP.
    ///   - threads: As many as cores.
    ///   - respond: Called on Swift's pool for each request, with its connection suspended.
    ///   - refuse: Called on the library's threads for requests that are not computed; must not block.
    ///   - bodyLimit: How many bytes are kept of the body of a request with this method and target; `nil` reads past
    ///     it. Called on the library's threads; must not block.
    /// - Throws: ``HTTPFailure`` if the address cannot be listened on, or the certificate not be used.
    package init(
        listen: ListenAddress, certificate: ServerCertificate? = nil, threads: Int,
        limits: ServerLimits = ServerLimits(), respond: @escaping @Sendable (Request) async -> Response,
        refuse: @escaping @Sendable (Problem) -> Response,
        bodyLimit: @escaping @Sendable (_ method: String, _ target: String) -> Int? = { _, _ in nil }
    ) throws(HTTPFailure) {
        let handlers = ServerHandlers(
            limits: limits, bodies: BodyBudget(bytes: limits.bodies), respond: respond, refuse: refuse,
            bodyLimit: bodyLimit)
        let socket = try ListeningSocket(listen)
        do throws(HTTPFailure) {
            daemons = Daemons(
                try Daemon(on: socket, certificate: certificate, threads: threads, handlers: handlers), certificate)
        } catch {
            close(socket.descriptor)
            throw error
        }
        self.socket = Mutex(socket)
        self.threads = threads
        self.handlers = handlers
        address = socket.address
        watch = Task { [daemons] in
            while (try? await Task.sleep(for: limits.tick)) != nil { daemons.tick() }
        }
    }

    /// Takes another certificate for new connections. Those under the old one go on until they end by themselves, or for
    /// the limits' `retireTicks`. Nothing happens for the pair that is in use.
    ///
    /// A daemon reads its certificate at its start only, so this starts a second one on the same listening socket, and
    /// then keeps the first from accepting.
    ///
    /// - Returns: Whether it is another pair than the one in use.
    /// - Throws: ``HTTPFailure`` for a pair that cannot be used, after which the old one still is.
    @discardableResult
    package func replace(_ certificate: ServerCertificate) throws(HTTPFailure) -> Bool {
        guard let current = daemons.certificate else {
            throw .certificate(reason: "the port speaks plain HTTP, and changes that at a start only")
        }
        guard current != certificate else { return false }
        return try socket.withLock { socket throws(HTTPFailure) in
            guard let socket else { return false }
            daemons.replace(
                by: try Daemon(on: socket, certificate: certificate, threads: threads, handlers: handlers), certificate)
            return true
        }
    }

    /// Stops accepting, ends streams, lets what is being computed and sent come to its end for at most `limit`, answers
    /// 503 to what is still being computed then, and ends the threads. Further calls do nothing.
    package func stop(within limit: Duration) async {
        watch.cancel()
        await daemons.stop(within: limit)
        closeSocket()
    }

    deinit {
        watch.cancel()
        closeSocket()
    }

    private func closeSocket() {
        socket.withLock { socket in
            if let socket { close(socket.descriptor) }
            socket = nil
        }
    }

    /// How many connections are receiving, computing, sending and streaming.
    package var connections: [String: Int] { daemons.connections }
}
