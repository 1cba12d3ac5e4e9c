internal import CLinux
internal import Glibc
internal import PinwatchCore
internal import PinwatchTLS

/// One thread's visits: non-blocking connections and handshakes over one epoll instance.
///
/// Confined to its thread. Visits live in slots; an event carries its slot and the slot's generation, so that one that
/// was meant for an earlier connection is dropped.
final class EventLoop {
    /// How long a server that asked for a client certificate may keep silent before that counts as consent.
    static let consentMilliseconds: Int64 = 1_000
    /// How long a visit waits for descriptors or memory before it asks again.
    static let shortageMilliseconds: Int64 = 100

    let index: Int
    private let poller: Poller
    private let queue: ScanQueue
    private let wallClock: @Sendable () -> Instant
    private let openConnection: StreamSocket.Connect
    let contexts: HelloContexts
    /// What the loop that long messages are read by has; in every other loop `nil`.
    private var room: LongMessageRoom?
    let verifier: ServerVerifier
    var families: FamilyCache
    var deadlines = DeadlineHeap()
    private var visits: [Visit?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []
    private var finished: [AddressResult] = []
    private var handedOn: [AddressJob] = []

    init(
        index: Int, poller: Poller, queue: ScanQueue, contexts: HelloContexts, room: LongMessageRoom?,
        verifier: ServerVerifier, families: FamilyCache, wallClock: @escaping @Sendable () -> Instant,
        connect: @escaping StreamSocket.Connect
    ) {
        self.index = index
        self.poller = poller
        self.queue = queue
        self.contexts = contexts
        self.room = room
        self.verifier = verifier
        self.families = families
        self.wallClock = wallClock
        openConnection = connect
    }

    /// Works until the queue says that it is over.
    func run() {
        if room != nil { WorkerThread.letOthersGoFirst() }
        var ready: [Poller.Ready] = []
        while true {
            let orders = queue.exchange(loop: index, finished: finished, handedOn: handedOn)
            finished.removeAll(keepingCapacity: true)
            handedOn.removeAll(keepingCapacity: true)
            if orders.ends { break }
            for job in orders.jobs { visit(job) }
            if !finished.isEmpty { continue }
            ready.removeAll(keepingCapacity: true)
            poller.wait(milliseconds: patience(orders.askAgain), into: &ready)
            for event in ready { handle(event) }
            hearVerdicts()
            expire()
        }
        for visit in visits { visit.map(disconnect) }
        visits = []
        contexts.leaveThread()
        queue.loopEnded()
    }

    private func patience(_ askAgain: MonotonicTime?) -> Int32 {
        let ends = [deadlines.earliest, askAgain].compactMap { $0 }
        return ends.min().map { MonotonicTime.now().wait(until: $0) } ?? -1
    }

    private func visit(_ job: AddressJob) {
        let visit = Visit(job: job, now: .now(), wallClock: wallClock)
        let slot = free.popLast() ?? visits.count
        if slot == visits.count {
            visits.append(visit)
            generations.append(0)
        } else {
            visits[slot] = visit
        }
        if job.begun == nil { connect(visit, slot: slot) } else { tryAgain(visit, slot: slot) }
    }

    /// Begins a connection for the visit's present hello.
    func connect(_ visit: Visit, slot: Int) {
        visit.phase = .connecting
        boundConnecting(visit, slot: slot)
        let peer = visit.peer
        let (descriptor, number) = openConnection(peer.address, peer.port)
        guard descriptor >= 0 else { return connectFailed(visit, slot: slot, number) }
        visit.descriptor = descriptor
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        if !poller.watch(descriptor, events: events, token: token(of: slot), isNew: true) {
            connectFailed(visit, slot: slot, errno)
        }
    }

    /// What this machine lacks is no observation of a server: the visit waits and asks again until its own deadline.
    func connectFailed(_ visit: Visit, slot: Int, _ number: Int32) {
        let now = MonotonicTime.now()
        guard StreamSocket.isOurShortage(number), now < visit.deadline else {
            if tryNextProxyAddress(visit, slot: slot) { return }
            return conclude(visit, slot: slot, .connectFailure(number, visit.job))
        }
        putOff(visit, slot: slot, for: .system(number))
    }

    /// Leaves the present hello to the loop of long messages, which begins it anew with room for what its server sends.
    /// OpenSSL may take seconds for one such message, in which a loop does nothing else.
    func handOn(_ visit: Visit, slot: Int) {
        disconnect(visit, slot: slot)
        vacate(slot)
        handedOn.append(visit.asBegun)
    }

    private func putOff(_ visit: Visit, slot: Int, for shortage: Visit.Shortage) {
        disconnect(visit, slot: slot)
        visit.phase = .awaitingMeans
        visit.shortage = shortage
        let next = MonotonicTime.now().adding(milliseconds: Self.shortageMilliseconds)
        deadlines.set(slot, to: min(visit.deadline, next))
    }

    private func tryAgain(_ visit: Visit, slot: Int) {
        let now = MonotonicTime.now()
        if now >= visit.deadline {
            if visit.hellos.observations.isEmpty {
                conclude(visit, slot: slot, .shortage(visit.shortage, visit.job))
            } else {
                finish(visit, slot: slot)
            }
            return
        }
        if case .longMessages = visit.shortage, !visit.hasRoom {
            visit.hasRoom = room?.take() ?? false
            guard visit.hasRoom else { return putOff(visit, slot: slot, for: .longMessages) }
        }
        visit.helloStarted = now
        connect(visit, slot: slot)
    }

    /// A name for the slot's present connection.
    func token(of slot: Int) -> UInt64 { UInt64(generations[slot]) << 32 | UInt64(slot) }

    /// The visit whose present connection has the name; `nil` once that is over.
    func visit(of token: UInt64) -> (visit: Visit, slot: Int)? {
        let slot = Int(token & 0xFFFF_FFFF)
        guard slot < visits.count, generations[slot] == UInt32(token >> 32), let visit = visits[slot] else {
            return nil
        }
        return (visit, slot)
    }

    private func handle(_ event: Poller.Ready) {
        guard let (visit, slot) = visit(of: event.token) else { return }
        advance(visit, slot: slot, events: event.events)
    }

    private func expire() {
        let now = MonotonicTime.now()
        while let slot = deadlines.expired(at: now) {
            guard let visit = visits[slot] else { return deadlines.remove(slot) }
            switch visit.phase {
            case .awaitingMeans: tryAgain(visit, slot: slot)
            case .connecting where tryNextProxyAddress(visit, slot: slot): break
            case .connecting: conclude(visit, slot: slot, .connectTimeout(visit.job, visit.job.timeoutMilliseconds))
            case .askingProxy, .inClear, .awaitingFirstBytes, .handshaking, .awaitingVerdict:
                conclude(visit, slot: slot, .handshakeTimeout(visit, visit.job.timeoutMilliseconds))
            case .awaitingServer: conclude(visit, slot: slot, .ok)
            }
        }
    }

    /// Ends the present connection; events that are still on their way to it find another generation.
    func disconnect(_ visit: Visit, slot: Int) {
        generations[slot] &+= 1
        disconnect(visit)
    }

    private func disconnect(_ visit: Visit) {
        visit.handshake = nil
        visit.proxyDialogue = nil
        visit.dialogue = nil
        if visit.descriptor >= 0 { close(visit.descriptor) }
        visit.descriptor = -1
    }

    /// Frees the slot and keeps the result for the queue.
    func finish(_ visit: Visit, slot: Int) {
        if visit.hasRoom { room?.giveBack() }
        vacate(slot)
        finished.append(.init(scan: visit.job.scan, index: visit.job.index, observations: visit.hellos.judged()))
    }

    private func vacate(_ slot: Int) {
        deadlines.remove(slot)
        visits[slot] = nil
        free.append(slot)
    }
}
