import PinwatchCore
import TestSupport
import Testing

@Suite("Servers that misbehave", .timeLimit(.minutes(5)))
struct OutcomeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: [LoopbackServer.Step]
        /// The contract's words, one per hello.
        let words: [String]
        var testDescription: String { name }

        init(_ name: String, _ script: LoopbackServer.Step..., words: String...) {
            self.name = name
            self.script = script
            self.words = words
        }
    }

    static let cases = [
        Case("stall after accept", .stall, words: "handshake_timeout"),
        Case("stall after the hello", .hear, .stall, words: "handshake_timeout"),
        Case("drip of a record", .hear, .drip([22, 3, 3, 3, 0], everyMilliseconds: 20), words: "handshake_timeout"),
        Case("close after the hello", .hear, .close, words: "closed", "closed"),
        Case("reset after the hello", .hear, .reset, words: "reset", "reset"),
        Case("close within a record", .hear, .send([22, 3, 3, 0x40, 0, 2]), .close, words: "closed", "closed"),
        Case("close after two bytes", .hear, .send([22, 3]), .close, words: "closed", "closed"),
        Case("garbage", .hear, .send([0xDE, 0xAD, 0xBE, 0xEF]), .close, words: "not_tls"),
        Case("one byte of garbage", .hear, .send([0xDE]), .stall, words: "not_tls"),
        Case("SMTP banner", .send(Array("220 mail ESMTP\r\n".utf8)), .stall, words: "not_tls"),
        Case("banner and reset", .send(Array("554 no\r\n".utf8)), .hear, .close, words: "not_tls"),
        Case("HTTP", .hear, .send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), .close, words: "not_tls"),
        Case(
            "garbage in a record", .hear, .send([22, 3, 3, 0, 4, 9, 9, 9, 9]), .close, words: "protocol_unsupported",
            "protocol_unsupported"),
        Case("alert 40", .hear, .send([21, 3, 3, 0, 2, 2, 40]), .close, words: "alert", "alert"),
        Case("alert 112 of SSL 3", .hear, .send([21, 3, 0, 0, 2, 2, 112]), .close, words: "alert", "alert"),
        Case("alert of no name", .hear, .send([21, 3, 3, 0, 2, 2, 200]), .close, words: "alert", "alert"),
    ]

    @Test("a server that misbehaves has the outcome that says how, within the deadline", arguments: cases)
    func misbehaviour(_ sample: Case) async throws {
        let server = try LoopbackServer(script: sample.script)
        let observations = try await ScanBench(timeoutMilliseconds: 600).observe(port: server.port)
        #expect(observations.map(\.outcome.word) == sample.words, "\(observations.map(\.outcome))")
        #expect(observations.map(\.profile) == Array([.phone, .legacy].prefix(sample.words.count)))
        #expect(observations.allSatisfy { $0.chain == nil && $0.tlsVersion == nil && $0.durationMilliseconds < 900 })
    }

    @Test("a server that closes at once is closed or reset, as its FIN and the hello cross")
    func closeAfterAccept() async throws {
        let server = try LoopbackServer(.close)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.profile) == [.phone, .legacy])
        #expect(observations.allSatisfy { ["closed", "reset"].contains($0.outcome.word) })
    }

    @Test("an alert keeps its number and registered name")
    func alert() async throws {
        let server = try LoopbackServer(.hear, .send([21, 3, 3, 0, 2, 2, 112]), .close)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.first?.outcome == .alert(number: 112, name: "unrecognized_name"))
    }

    @Test("what came instead of TLS is kept up to 64 bytes")
    func firstBytes() async throws {
        let banner = [UInt8](repeating: 0x41, count: 100)
        let server = try LoopbackServer(.send(banner), .stall)
        let observations = try await ScanBench().observe(port: server.port)
        #expect(observations.map(\.outcome) == [.notTLS(firstBytes: Array(banner.prefix(64)))])
    }

    @Test("a Certificate message above the bound is too large, and its bound is told")
    func oversize() async throws {
        // ServerHello of TLS 1.2, then the header of a Certificate message of 5 MiB.
        let hello: [UInt8] =
            [2, 0, 0, 38, 3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x2F, 0]
        let record: [UInt8] = [22, 3, 3, 0, UInt8(hello.count + 4)] + hello + [11, 0x50, 0, 0]
        let server = try LoopbackServer(.hear, .send(record), .stall)
        let observations = try await ScanBench(timeoutMilliseconds: 2_000).observe(port: server.port)
        #expect(observations.map(\.outcome) == [.certificateTooLarge(limit: 4 << 20)])
    }

    @Test("a refused connection is told and gets no second hello")
    func refused() async throws {
        let observations = try await ScanBench(timeoutMilliseconds: 300).observe(port: 1)
        #expect(observations.map(\.outcome.word) == ["connect_refused"])
    }
}
