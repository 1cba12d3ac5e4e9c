import PinwatchCore
import Synchronization
import Testing

@testable import PinwatchStore

/// Every commit that a store told of.
final class Commits: Sendable {
    private let told = Mutex<[Commit]>([])
    func add(_ commit: Commit) { told.withLock { $0.append(commit) } }
    /// Those since the last call.
    func take() -> [Commit] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}

let ann = Principal(name: "ann", via: .token, role: .admin, tokenID: 4)

/// A change that Ann asks for.
func change(at now: Instant = noon, expecting: Int64? = nil) -> Change {
    Change(by: ann, from: address("192.0.2.200"), at: now, expecting: expecting)
}

extension StoreFixture {
    /// Judges all that is due.
    func judge(at now: Instant) async throws {
        while try await store.evaluateDue(assessor: NumberAssessor(), now: now, limit: 50).judged > 0 {}
    }

    func record(_ target: Target, key: UInt8, at now: Instant) async throws {
        try await store.record(
            [scan(target, at: now, [("192.0.2.1", chain(key, key: key))])], assessor: NumberAssessor(), now: now)
    }

    /// `target.create a.example`, newest first.
    func audited() async throws -> [String] {
        try await store.audit(PageRequest()).items.map { "\($0.action.rawValue) \($0.object.name)" }
    }

    /// `ops alert.opened`, in the order written.
    func owed(at now: Instant) async throws -> [String] {
        try await store.dueItems(channels: ["ops", "chat"], now: now + 60, limit: 99).map { "\($0.channel) \($0.type)" }
    }

    /// Forgets what is owed so far.
    func send(at now: Instant) async throws {
        for item in try await store.dueItems(channels: ["ops", "chat"], now: now + 60, limit: 99) {
            try await store.compose([message("msg_\(item.id)", channel: item.channel, items: [item.id])])
        }
    }

    /// The scopes that are due, in order.
    func due(at now: Instant) async throws -> [String] {
        try await store.writer.statement(
            "SELECT scope_key FROM evaluation WHERE next_change_at <= \(now.unixSeconds) ORDER BY scope_key"
        ).map { row in
            guard case .text(let key)? = row.first else { return "" }
            return key
        }
    }

    /// A fixture whose one target serves a key that nobody pinned, of which `ops` has heard.
    static func broken(commits: Commits? = nil) async throws -> (StoreFixture, Target, AlertID) {
        let fixture = try await StoreFixture(
            options: StoreOptions(committed: { commit in commits?.add(commit) }))
        let configuration = fixture.configuration(
            channels: ["ops"], pinSets: [pinDefinition("shop", keys: [2], managedBy: .config)])
        let target = try #require(try await fixture.synchronize(configuration).targets.first).target
        try await fixture.record(target, key: 1, at: noon)
        let alerts = try await fixture.store.alerts(PageRequest(filters: ["kind": ["pin.rejected"]]))
        let id = try #require(alerts.items.first).alert.id
        try await fixture.send(at: noon)
        return (fixture, target, id)
    }
}
