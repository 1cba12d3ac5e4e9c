package import PinwatchCore
internal import Synchronization

/// Names through c-ares on a thread of its own: DNS in both address families, `/etc/hosts` first, `localhost` always.
///
/// Names are absolute: no search domains and no host aliases of the environment. Addresses come in the order that the
/// answers gave; they are not sorted by reachability, for each of them is of interest.
package final class CaresResolver: NameResolver {
    struct Request: Sendable {
        let name: HostName
        let timeoutMilliseconds: Int64
        let completion: @Sendable (Result<[IPAddress], ResolveFailure>) -> Void
    }

    /// What other threads leave for the resolver's.
    struct Inbox: Sendable {
        var requests: [Request] = []
        var isStopped = false
    }

    private let mailbox: Mailbox
    private let thread: WorkerThread

    final class Mailbox: Sendable {
        let inbox = Mutex(Inbox())
        let poller: Poller
        init(poller: Poller) { self.poller = poller }
    }

    /// - Parameters:
    ///   - servers: DNS servers as `address` or `address:port`, separated by commas; `nil` takes `/etc/resolv.conf`'s.
    ///   - tryMilliseconds: How long a server is given before the next is asked; each is asked twice.
    /// - Throws: ``ScanError`` where c-ares or a thread cannot be had.
    package init(servers: String? = nil, tryMilliseconds: Int32 = 2_000) throws(ScanError) {
        let mailbox = Mailbox(poller: try Poller())
        let channel = try CaresChannel(poller: mailbox.poller, servers: servers, tryMilliseconds: tryMilliseconds)
        self.mailbox = mailbox
        thread = try WorkerThread {
            let loop = CaresLoop(mailbox: mailbox, channel: channel)
            // Lookups hold the loop weakly, so the optimizer may not end its life within `run()`.
            withExtendedLifetime(loop) { loop.run() }
        }
    }

    package func resolve(
        _ name: HostName, timeoutMilliseconds: Int64,
        completion: @escaping @Sendable (Result<[IPAddress], ResolveFailure>) -> Void
    ) {
        let request = Request(name: name, timeoutMilliseconds: timeoutMilliseconds, completion: completion)
        let isTaken = mailbox.inbox.withLock { inbox in
            if !inbox.isStopped { inbox.requests.append(request) }
            return !inbox.isStopped
        }
        if isTaken { mailbox.poller.wake() } else { completion(.failure(.stopped(name))) }
    }

    /// Ends the thread and waits for it; only its own lookups are cut off, so this is a matter of microseconds.
    package func stop() {
        let wasStopped = mailbox.inbox.withLock { inbox in
            defer { inbox.isStopped = true }
            return inbox.isStopped
        }
        guard !wasStopped else { return }
        mailbox.poller.wake()
        thread.join()
    }
}

extension ResolveFailure {
    static func stopped(_ name: HostName) -> ResolveFailure {
        ResolveFailure(message: "\(name.ascii) was not looked up, for scanning is being stopped.")
    }
}
