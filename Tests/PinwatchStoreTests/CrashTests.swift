import Foundation
import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchStore

/// Copies the database as a process that is killed there would leave it.
final class Cameras: Sendable {
    let directory: TestDirectory
    private let state = Mutex<(source: String?, names: [String])>((nil, []))

    init() throws { directory = try TestDirectory() }

    func start(_ source: String) { state.withLock { $0 = (source, []) } }
    var names: [String] { state.withLock { $0.names } }
    func path(_ number: Int) -> String { directory.path + "/\(number).db" }

    func shoot(_ name: StaticString) {
        state.withLock { state in
            guard let source = state.source else { return }
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(
                    atPath: source + suffix, toPath: path(state.names.count) + suffix)
            }
            state.names.append("\(name)")
        }
    }
}

@Suite("A process killed between two steps") struct CrashTests {
    @Test(.timeLimit(.minutes(5)))
    func `leaves all of a recording or none of it`() async throws {
        let cameras = try Cameras()
        let fixture = try await StoreFixture(options: StoreOptions(checkpoint: { cameras.shoot($0) }))
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await fixture.store.record(
            [scan(target, at: noon, [("192.0.2.1", chain(1, key: 1))])], assessor: NumberAssessor(), now: noon)
        let before = try await fixture.rows()
        cameras.start(fixture.path)
        let wrong = finding("a", target: target.id)
        let item = OutboxItem(
            channel: "ops", subject: .alert(.opened, alert(for: wrong), wrong), target: target, holdUntil: noon,
            at: noon)
        _ = try await fixture.store.writer.recording(judge: judge(), now: noon) { recording throws(StoreError) in
            try recording.apply(scan(target, at: noon + 60, [("192.0.2.1", chain(2, key: 2))]))
            try recording.write(
                BookChanges(changes: [.open(wrong, alert(for: wrong))], outbox: [item]), of: .host("api.example.com"),
                labels: { _ in [] })
            recording.options.checkpoint("store.record.before_commit")
        }
        fixture.store.writer.options.checkpoint("store.record.after_commit")
        let after = try await fixture.rows()
        #expect(before != after)
        let names = cameras.names
        #expect(
            Set(names).isSuperset(of: [
                "store.record.after_spans", "store.record.after_observations", "store.record.after_alerts",
                "store.record.after_findings", "store.record.after_outbox", "store.record.before_commit",
                "store.record.after_commit",
            ]))
        for (number, name) in names.enumerated() {
            let rows = try await rows(at: cameras.path(number))
            #expect(rows == (name == "store.record.after_commit" ? after : before), "\(name)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `leaves either the items or the delivery that tells them`() async throws {
        let cameras = try Cameras()
        let fixture = try await StoreFixture(options: StoreOptions(checkpoint: { cameras.shoot($0) }))
        let wrong = finding("a")
        let item = OutboxItem(
            channel: "ops", subject: .alert(.opened, alert(for: wrong), wrong), target: nil, holdUntil: noon, at: noon)
        try await write(
            BookChanges(changes: [.open(wrong, alert(for: wrong))], outbox: [item]), in: fixture)
        cameras.start(fixture.path)
        try await fixture.store.compose([message("msg_1", alert: AlertID(1), items: [1])])
        let attempt = Attempt(at: noon, status: 200, error: nil, milliseconds: 1)
        try await fixture.store.record(attempt, of: 1, result: .delivered, now: noon)
        let names = cameras.names
        #expect(names.count == 10)
        for (number, name) in names.enumerated() {
            let copy = try await Store.open(path: cameras.path(number), now: noon)
            let items = try await copy.dueItems(channels: ["ops"], now: noon, limit: 9).count
            let delivery = try await copy.deliveries(PageRequest()).items.first
            switch name {
            case "store.compose.after_begin", "store.compose.after_delivery", "store.compose.after_told",
                "store.compose.before_commit":
                #expect(items == 1 && delivery == nil, "\(name)")
            case "store.attempt.after_commit":
                #expect(items == 0 && delivery?.state == .delivered && delivery?.attempts.count == 1, "\(name)")
            default: #expect(items == 0 && delivery?.state == .pending && delivery?.attempts == [], "\(name)")
            }
            try await copy.close()
        }
    }

    private func rows(at path: String) async throws -> [String: Int64] {
        let store = try await Store.open(path: path, now: noon)
        #expect(try await store.writer.statement("PRAGMA integrity_check") == [[.text("ok")]])
        var rows: [String: Int64] = [:]
        for table in storedTables {
            let answer = try await store.writer.statement("SELECT count(*) FROM \(table)")
            guard case .integer(let count)? = answer.first?.first else { continue }
            rows[table] = count
        }
        try await store.close()
        return rows
    }
}
