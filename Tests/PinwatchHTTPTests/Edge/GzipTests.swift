import FoundationEssentials
import Glibc
import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchHTTP

@Suite struct GzipTests {
    @Test(arguments: [
        (nil, false), ("gzip", true), ("x-gzip", true), ("GZIP", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false),
        ("gzip;q=0.000", false), ("gzip;q=0.001", true), ("*", true), ("*;q=0", false), ("br", false), ("", false),
        ("identity, gzip;q=0.5", false), ("identity;q=0.2, gzip;q=0.5", true), ("gzip;q=x", false), ("gzip;q=2", false),
        ("*;q=0.5, gzip;q=0", false), ("gzip, deflate, br, zstd", true), ("identity;q=0, *;q=1", true),
    ])
    func `Gzip is given to whom it is dear`(header: String?, isPreferred: Bool) {
        let headers = header.map { [Request.Header("Accept-Encoding", $0)] } ?? []
        #expect(AcceptEncoding.prefersGzip(Request(target: "/", headers: headers)) == isPreferred)
    }

    @Test func `What does not become smaller is left as it is`() {
        #expect(Gzip.smaller([], level: 9) == nil)
        #expect(Gzip.smaller([1, 2, 3], level: 9) == nil)
        #expect(Gzip.smaller((0..<1_000).map { _ in UInt8.random(in: 0...255) }, level: 9) == nil)
        let coded = Gzip.smaller([UInt8](repeating: 0x61, count: 10_000), level: 9)
        #expect(coded?.starts(with: [0x1F, 0x8B, 8]) == true && (coded?.count ?? 0) < 100)
    }

    @Test func `Each coding of a file has its own tag, and says what it varies with`() async throws {
        let directory = try TestDirectory()
        let text = String(repeating: "<p>Text.</p>\n", count: 200)
        try directory.write("index.html", text)
        try directory.write("small.txt", "x")
        let fixture = Fixture(files: try StaticFiles(folder: directory.path, sha256: fakeDigest))
        let coding = ("Accept-Encoding", "gzip, br")
        let (plain, coded) = (await fixture.answer("/"), await fixture.answer("/", [coding]))
        #expect(plain.header("Content-Encoding") == nil && plain.text == text)
        #expect(coded.header("Content-Encoding") == "gzip" && coded.body.count < plain.body.count / 10)
        let (tag, codedTag) = (try #require(plain.header("ETag")), try #require(coded.header("ETag")))
        #expect(tag != codedTag)
        for answer in [plain, coded] {
            #expect(answer.header("Vary") == "Accept-Encoding")
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        }
        let again = await fixture.answer("/", [coding, ("If-None-Match", codedTag)])
        #expect(again.status == 304 && again.body.isEmpty && again.header("Vary") == "Accept-Encoding")
        #expect(await fixture.answer("/", [coding, ("If-None-Match", tag)]).status == 200)
        #expect(await fixture.answer("/", [("If-None-Match", codedTag)]).status == 200)
        #expect(await fixture.answer("/small.txt", [coding]).header("Content-Encoding") == nil)
        #expect(try gunzipped(coded.body) == text)
    }
}

/// By the system's own program.
private func gunzipped(_ bytes: [UInt8]) throws -> String {
    let directory = try TestDirectory()
    let file = try directory.write("x.gz", bytes)
    guard let pipe = unsafe popen("gzip -dc \(file)", "r") else { return "no gzip here" }
    var text: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte >= 0 { text.append(UInt8(byte)) }
    let status = unsafe pclose(pipe)
    #expect(status == 0)
    return String(decoding: text, as: UTF8.self)
}

@Suite struct AccessTests {
    @Test func `An access is told with its route and time, and without what may be secret`() async throws {
        let records = Lines()
        let fixture = EdgeFixture(tokens: false) { records.add($0.json.text) }
        _ = await fixture.answer("GET", "/api/v1/targets?host=secret", [("Authorization", "Bearer secret")])
        _ = await fixture.answer("GET", "/nothing\(String(repeating: "x", count: 500))?secret", from: "192.0.2.7")
        let lines = records.all
        #expect(lines.count == 2 && !lines.joined().contains("secret"))
        #expect(
            lines[0].hasPrefix(
                #"{"method":"GET","path":"/api/v1/targets","route":"/api/v1/targets","status":200,"bytes":34,"#
                    + #""client":"127.0.0.1","tls":false,"ms":"#))
        #expect(lines[1].contains(#""route":null,"status":404"#) && lines[1].utf8.count < 400)
    }

    @Test func `Metrics tell of routes, refusals, connections and streams, with bounded labels`() async {
        let fixture = EdgeFixture(tokens: false)
        _ = await fixture.answer("GET", "/api/v1/targets/17")
        for number in 0..<50 { _ = await fixture.answer("GET", "/nothing/\(number)") }
        _ = await fixture.answer("GET", "/healthz", [("Host", "evil.example")])
        let text = await fixture.answer("GET", "/metrics").text
        for line in [
            #"pinwatch_http_route_requests_total{route="/api/v1/targets/{id}",method="GET"} 1"#,
            #"pinwatch_http_route_requests_total{route="other",method=""} 51"#,
            #"pinwatch_http_refused_total{reason="host"} 1"#, "pinwatch_event_streams 0",
            #"pinwatch_event_streams_ended_total{reason="behind"} 0"#,
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(!text.contains("nothing/"))
    }
}
