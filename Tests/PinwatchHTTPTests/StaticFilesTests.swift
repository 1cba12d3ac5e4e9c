import FoundationEssentials
import Testing

@testable import PinwatchHTTP

@Suite struct StaticFilesTests {
    /// A folder with these files, gone after the body.
    private func folder(_ files: [String: String], _ body: (String) async throws -> Void) async throws {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appending(path: "pinwatch-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: root) }
        for (name, text) in files {
            let path = root + "/" + name
            if let slash = path.lastIndex(of: "/") {
                try manager.createDirectory(atPath: String(path[..<slash]), withIntermediateDirectories: true)
            }
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        try await body(root)
    }

    private let site = [
        "index.html": "<!doctype html>", "app/main.js": "1", "style.css": "a{}", ".hidden.js": "x", "notes.md": "x",
        "plain": "x", "icon.svg": "<svg/>",
    ]

    @Test(arguments: [
        ("/", 200, "text/html; charset=utf-8"), ("/index.html", 200, "text/html; charset=utf-8"),
        ("/app/main.js", 200, "text/javascript; charset=utf-8"), ("/style.css", 200, "text/css; charset=utf-8"),
        ("/icon.svg", 200, "image/svg+xml"), ("/app", 404, ""), ("/app/", 404, ""), ("/.hidden.js", 404, ""),
        ("/notes.md", 404, ""), ("/plain", 404, ""), ("/App/main.js", 404, ""), ("/app//main.js", 404, ""),
        ("/link.js", 404, ""), ("/away/x.js", 404, ""), ("/app/%2e%2e/index.html", 400, ""), ("/../x.js", 400, ""),
        ("/app%2Fmain.js", 400, ""),
    ])
    func `A file is found by its exact path only`(path: String, status: Int, type: String) async throws {
        try await folder(site) { root in
            try FileManager.default.createSymbolicLink(
                atPath: root + "/link.js", withDestinationPath: root + "/app/main.js")
            try FileManager.default.createSymbolicLink(atPath: root + "/away", withDestinationPath: root + "/app")
            let fixture = Fixture(files: try StaticFiles(folder: root, sha256: fakeDigest))
            let answer = await fixture.answer(path)
            #expect(answer.status == status)
            if status == 200 { #expect(answer.header("Content-Type") == type) }
        }
    }

    @Test func `A file has a tag, may be kept, and must be asked about again`() async throws {
        try await folder(site) { root in
            let fixture = Fixture(files: try StaticFiles(folder: root, sha256: fakeDigest))
            let first = await fixture.answer("/style.css")
            let tag = try #require(first.header("ETag"))
            #expect(first.headers.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-cache"])
            #expect(await fixture.answer("/style.css", [("If-None-Match", tag)]).status == 304)
            #expect(await fixture.answer("/style.css", method: "HEAD").status == 200)
            #expect(await fixture.answer("/style.css", method: "POST").status == 405)
        }
    }

    @Test func `The page is open where the API is not`() async throws {
        try await folder(site) { root in
            let fixture = Fixture(listen: "0.0.0.0", files: try StaticFiles(folder: root, sha256: fakeDigest))
            #expect(await fixture.answer("/").status == 200)
            #expect(await fixture.answer("/api/v1/summary").status == 401)
        }
    }

    @Test func `Files that change under way change nothing`() async throws {
        try await folder(site) { root in
            let fixture = Fixture(files: try StaticFiles(folder: root, sha256: fakeDigest))
            try FileManager.default.removeItem(atPath: root + "/style.css")
            #expect(await fixture.answer("/style.css").text == "a{}")
        }
    }

    @Test func `A folder that cannot be served says so`() async throws {
        #expect(throws: HTTPFailure.self) { try StaticFiles(folder: "/nonexistent/public", sha256: fakeDigest) }
        try await folder(["app.js": "1"]) { root in
            #expect(throws: HTTPFailure.self) { _ = try StaticFiles(folder: root, sha256: fakeDigest) }
        }
        let large = String(repeating: "x", count: 5 << 20)
        try await folder(["index.html": "", "a.js": large, "b.js": large]) { root in
            #expect(throws: HTTPFailure.self) { _ = try StaticFiles(folder: root, sha256: fakeDigest) }
        }
    }
}
