import FoundationEssentials
import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import pinwatch

@Suite struct URLMarkTests {
    private let url = Secret("http://10.0.0.5/hook?key=summer")

    @Test func `a URL is marked the same by the same installation alone`() throws {
        let (here, there) = (try TestDirectory(), try TestDirectory())
        let mark = try URLMark(beside: here.path + "/pinwatch.db")
        #expect(try URLMark(beside: here.path + "/pinwatch.db").of(url) == mark.of(url))
        #expect(try URLMark(beside: there.path + "/pinwatch.db").of(url) != mark.of(url))
        #expect(mark.of(Secret("http://10.0.0.5/hook?key=winter")) != mark.of(url))
        #expect(mark.of(url) != Digests.sha256(Array(url.revealed.utf8)).bytes)
    }

    @Test func `its key is for the service's own eyes`() throws {
        let directory = try TestDirectory()
        _ = try URLMark(beside: directory.path + "/pinwatch.db")
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/pinwatch.db.url-key")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 32)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["pinwatch.db.url-key"])
    }

    @Test(arguments: [0, 31, 33]) func `what is no whole key gives way to one`(bytes: Int) throws {
        let directory = try TestDirectory()
        let path = directory.path + "/pinwatch.db.url-key"
        try Data(repeating: 0, count: bytes).write(to: URL(filePath: path))
        let mark = try URLMark(beside: directory.path + "/pinwatch.db")
        #expect(try Data(contentsOf: URL(filePath: path)).count == 32)
        #expect(try URLMark(beside: directory.path + "/pinwatch.db").of(url) == mark.of(url))
    }

    @Test func `without a place for its key the reason is told`() {
        let error = #expect(throws: UsageError.self) { try URLMark(beside: "/nonexistent/pinwatch.db") }
        #expect(error?.description.contains("/nonexistent/pinwatch.db.url-key.new") == true)
    }
}
