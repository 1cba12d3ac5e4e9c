internal import CLinux
internal import PinwatchCore
internal import PinwatchTLS

extension EventLoop {
    private static let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
    private static let ended = EPOLLERR.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue

    /// Goes on with a visit whose socket became ready.
    func advance(_ visit: Visit, slot: Int, events: UInt32) {
        switch visit.phase {
        case .awaitingMeans, .awaitingVerdict: break
        case .connecting: connected(visit, slot: slot, events: events)
        case .askingProxy: hearProxy(visit, slot: slot)
        case .inClear: converse(visit, slot: slot)
        case .awaitingFirstBytes: lookAtFirstBytes(visit, slot: slot, events: events)
        case .handshaking, .awaitingServer: shake(visit, slot: slot)
        }
    }

    private func connected(_ visit: Visit, slot: Int, events: UInt32) {
        if events & Self.broken != 0 {
            let number = StreamSocket.error(of: visit.descriptor)
            if number != 0 { return connectFailed(visit, slot: slot, number) }
        }
        if let route = visit.job.proxy {
            ask(route, visit, slot: slot)
        } else if let startTLS = visit.job.startTLS {
            begin(startTLS, visit, slot: slot, heard: [])
        } else {
            greet(visit, slot: slot, events: events)
        }
    }

    /// Begins TLS on the connection.
    func greet(_ visit: Visit, slot: Int, events: UInt32) {
        do throws(HandshakeSetupError) {
            visit.handshake = try Handshake(
                context: contexts[visit.hello], descriptor: visit.descriptor, serverName: visit.job.serverName,
                messageLimit: visit.hasRoom
                    ? HandshakeContext.certificateMessageLimit : HandshakeContext.ordinaryMessageLimit,
                credential: credential(for: visit))
        } catch {
            return conclude(visit, slot: slot, .protocolUnsupported(message: error.description))
        }
        visit.phase = .awaitingFirstBytes
        shake(visit, slot: slot)
        // A server that speaks first was heard together with the connection.
        if case .awaitingFirstBytes = visit.phase, visit.descriptor >= 0, events & (EPOLLIN.rawValue | Self.ended) != 0
        {
            lookAtFirstBytes(visit, slot: slot, events: events)
        }
    }

    /// Lets OpenSSL read only what looks like TLS, for it keeps no word of what does not.
    private func lookAtFirstBytes(_ visit: Visit, slot: Int, events: UInt32) {
        switch StreamSocket.peek(visit.descriptor, limit: 64) {
        case .bytes(let bytes):
            guard bytes.mayBeTLS else { return conclude(visit, slot: slot, .notTLS(firstBytes: bytes)) }
            // Too few to tell: the next ones are a new edge for epoll.
            guard bytes.count >= 3 || events & Self.ended != 0 else { return }
            guard visit.handshake?.beginReading() == true else {
                return conclude(visit, slot: slot, .protocolUnsupported(message: "There is no memory to read with."))
            }
            visit.phase = .handshaking
            shake(visit, slot: slot)
        case .nothingYet: shake(visit, slot: slot)
        case .end: conclude(visit, slot: slot, .failure(.closed, visit))
        case .failed(let number): conclude(visit, slot: slot, .failure(.system(number: number), visit))
        }
    }

    func shake(_ visit: Visit, slot: Int) {
        guard let handshake = visit.handshake else { return }
        switch handshake.step() {
        case .wantRead, .wantWrite: break
        case .judgeServer: judgeServer(visit, slot: slot)
        case .awaitsServer:
            if case .handshaking = visit.phase {
                let consent = MonotonicTime.now().adding(milliseconds: Self.consentMilliseconds)
                deadlines.set(slot, to: min(visit.deadline, consent))
                visit.phase = .awaitingServer
            }
        case .done: conclude(visit, slot: slot, .ok)
        case .failed(.needsRoom): handOn(visit, slot: slot)
        case .failed(let failure): conclude(visit, slot: slot, outcome(of: failure, visit))
        }
    }

    /// A server that refuses in clear and hangs up breaks the sending of the hello; what it said may still be there.
    private func outcome(of failure: TLSFailure, _ visit: Visit) -> Outcome {
        if case .awaitingFirstBytes = visit.phase,
            case .bytes(let bytes) = StreamSocket.peek(visit.descriptor, limit: 64), !bytes.mayBeTLS
        {
            return .notTLS(firstBytes: bytes)
        }
        return .failure(failure, visit)
    }

    /// Keeps the present hello's observation, then sends the next one or is done with the address.
    func conclude(_ visit: Visit, slot: Int, _ outcome: Outcome) {
        let now = MonotonicTime.now()
        let wasSent = visit.handshake != nil
        let next = visit.hellos.next(after: observation(of: visit, outcome, now: now), wasSent: wasSent)
        disconnect(visit, slot: slot)
        guard let next, now < visit.deadline else { return finish(visit, slot: slot) }
        visit.hello = next
        visit.helloStarted = now
        connect(visit, slot: slot)
    }

    private func observation(of visit: Visit, _ outcome: Outcome, now: MonotonicTime) -> Observation {
        var observation = Observation(
            at: visit.startedAt, address: visit.job.address, profile: visit.hello.profile, outcome: outcome)
        observation.durationMilliseconds = now.milliseconds(since: visit.helloStarted)
        guard let handshake = visit.handshake else { return observation }
        observation.tlsVersion = handshake.version
        observation.cipher = handshake.cipher
        observation.diffieHellmanBits = handshake.diffieHellmanBits
        observation.alpn = handshake.applicationProtocol
        observation.stapledOCSP = handshake.stapledOCSP
        observation.scts = handshake.timestamps
        observation.chain = handshake.certificateMessage?.chain.map { chain in
            // Hellos that are answered alike share one copy of what may be megabytes.
            visit.hellos.observations.lazy.compactMap(\.chain).first { $0.id == chain.id } ?? chain
        }
        observation.keyFamily = observation.chain?.certificates.first.flatMap { families.family(of: $0) }
        return observation
    }
}

extension [UInt8] {
    /// Whether the bytes can begin a TLS record (RFC 8446 section 5.1) that answers a hello: an alert or a handshake
    /// message, of major version 3. One or two bytes are judged by what is there.
    var mayBeTLS: Bool {
        guard let type = first, type == 21 || type == 22 else { return false }
        return (count < 2 || self[1] == 3) && (count < 3 || self[2] <= 4)
    }
}
