internal import CMicrohttpd
internal import Synchronization

/// One request on one connection, from its request line to its answer.
///
/// The library calls ``advance(_:method:upload:server:)`` again and again: with the headers, with each piece of a body,
/// at the body's end, and after a resumption. Computing happens between the last two, on Swift's pool, while the
/// connection is suspended.
final class Exchange: Sendable {
    private enum Phase {
        /// Nothing but the target is known.
        case fresh
        case receiving
        case suspended(Suspended)
        case answered(Response)
        case queued
    }

    /// The phase that holds this is left once, so the connection is resumed once.
    private struct Suspended {
        let connection: Connection
        var task: Task<Void, Never>?
    }

    private let target: String
    private let isTargetTooLong: Bool
    private let phase = Mutex(Phase.fresh)
    /// `nil` before the headers and after the body.
    private let upload = Mutex<Upload?>(nil)

    /// - Parameter target: As sent; one that is longer than `limit` is cut, and the request refused.
    init(target: UnsafePointer<CChar>, limit: Int) {
        var bytes: [UInt8] = []
        var cursor = unsafe target
        while unsafe cursor.pointee != 0, bytes.count <= limit {
            bytes.append(UInt8(bitPattern: unsafe cursor.pointee))
            unsafe cursor += 1
        }
        isTargetTooLong = bytes.count > limit
        self.target = String(decoding: bytes, as: UTF8.self)
    }

    /// Gives the answer and wakes the connection. Only the first call does anything: an answer that comes after the
    /// watch gave up on it is dropped.
    func finish(_ response: Response) {
        let suspended = phase.withLock { phase -> Suspended? in
            guard case .suspended(let suspended) = phase else { return nil }
            phase = .answered(response)
            return suspended
        }
        guard let suspended else { return }
        suspended.task?.cancel()
        suspended.connection.resume()
    }

    /// Does the next step on the library's thread; never blocks.
    ///
    /// - Parameter piece: Of the body; empty with the headers, at the end, and after a resumption.
    /// - Returns: `.NO` to reset the connection.
    func advance(
        _ connection: Connection, method: String, piece: UnsafeRawBufferPointer, server: ServerCore
    ) -> MHD_Result {
        let now = phase.withLock { $0 }
        switch now {
        case .fresh: return begin(connection, method: method, server)
        case .receiving where piece.count > 0: return upload.withLock { unsafe $0?.take(piece) ?? false } ? .YES : .NO
        case .receiving:
            let body = upload.withLock { upload in
                defer { upload = nil }
                return upload
            }
            if let refusal = body?.refusal {
                return queue(server.refuse(refusal, closing: true), on: connection, server)
            }
            let request = Request(
                method: method, target: target, headers: connection.headers, body: body?.bytes ?? [],
                peer: connection.peer, isSecure: server.isSecure)
            return suspend(connection, request, holding: body?.lease, server)
        case .suspended: return .YES
        case .answered(let response): return queue(response, on: connection, server)
        case .queued: return .YES
        }
    }

    /// Judges the headers, and makes ready for the body.
    private func begin(_ connection: Connection, method: String, _ server: ServerCore) -> MHD_Result {
        let limit = isTargetTooLong ? nil : server.bodyLimit(method, target)
        let (refusal, isBodyRead) = server.refusal(
            of: connection, isTargetTooLong: isTargetTooLong, limit: limit ?? server.limits.body)
        if let refusal, !isBodyRead { return queue(server.refuse(refusal, closing: true), on: connection, server) }
        upload.withLock { $0 = Upload(limit: limit, limits: server.limits, budget: server.bodies) }
        phase.withLock { $0 = .receiving }
        return .YES
    }

    /// The connection is suspended before anybody else hears of the exchange, so that whoever does can end it.
    private func suspend(
        _ connection: Connection, _ request: Request, holding lease: BodyBudget.Lease?, _ server: ServerCore
    ) -> MHD_Result {
        connection.suspend()
        phase.withLock { $0 = .suspended(Suspended(connection: connection)) }
        guard server.connections.computing(self, on: connection) else {
            finish(server.refuse(.stopping, closing: true))
            return .YES
        }
        let task = Task {
            let response = await server.respond(request)
            withExtendedLifetime(lease) { self.finish(response) }
        }
        phase.withLock { phase in
            if case .suspended(var suspended) = phase {
                suspended.task = task
                phase = .suspended(suspended)
            }
        }
        return .YES
    }

    private func queue(_ response: Response, on connection: Connection, _ server: ServerCore) -> MHD_Result {
        phase.withLock { $0 = .queued }
        guard let stream = response.stream else {
            server.connections.sending(on: connection)
            return connection.queue(response)
        }
        let pump = Pump(stream, on: connection, stall: server.limits.streamStallTicks)
        server.connections.streaming(pump, on: connection)
        return connection.queue(response, from: pump)
    }
}
