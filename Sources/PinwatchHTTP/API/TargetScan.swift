internal import PinwatchCore

/// `targets/{id}/scan`: a scan out of turn, and what it saw for who waits for it.
enum TargetScan {
    static let wait = Operation.Parameter(
        name: "wait",
        about: "How long the answer may wait for the scan, from 1s to 60s. Without it the scan is queued.",
        schema: .text(pattern: "^([1-9]|[1-5][0-9]|60)s$"))

    /// Runs of equal observations are searched for those of this scan so many pages far.
    private static let maximumPages = 5

    static func answer(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let seconds = try seconds(call)
        let target = try await Targets.find(call, context).target
        try await context.change(.target, call) { store, change in
            let object = AuditObject(type: "target", id: target.id.text, name: target.identity.label)
            try await store.note(AuditRecord(change, .targetScan, object))
        }
        let made = try await context.change(.target, call) { _, _ in
            try await context.administration.scan(target, wait: .seconds(seconds))
        }
        guard seconds > 0, let made else {
            return Response(
                status: 202,
                json: .object([("target_id", .string(target.id.text)), ("state", .string("queued"))]))
        }
        let items = try await recorded(made, of: target, context)
        let record = try await Targets.find(call, context)
        return Response(json: .object([("items", .array(items.map(\.json))), ("target", context.json(record))]))
    }

    /// 0 for no wait.
    private static func seconds(_ call: Call) throws(Problem) -> Int {
        guard let text = call.target.query.first(where: { $0.name == wait.name })?.value else { return 0 }
        guard text.hasSuffix("s"), let number = Identifier.number(String(text.dropLast())), number <= 60 else {
            throw Problem(
                400, "The query cannot be used; see errors.",
                errors: [.init(field: wait.name, message: "must be from 1s to 60s, such as 30s")])
        }
        return Int(number)
    }

    /// What the store holds of the observations that a scan made, in the order made.
    private static func recorded(
        _ made: [Observation], of target: Target, _ context: ServiceContext
    ) async throws -> [ObservationRecord] {
        var found: [Int: ObservationRecord] = [:]
        var request = PageRequest(limit: 200)
        for _ in 0..<maximumPages where found.count < made.count {
            let page = try await context.store.observations(of: target.id, request)
            for record in page.items {
                guard let index = made.firstIndex(where: { $0.isSame(as: record.observation) }) else { continue }
                found[index] = found[index] ?? record
            }
            guard let next = page.next else { break }
            request.cursor = next
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension Observation {
    fileprivate func isSame(as other: Observation) -> Bool {
        at == other.at && address == other.address && profile == other.profile
    }
}
