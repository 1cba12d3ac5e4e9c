internal import PinwatchAlert
internal import PinwatchCore
internal import PinwatchTLS

/// A leaf with its issuer, and whom may be asked about it.
struct RevocationQuestion: Sendable {
    let subject: RevocationSubject
    /// Whether the path ends at an authority of the system's trust store, which has no business on private networks.
    let isPublic: Bool
}

/// What asking about a leaf came to.
struct RevocationReply: Sendable {
    var answer: RevocationAnswer?
    var source: RevocationSource?
    /// What those gave that were asked before, or had nothing that holds: a sentence each.
    var faults: [String] = []
}

/// Where an answer may be had, and by which rule of addresses: what one question may reach another may not.
private struct Place: Hashable {
    let url: String
    let isPublic: Bool
}

/// Why a place gave no answer.
struct RevocationTrouble: Error {
    let message: String
    /// Whether others would get nothing there either: it could not be fetched.
    var isOfPlace = false
}

/// Reads staples, asks responders and fetches lists; each list once for all whom it is about.
actor RevocationSources {
    /// How long a place that gave nothing is left alone, and how many of them are remembered.
    private static let pauseSeconds: Int64 = 600
    private static let pauseLimit = 2_000

    private let fetch: RevocationFetch
    /// Verifying and reading block, for as long as what came makes them.
    private let bench = Workbench("revocation", limit: .seconds(60))
    private var shelf = RevocationShelf()
    private var fetching: [Place: Task<Result<RevocationList, RevocationTrouble>, Never>] = [:]
    private var paused: [Place: Instant] = [:]

    init(_ fetch: RevocationFetch) { self.fetch = fetch }

    /// The answer for the latest time among the staples that hold.
    func newest(of staples: [[UInt8]], to question: RevocationQuestion, at now: Instant) async -> RevocationReply {
        var reply = RevocationReply()
        for staple in staples {
            do throws(RevocationTrouble) {
                let answer = try await read { () throws(RevocationFault) in
                    try question.subject.answer(ocsp: staple, from: .stapledOCSP, at: now)
                }
                if let best = reply.answer, best.thisUpdate >= answer.thisUpdate { continue }
                (reply.answer, reply.source) = (answer, .stapledOCSP)
            } catch {
                reply.faults.append(error.message.capitalizedFirst + ".")
            }
        }
        return reply
    }

    /// The first answer that holds: of the responders that the certificate names, then of its lists.
    func ask(_ question: RevocationQuestion, at now: Instant) async -> RevocationReply {
        let subject = question.subject
        var reply = RevocationReply()
        let places = subject.responders.map { (RevocationSource.ocsp, $0) } + subject.lists.map { (.crl, $0) }
        for (source, url) in places {
            let place = Place(url: url, isPublic: question.isPublic)
            if let until = paused[place], now < until {
                reply.faults.append("\(url) gave nothing a few minutes ago.")
                continue
            }
            do throws(RevocationTrouble) {
                switch source {
                case .crl: reply.answer = try await look(up: question, in: place, at: now)
                case .ocsp, .stapledOCSP: reply.answer = try await respond(to: question, place, at: now)
                }
                reply.source = source
                return reply
            } catch {
                reply.faults.append("\(url): \(error.message).")
                if error.isOfPlace { pause(place, at: now) }
            }
        }
        return reply
    }

    private func pause(_ place: Place, at now: Instant) {
        if paused.count >= Self.pauseLimit { paused = paused.filter { now < $0.value } }
        if paused.count < Self.pauseLimit { paused[place] = now + Self.pauseSeconds }
    }

    private func respond(
        to question: RevocationQuestion, _ place: Place, at now: Instant
    ) async throws(RevocationTrouble) -> RevocationAnswer {
        let request = try await read { () throws(RevocationFault) in try question.subject.request() }
        let body = try await fetch.body(
            of: place.url, posting: request, isPublic: place.isPublic, limit: RevocationSubject.responseLimit)
        return try await read { () throws(RevocationFault) in
            try question.subject.answer(ocsp: body, from: .ocsp, at: now)
        }
    }

    private func look(
        up question: RevocationQuestion, in place: Place, at now: Instant
    ) async throws(RevocationTrouble) -> RevocationAnswer {
        let list = try await list(place, at: now)
        let answer = try await read { () throws(RevocationFault) in try question.subject.answer(list, at: now) }
        // Kept once its signature has held for somebody.
        shelf.put(list, place, at: now)
        return answer
    }

    /// A list in hand, one that is on its way already, or one that is fetched now.
    private func list(_ place: Place, at now: Instant) async throws(RevocationTrouble) -> RevocationList {
        if let known = shelf.list(place, at: now) { return known }
        if let underWay = fetching[place] { return try await underWay.value.get() }
        let task = Task { await fetchList(place) }
        fetching[place] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        fetching[place] = nil
        return try result.get()
    }

    private func fetchList(_ place: Place) async -> Result<RevocationList, RevocationTrouble> {
        do throws(RevocationTrouble) {
            let body = try await fetch.body(
                of: place.url, posting: nil, isPublic: place.isPublic, limit: RevocationList.limit)
            return .success(try await read { () throws(RevocationFault) in try RevocationList(body) })
        } catch {
            return .failure(error)
        }
    }

    private func read<Value: Sendable>(
        _ work: @escaping @Sendable () throws(RevocationFault) -> Value
    ) async throws(RevocationTrouble) -> Value {
        switch await bench.run({ Result(catching: work) }) {
        case .success(let value): return value
        case .failure(let fault): throw RevocationTrouble(message: fault.description)
        case nil: throw RevocationTrouble(message: "too much waits to be read, or what came takes too long")
        }
    }
}

/// Lists in hand, for an hour, for issuers make new ones before they must; those not asked for the longest go first.
private struct RevocationShelf {
    /// Bytes of all lists as sent. OpenSSL's own form of one is several times as large.
    private static let byteLimit = 32 << 20
    private static let patience: Int64 = 3_600

    private struct Entry {
        let list: RevocationList
        let until: Instant
        var used: Int
    }

    private var entries: [Place: Entry] = [:]
    private var clock = 0

    mutating func list(_ place: Place, at now: Instant) -> RevocationList? {
        guard let entry = entries[place], now < entry.until else { return nil }
        clock += 1
        entries[place]?.used = clock
        return entry.list
    }

    mutating func put(_ list: RevocationList, _ place: Place, at now: Instant) {
        clock += 1
        entries = entries.filter { now < $0.value.until }
        let until = entries[place]?.until ?? min(list.nextUpdate ?? now + Self.patience, now + Self.patience)
        entries[place] = Entry(list: list, until: until, used: clock)
        var bytes = entries.values.reduce(0) { $0 + $1.list.size }
        for (known, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) where bytes > Self.byteLimit {
            entries[known] = nil
            bytes -= entry.list.size
        }
    }
}
