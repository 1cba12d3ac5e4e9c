internal import Dispatch
package import PinwatchCore
internal import PinwatchTLS

/// Visits targets and says what each address served.
///
/// Event loops on threads of their own do the work, so that nothing here blocks a caller. A finished scan holds its
/// place until it is released: a taker that falls behind slows scanning down instead of filling memory.
package final class Scanner: Sendable {
    /// What a server's chain proves of it by a target's trust store, now; `nil` if there is no such store. It may take its
    /// time: it is called on a thread of its own.
    package typealias ServerJudge =
        @Sendable (_ chain: Chain, _ trustStore: String, _ reference: ReferenceIdentity) -> Verification?

    private let queue: ScanQueue
    private let contexts: HelloContexts
    private let verifier: ServerVerifier
    private let resolver: any NameResolver
    private let threads: [WorkerThread]

    /// Starts the loops; they run until ``stop(limitMilliseconds:)``.
    ///
    /// - Parameters:
    ///   - readFamily: Reads a leaf's key family from its SubjectPublicKeyInfo; called on the loops' threads, rarely,
    ///     as its answers are remembered by fingerprint.
    ///   - judgeServer: Asked before a server is shown a client certificate.
    ///   - wallClock: The present time for an observation's `at` and a scan's end; called on the loops' threads.
    /// - Throws: ``ScanError`` where OpenSSL, epoll or threads cannot be had, or the process may not open as many
    ///   descriptors as `settings.inFlight` needs.
    package convenience init(
        settings: ScannerSettings, resolver: any NameResolver,
        readFamily: @escaping @Sendable (Certificate) -> KeyFamily?, judgeServer: @escaping ServerJudge,
        wallClock: @escaping @Sendable () -> Instant
    ) throws(ScanError) {
        try self.init(
            settings: settings, resolver: resolver, readFamily: readFamily, judgeServer: judgeServer,
            wallClock: wallClock,
            descriptors: DescriptorLimit.current, connect: StreamSocket.connect)
    }

    init(
        settings: ScannerSettings, resolver: any NameResolver,
        readFamily: @escaping @Sendable (Certificate) -> KeyFamily?, judgeServer: @escaping ServerJudge,
        wallClock: @escaping @Sendable () -> Instant,
        descriptors: Int, connect: @escaping StreamSocket.Connect
    ) throws(ScanError) {
        guard settings.inFlight <= descriptors - DescriptorLimit.reserve else {
            throw .tooManyInFlight(inFlight: settings.inFlight, descriptors: descriptors)
        }
        contexts = try HelloContexts()
        var pollers: [Poller] = []
        for _ in 0...settings.loops { pollers.append(try Poller()) }
        let queue = ScanQueue(settings: settings, pollers: pollers, resolver: resolver, wallClock: wallClock)
        let verifier = try ServerVerifier(loops: pollers, judge: judgeServer)
        var threads = [try WorkerThread { verifier.run() }]
        for (index, poller) in pollers.enumerated() {
            let room = index == settings.loops ? LongMessageRoom(bytes: settings.longMessageBytes) : nil
            threads.append(
                try WorkerThread { [contexts] in
                    EventLoop(
                        index: index, poller: poller, queue: queue, contexts: contexts, room: room,
                        verifier: verifier, families: FamilyCache(read: readFamily),
                        wallClock: wallClock, connect: connect
                    ).run()
                })
        }
        self.queue = queue
        self.verifier = verifier
        self.resolver = resolver
        self.threads = threads
    }

    /// Loads the client certificates of targets.
    ///
    /// - Throws: The target and why its certificate cannot be used.
    package func credentials(
        _ certificates: [TargetIdentity: ClientCertificate]
    ) throws(HostProblem) -> ClientCredentials {
        var loaded: [TargetIdentity: ClientCredential] = [:]
        for (identity, certificate) in certificates {
            do throws(HostProblem) {
                loaded[identity] = try contexts.credential(certificate)
            } catch {
                throw HostProblem("the client certificate of \(identity.label): \(error.description)")
            }
        }
        return ClientCredentials(loaded)
    }

    /// From now on begins by other settings; `inFlight` and `loops` stay what they were.
    ///
    /// - Parameter credentials: What targets may be shown; one of a trust store that its server must be verified by.
    package func use(_ settings: ScannerSettings, credentials: ClientCredentials) {
        queue.use(settings, credentials)
    }

    /// Puts a target in the queue and returns at once.
    ///
    /// A target that is still queued or being scanned is not looked for: whoever submits waits for one scan before
    /// asking for the next.
    ///
    /// - Parameter due: When the scan was due to begin, kept as its `startedAt`.
    /// - Returns: False where the scanner is stopping or 200,000 targets wait already; then no scan will come.
    @discardableResult
    package func submit(_ scan: DueScan, at due: Instant) -> Bool {
        queue.submit(scan, at: due)
    }

    /// Everything finished since the last call, in the order finished; waits while there is nothing. One taker at a time.
    ///
    /// - Returns: Never empty before the scanner has stopped, unless the calling task is cancelled.
    package func nextScans() async -> [Scan] {
        await queue.next()
    }

    /// How much waits and is under way now.
    package var load: ScannerLoad { queue.load }

    /// Says that this many taken scans have been dealt with, recorded mostly, and that their places are free again.
    package func release(_ scans: Int) {
        queue.release(scans)
    }

    /// Takes nothing more in, forgets what has not begun, lets what has begun finish, cuts off and forgets what has not
    /// by the limit, and ends the threads. Scans finished by then can still be taken; after them `nextScans` is empty.
    package func stop(limitMilliseconds: Int64) async {
        await queue.stop(limitMilliseconds: limitMilliseconds)
        verifier.stop()
        // Every loop has said that it leaves, so this waits for instructions, not for the network; but a join must never
        // hold a thread of the pool that other tasks run on.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "pinwatch.scan.stop").async { [threads, resolver] in
                for thread in threads { thread.join() }
                resolver.stop()
                continuation.resume()
            }
        }
    }
}

extension Scanner {
    /// Scans each target once, for a command line: submits all, takes all, and stops.
    ///
    /// - Returns: One scan per target in the order given.
    package func scanOnce(
        _ targets: [Target], hellos: HelloPlan = .everyFamily, at due: Instant
    ) async -> [Scan] {
        var places: [TargetID: [Int]] = [:]
        for (index, target) in targets.enumerated().reversed() { places[target.id, default: []].append(index) }
        var left = targets.filter { submit(DueScan(target: $0, hellos: hellos), at: due) }.count
        var scans: [Int: Scan] = [:]
        while left > 0 {
            let batch = await nextScans()
            guard !batch.isEmpty else { break }
            for scan in batch {
                guard let place = places[scan.target.id]?.popLast() else { continue }
                scans[place] = scan
            }
            left -= batch.count
            release(batch.count)
        }
        await stop(limitMilliseconds: 0)
        return targets.indices.compactMap { scans[$0] }
    }
}
