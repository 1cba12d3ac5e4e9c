import Foundation
import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("A backup", .timeLimit(.minutes(2))) struct BackupTests {
    @Test func `made while scans are recorded is complete and of one moment`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await weighDown(fixture, rows: 2_000)
        let path = fixture.directory.path + "/copy.db"
        let backup = Task { try await fixture.store.backup(to: path) }
        let writing = Task {
            var recorded: Int64 = 0
            while !Task.isCancelled {
                recorded += 1
                try await fixture.record(target, key: UInt8(recorded % 200), at: noon + recorded)
            }
            return recorded
        }
        try await backup.value
        writing.cancel()
        let recorded = try await writing.value
        #expect(recorded > 1)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try names(in: fixture) == ["copy.db", "pinwatch.db", "pinwatch.db-shm", "pinwatch.db-wal"])
        let copy = try await Store.open(path: path, now: noon)
        #expect(try await copy.target(target.id)?.target == target)
        #expect(try await copy.writer.statement("SELECT count(*) FROM ballast") == [[.integer(2000)]])
        // Whole recordings: a span for each observation of a chain that was new.
        let counts = try await copy.writer.statement(
            "SELECT (SELECT count(*) FROM span) - (SELECT count(*) FROM span_sighting)")
        #expect(counts == [[.integer(0)]])
        try await copy.close()
    }

    @Test
    func `has the findings, alerts and history, sends nothing twice that had arrived, and what was pending by its id`()
        async throws
    {
        let fixture = try await StoreFixture()
        let configuration = fixture.configuration(
            channels: ["ops"], pinSets: [pinDefinition("shop", keys: [2], managedBy: .config)])
        let target = try #require(try await fixture.synchronize(configuration).targets.first).target
        try await fixture.record(target, key: 1, at: noon)
        try await fixture.send(at: noon)
        let deliveries = try await fixture.store.deliveries(PageRequest()).items
        let arrived = try #require(deliveries.last)
        let success = Attempt(at: noon, status: 200, error: nil, milliseconds: 1)
        try await fixture.store.record(success, of: arrived.id, result: .delivered, now: noon)
        let path = fixture.directory.path + "/copy.db"
        try await fixture.store.backup(to: path)
        for delivery in deliveries.dropLast() {
            try await fixture.store.record(success, of: delivery.id, result: .delivered, now: noon)
        }
        let copy = try await Store.open(path: path, now: noon)
        let findings = try await fixture.store.findings(PageRequest()).items
        #expect(!findings.isEmpty)
        #expect(try await copy.findings(PageRequest()).items == findings)
        let alerts = try await fixture.store.alerts(PageRequest()).items.map(\.alert)
        #expect(try await copy.alerts(PageRequest()).items.map(\.alert) == alerts)
        #expect(try await copy.spans(of: target.id, PageRequest()).total == 1)
        let again = try await copy.dueDeliveries(channel: "ops", now: noon, limit: 99)
        #expect(Set(again.map(\.messageID)) == Set(deliveries.dropLast().map(\.messageID)))
        try await copy.close()
    }

    @Test func `never replaces a file unasked, nor the database, and leaves nothing of what failed`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example")
        let there = try fixture.directory.write("there.db", Array("mine".utf8))
        let before = try names(in: fixture)
        for (path, replacing) in [
            (there, false), (fixture.path, true), (fixture.directory.path + "/none/copy.db", false),
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await fixture.store.backup(to: path, replacing: replacing)
            }
            guard case .cannotBackUp? = error else { throw try #require(error) }
        }
        #expect(try names(in: fixture) == before)
        #expect(try Data(contentsOf: URL(filePath: there)) == Data("mine".utf8))
        try await fixture.store.backup(to: there, replacing: true)
        let copy = try await Store.open(path: there, now: noon)
        #expect(try await copy.targets(PageRequest()).total == 1)
        try await copy.close()
    }

    @Test func `that is cancelled leaves no file`() async throws {
        let fixture = try await StoreFixture()
        try await weighDown(fixture, rows: 400)
        let before = try names(in: fixture)
        let backup = Task {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            try await fixture.store.backup(to: fixture.directory.path + "/copy.db")
        }
        let error = await #expect(throws: StoreError.self) { try await backup.value }
        guard case .cannotBackUp? = error else { throw try #require(error) }
        #expect(try names(in: fixture) == before)
    }

    /// 20 kB a row, so that a copy takes several steps.
    private func weighDown(_ fixture: StoreFixture, rows: Int) async throws {
        _ = try await fixture.store.writer.statement("CREATE TABLE ballast (bytes BLOB) STRICT")
        _ = try await fixture.store.writer.statement(
            """
            INSERT INTO ballast WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            SELECT randomblob(20000) FROM n
            """)
    }

    private func names(in fixture: StoreFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
    }
}
