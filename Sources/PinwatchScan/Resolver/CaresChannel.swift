internal import CCares
internal import CLinux
internal import Glibc
internal import PinwatchCore

/// A c-ares channel (ares_init_options(3)) whose sockets are watched by a poller.
@safe final class CaresChannel {
    /// Follows c-ares' sockets; ares_fds(3) is no choice, for it overruns its sets above descriptor 1,023.
    fileprivate final class Sockets {
        private let poller: Poller
        private var watched: Set<Int32> = []

        init(poller: Poller) { self.poller = poller }

        func watch(_ descriptor: Int32, reads: Bool, writes: Bool) {
            guard reads || writes else {
                if watched.remove(descriptor) != nil { poller.forget(descriptor) }
                return
            }
            let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
            let isNew = watched.insert(descriptor).inserted
            // A socket that cannot be watched times out, and its lookup with it.
            _ = poller.watch(descriptor, events: events, token: UInt64(UInt32(bitPattern: descriptor)), isNew: isNew)
        }
    }

    /// What a lookup's callback gets as its argument.
    fileprivate final class Answer {
        let name: HostName
        let deliver: (Result<Resolution, ResolveFailure>) -> Void

        init(name: HostName, deliver: @escaping (Result<Resolution, ResolveFailure>) -> Void) {
            self.name = name
            self.deliver = deliver
        }
    }

    private let handle: ares_channel
    private let sockets: Sockets

    init(poller: Poller, servers: String?, tryMilliseconds: Int32) throws(ScanError) {
        let sockets = Sockets(poller: poller)
        var options = unsafe ares_options()
        unsafe options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES
        unsafe options.timeout = tryMilliseconds
        unsafe options.tries = 2
        unsafe options.ndomains = 0
        unsafe options.sock_state_cb = unsafe noteSocket
        // Held by this object as long as the channel lives.
        unsafe options.sock_state_cb_data = unsafe Unmanaged.passUnretained(sockets).toOpaque()
        let set = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_DOMAINS | ARES_OPT_SOCK_STATE_CB
        var channel: ares_channel?
        let status = unsafe ares_init_options(&channel, &options, set)
        guard status == ARES_SUCCESS, let made = unsafe channel else { throw .resolver(Self.text(status)) }
        self.sockets = sockets
        unsafe handle = made
        if let servers {
            let status = unsafe ares_set_servers_ports_csv(channel, servers)
            guard status == ARES_SUCCESS else { throw .resolver("servers \(servers): \(Self.text(status))") }
        }
    }

    /// Every lookup that is left is answered with a failure by this (ares_destroy(3)).
    deinit {
        unsafe ares_destroy(handle)
    }

    /// Looks a name up; `deliver` is called once, within this call or a later one to ``process(_:)``.
    func lookUp(_ name: HostName, deliver: @escaping (Result<Resolution, ResolveFailure>) -> Void) {
        var hints = ares_addrinfo_hints()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = ARES_AI_NOSORT
        let answer = unsafe Unmanaged.passRetained(Answer(name: name, deliver: deliver)).toOpaque()
        unsafe ares_getaddrinfo(handle, name.ascii, nil, &hints, noteAnswer, answer)
    }

    /// Milliseconds until c-ares wants to be called without an event; `nil` while it has nothing to do.
    var patience: Int32? {
        var time = timeval()
        guard unsafe ares_timeout(handle, nil, &time) != nil else { return nil }
        return Int32(clamping: time.tv_sec * 1_000 + (Int(time.tv_usec) + 999) / 1_000)
    }

    /// Reads, writes, and ends tries whose time is over.
    func process(_ ready: [Poller.Ready]) {
        for event in ready {
            let descriptor = ares_socket_t(truncatingIfNeeded: event.token)
            let reads = event.events & ~EPOLLOUT.rawValue != 0
            let writes = event.events & EPOLLOUT.rawValue != 0
            unsafe ares_process_fd(handle, reads ? descriptor : -1, writes ? descriptor : -1)
        }
        unsafe ares_process_fd(handle, -1, -1)
    }

    fileprivate static func text(_ status: Int32) -> String { unsafe String(cString: ares_strerror(status)) }
}

/// ares_init(3): a channel must not be used by two threads at once. It is made by one, then handed to the resolver's
/// thread and used there only.
extension CaresChannel: @unchecked Sendable {}

private func noteSocket(
    _ sockets: UnsafeMutableRawPointer?, _ descriptor: ares_socket_t, _ reads: Int32, _ writes: Int32
) {
    guard let known = unsafe sockets else { return }
    unsafe Unmanaged<CaresChannel.Sockets>.fromOpaque(known).takeUnretainedValue()
        .watch(descriptor, reads: reads != 0, writes: writes != 0)
}

/// Takes over the reference that `lookUp` retained, and c-ares' result, which it frees.
private func noteAnswer(
    _ argument: UnsafeMutableRawPointer?, _ status: Int32, _ timeouts: Int32,
    _ result: UnsafeMutablePointer<ares_addrinfo>?
) {
    guard let given = unsafe argument else { return }
    let answer = unsafe Unmanaged<CaresChannel.Answer>.fromOpaque(given).takeRetainedValue()
    defer { if unsafe result != nil { unsafe ares_freeaddrinfo(result) } }
    guard status == ARES_SUCCESS else { return answer.deliver(.failure(.lookup(answer.name, status))) }
    let resolution = unsafe result.map { unsafe read($0.pointee) } ?? Resolution()
    guard !resolution.addresses.isEmpty else { return answer.deliver(.failure(.lookup(answer.name, ARES_ENODATA))) }
    answer.deliver(.success(resolution))
}

private func read(_ result: ares_addrinfo) -> Resolution {
    var found = Resolution()
    var node = unsafe result.nodes
    while let entry = unsafe node {
        unsafe node = unsafe entry.pointee.ai_next
        guard let address = unsafe IPAddress(entry.pointee) else { continue }
        // Of files there is none, which c-ares gives as 0.
        let seconds = unsafe Int64(max(entry.pointee.ai_ttl, 0))
        found.lifetimeSeconds = found.addresses.isEmpty ? seconds : min(found.lifetimeSeconds, seconds)
        if !found.addresses.contains(address) { found.addresses.append(address) }
    }
    return found
}

extension IPAddress {
    /// The address of an answer; `nil` for a family that is neither IPv4 nor IPv6.
    fileprivate init?(_ node: ares_addrinfo_node) {
        let raw = unsafe UnsafeRawPointer(node.ai_addr)
        switch unsafe (node.ai_family, raw) {
        case (AF_INET, let raw?):
            var address = unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            unsafe self.init(bytes: withUnsafeBytes(of: &address) { unsafe Array($0) })
        case (AF_INET6, let raw?):
            var address = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            unsafe self.init(bytes: withUnsafeBytes(of: &address) { unsafe Array($0) })
        default: return nil
        }
    }
}

extension ResolveFailure {
    fileprivate static func lookup(_ name: HostName, _ status: Int32) -> ResolveFailure {
        switch status {
        case ARES_ENOTFOUND:
            ResolveFailure(message: "\(name.ascii) does not exist in DNS (NXDOMAIN) or /etc/hosts.")
        case ARES_ENODATA: ResolveFailure(message: "\(name.ascii) exists in DNS but has no address.")
        case ARES_ETIMEOUT, ARES_ECONNREFUSED:
            ResolveFailure(message: "No DNS server answered for \(name.ascii): \(CaresChannel.text(status)).")
        case ARES_ECANCELLED, ARES_EDESTRUCTION: .stopped(name)
        default: ResolveFailure(message: "\(name.ascii) did not resolve: \(CaresChannel.text(status)).")
        }
    }
}
