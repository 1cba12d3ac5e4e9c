import Foundation
import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("One service for one database") struct ServiceLockTests {
    private let serving = StoreOptions(serves: true)

    @Test(arguments: ["same", "dots", "relative", "link", "linked folder"])
    func `a second service is refused however it names the file, and nothing is changed`(way: String) async throws {
        let fixture = try await StoreFixture(options: serving)
        _ = try await fixture.targets("api.example.com")
        let elsewhere = try TestDirectory()
        let files = FileManager.default
        let path: String
        switch way {
        case "dots":
            let name = try #require(fixture.directory.path.split(separator: "/").last)
            path = fixture.directory.path + "/../" + name + "/./pinwatch.db"
        case "relative":
            let depth = files.currentDirectoryPath.split(separator: "/").count
            path = String(repeating: "../", count: depth) + fixture.path.dropFirst()
        case "link":
            path = elsewhere.path + "/other.db"
            try files.createSymbolicLink(atPath: path, withDestinationPath: fixture.path)
        case "linked folder":
            try files.createSymbolicLink(
                atPath: elsewhere.path + "/data", withDestinationPath: fixture.directory.path)
            path = elsewhere.path + "/data/pinwatch.db"
        default: path = fixture.path
        }
        let before = try contents(of: fixture.directory)
        let beside = try files.contentsOfDirectory(atPath: elsewhere.path)
        let error = await #expect(throws: StoreError.served(path: path)) {
            try await Store.open(path: path, options: serving, now: noon)
        }
        #expect(try #require(error).description.contains("\(path) is served by another Pinwatch"))
        #expect(try contents(of: fixture.directory) == before)
        #expect(try files.contentsOfDirectory(atPath: elsewhere.path) == beside)
        #expect(try await fixture.store.targets(PageRequest()).total == 1)
        try await fixture.store.close()
    }

    @Test func `tokens are made beside a running service, and the next service starts when that one has closed`()
        async throws
    {
        let fixture = try await StoreFixture(options: serving)
        let beside = try await Store.open(path: fixture.path, now: noon)
        _ = try await beside.addToken(name: "ci", role: .viewer, sha256: digest(7), expiresAt: nil, change())
        try await beside.close()
        #expect(try await fixture.store.token(sha256: digest(7))?.name == "ci")
        await #expect(throws: StoreError.served(path: fixture.path)) {
            try await Store.open(path: fixture.path, options: serving, now: noon)
        }
        try await fixture.store.close()
        let next = try await Store.open(path: fixture.path, options: serving, now: noon)
        #expect(try await next.token(sha256: digest(7))?.name == "ci")
        try await next.close()
    }

    @Test(.timeLimit(.minutes(5)))
    func `a lock ends with its process, however that ends`() async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.close()
        let holder = Process()
        let output = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = ["--no-fork", fixture.path + ".lock", "sh", "-c", "echo held; exec sleep 60"]
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        await #expect(throws: StoreError.served(path: fixture.path)) {
            try await Store.open(path: fixture.path, options: serving, now: noon)
        }
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        let next = try await Store.open(path: fixture.path, options: serving, now: noon)
        try await next.close()
    }

    @Test func `a lock file that cannot be made is named`() async throws {
        let fixture = try await StoreFixture()
        try await fixture.store.close()
        try FileManager.default.createDirectory(atPath: fixture.path + ".lock", withIntermediateDirectories: false)
        let error = await #expect(throws: StoreError.self) {
            try await Store.open(path: fixture.path, options: serving, now: noon)
        }
        guard case .cannotOpen(let path, _)? = error else { throw try #require(error) }
        #expect(path.hasSuffix("pinwatch.db.lock"))
    }

    /// Names and bytes of all files. The shared memory is left out: its read marks move with every reader.
    private func contents(of directory: TestDirectory) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where !name.hasSuffix("-shm") {
            contents[name] = try Data(contentsOf: URL(filePath: directory.path + "/" + name))
        }
        return contents
    }
}
