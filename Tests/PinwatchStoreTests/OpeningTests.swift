import Foundation
import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("Opening a database") struct OpeningTests {
    @Test func `a new file carries our name and schema version, and only its owner may read it`() async throws {
        let fixture = try await StoreFixture()
        #expect(try await fixture.count("PRAGMA application_id") == SQLiteFile.applicationID)
        #expect(try await fixture.count("PRAGMA user_version") == Int64(SQLiteMigration.all.count))
        #expect(try await fixture.count(of: "migration") == Int64(SQLiteMigration.all.count))
        #expect(try await fixture.store.writer.statement("PRAGMA journal_mode") == [[.text("wal")]])
        #expect(try await fixture.count("PRAGMA synchronous") == 2)
        #expect(try await fixture.count("PRAGMA foreign_keys") == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `opening again changes nothing and finds what was written`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("api.example.com")
        try await fixture.store.close()
        let again = try await Store.open(path: fixture.path, now: noon)
        let page = try await again.targets(PageRequest())
        #expect(page.items.map(\.target.host.text) == ["api.example.com"])
        try await again.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == ["pinwatch.db"])
    }

    @Test func `what is closed says so`() async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.close()
        await #expect(throws: StoreError.closed) { try await fixture.store.targets(PageRequest()) }
        await #expect(throws: StoreError.closed) {
            try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: noon)
        }
        #expect(await fixture.store.writeProblem(now: noon) != nil)
    }

    @Test(arguments: [
        Array("this is a letter".utf8), [UInt8](repeating: 0, count: 4_096),
        Array("SQLite format 3\u{0}".utf8) + [UInt8](repeating: 1, count: 4_080),
    ])
    func `a file that is not ours is refused and left as it was`(bytes: [UInt8]) async throws {
        let directory = try TestDirectory()
        let path = try directory.write("other.db", bytes)
        let error = await #expect(throws: StoreError.self) { try await Store.open(path: path, now: noon) }
        guard case .foreign(path, _)? = error else { throw try #require(error) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["other.db"])
    }

    @Test(arguments: [(offset: 71, value: UInt8(0)), (offset: 63, value: UInt8(200))])
    func `another program's database and a newer one are refused and left as they were`(
        offset: Int, value: UInt8
    ) async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.close()
        var bytes = try Data(contentsOf: URL(filePath: fixture.path))
        bytes[offset] = value
        try bytes.write(to: URL(filePath: fixture.path))
        let error = await #expect(throws: StoreError.self) { try await Store.open(path: fixture.path, now: noon) }
        switch error {
        case .foreign: #expect(offset == 71)
        case .newer(_, let version, let known):
            #expect(version == 200 && known == Int64(SQLiteMigration.all.count))
        default: Issue.record("\(String(describing: error))")
        }
        #expect(try Data(contentsOf: URL(filePath: fixture.path)) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == ["pinwatch.db"])
    }

    @Test func `a newer version that is still in the WAL is seen, and the file left as it was`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.store.writer.statement("PRAGMA user_version = 77")
        let copy = try TestDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.path + suffix, toPath: copy.path + "/pinwatch.db" + suffix)
        }
        let path = copy.path + "/pinwatch.db"
        let before = try Data(contentsOf: URL(filePath: path))
        await #expect(throws: StoreError.newer(path: path, version: 77, known: Int64(SQLiteMigration.all.count))) {
            try await Store.open(path: path, now: noon)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a directory that is not there is named`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open(path: "/nonexistent/pinwatch.db", now: noon)
        }
        #expect(error?.description.contains("/nonexistent/pinwatch.db") == true)
    }
}
