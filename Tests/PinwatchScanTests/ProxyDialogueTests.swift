import PinwatchCore
import Testing

@testable import PinwatchScan

@Suite("Proxy dialogue", .timeLimit(.minutes(5)))
struct ProxyDialogueTests {
    private static func proxy(_ credentials: String? = nil) -> EgressProxy {
        EgressProxy(
            host: .name(HostName(checked: "proxy.test")), port: 3128, credentials: credentials.map { Secret($0) })
    }

    private func play(_ answer: [UInt8], cut: Int, credentials: String? = nil) -> ProxyStep {
        var dialogue = ProxyDialogue(Self.proxy(credentials), to: "192.0.2.1:443")
        let first = dialogue.receive(Array(answer[..<cut]))
        return first == .read ? dialogue.receive(Array(answer[cut...])) : first
    }

    @Test func `the address is asked for, and a user is sent if there is one`() {
        let plain = ProxyDialogue(Self.proxy(), to: "[2001:db8::1]:993").request
        #expect(
            String(decoding: plain, as: UTF8.self)
                == "CONNECT [2001:db8::1]:993 HTTP/1.1\r\nHost: [2001:db8::1]:993\r\n\r\n")
        let known = ProxyDialogue(Self.proxy("Aladdin:open sesame"), to: "192.0.2.1:443").request
        #expect(
            String(decoding: known, as: UTF8.self)
                == "CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: 192.0.2.1:443\r\n"
                + "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n")
    }

    @Test(
        "any answer of 2xx opens the way, wherever it is cut",
        arguments: [
            "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200 OK\n\n", "HTTP/1.1 204\r\nX: y\r\n\r\n",
            "HTTP/1.1 299 \r\nContent-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n  folded\r\n\r\n",
        ])
    func opening(_ answer: String) {
        let bytes = Array(answer.utf8)
        for cut in 0...bytes.count { #expect(play(bytes, cut: cut) == .open(rest: []), "cut at \(cut)") }
    }

    @Test func `what comes behind the answer is handed over, wherever it is cut`() {
        let head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let greeting = Array("220 mail\r\n\r\n".utf8)
        for cut in 0...(head + greeting).count {
            // From the head's end on, what follows is read with the target's own dialogue.
            let behind = max(0, cut - head.count)
            let rest = cut < head.count ? greeting : Array(greeting.prefix(behind))
            #expect(play(head + greeting, cut: cut) == .open(rest: rest), "cut at \(cut)")
        }
    }

    static let refusing: [(String, String)] = [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "The proxy proxy.test:3128 wants a user and password (407)."
        ),
        (
            "HTTP/1.1 407 x\r\nProxy-Authenticate: Negotiate\r\nProxy-authenticate: NTLM abc\r\n\r\n",
            "The proxy proxy.test:3128 wants a user and password by \"Negotiate NTLM\", where only Basic is spoken here (407)."
        ),
        (
            "HTTP/1.1 407 x\r\nProxy-Authenticate: basic realm=\"a\"\r\n\r\n",
            "The proxy proxy.test:3128 wants a user and password (407)."
        ),
        (
            "HTTP/1.1 403 Forbidden\r\n\r\n<html>",
            "The proxy proxy.test:3128 does not allow a connection to 192.0.2.1:443 (403 \"Forbidden\")."
        ),
        (
            "HTTP/1.1 502 Bad\u{1b}[31m\r\n\r\n",
            "The proxy proxy.test:3128 could not connect to 192.0.2.1:443 (502 \"Bad.[31m\")."
        ),
        ("HTTP/1.1 504\r\n\r\n", "The proxy proxy.test:3128 could not connect to 192.0.2.1:443 (504)."),
        (
            "HTTP/1.1 301 Moved\r\nLocation: http://x\r\n\r\n",
            "The proxy proxy.test:3128 refused a connection to 192.0.2.1:443 (301 \"Moved\")."
        ),
        (
            "HTTP/1.1 101 Switching\r\n\r\n",
            "The proxy proxy.test:3128 refused a connection to 192.0.2.1:443 (101 \"Switching\")."
        ),
        (
            "HTTP/1.1 2000 OK\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.1 2000 OK\"."
        ),
        (
            "HTTP/1.1 099 OK\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.1 099 OK\"."
        ),
        (
            "HTTP/1.1 +20 OK\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.1 +20 OK\"."
        ),
        (
            "HTTP/1.2 200 OK\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.2 200 OK\"."
        ),
        ("HTTP/1.1  200\r\n\r\n", "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.1  200\"."),
        ("HTTP/1.1\r\n\r\n", "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"HTTP/1.1\"."),
        (
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"no colon\"."
        ),
        ("HTTP/1.1 200 OK\r\n: x\r\n\r\n", "The proxy proxy.test:3128 answered CONNECT by a malformed head: \": x\"."),
        (
            "HTTP/1.1 200 OK\r\nA b: x\r\n\r\n",
            "The proxy proxy.test:3128 answered CONNECT by a malformed head: \"A b: x\"."
        ),
    ]

    @Test("a refusal has its number and words, wherever it is cut", arguments: refusing)
    func refusal(answer: String, why: String) {
        let bytes = Array(answer.utf8)
        for cut in 0...bytes.count { #expect(play(bytes, cut: cut) == .refused(why), "cut at \(cut)") }
    }

    @Test(
        "what is no HTTP is told at once, though it has no lines",
        arguments: [
            ("SSH-2.0-x", "it is no HTTP proxy"), ("\u{5}\u{0}", "it is no HTTP proxy"),
            ("\r\n", "it is no HTTP proxy"),
            ("HTTP/2 200\r\n\r\n", "it is no HTTP proxy"),
            ("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{16}", "it seems to speak TLS itself"),
        ])
    func strangers(answer: String, hint: String) {
        let bytes = Array(answer.utf8)
        for cut in 0...bytes.count {
            guard case .refused(let why) = play(bytes, cut: cut) else {
                Issue.record("cut at \(cut)")
                return
            }
            #expect(why.contains(hint))
        }
    }

    @Test func `a user that was sent and not taken is told as such`() {
        let answer = Array("HTTP/1.1 407 x\r\nProxy-Authenticate: Basic\r\n\r\n".utf8)
        #expect(
            play(answer, cut: 0, credentials: "ops:hunter2")
                == .refused("The proxy proxy.test:3128 does not take the user and password of scan.proxy (407)."))
    }

    @Test(
        "an answer without end is cut off",
        arguments: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 ", "HTTP/1.1 100 Continue\r\n\r\n",
        ])
    func chatter(_ start: String) {
        let more = start.hasSuffix("\r\n\r\n") ? start : start.hasSuffix("\n") ? "A: b\r\n" : "x"
        for size in [50, 1_000, 20_000] {
            var dialogue = ProxyDialogue(Self.proxy(), to: "192.0.2.1:443")
            var step = dialogue.receive(Array(start.utf8))
            let part = Array(String(repeating: more, count: size / more.utf8.count + 1).utf8)
            var sent = 0
            while step == .read, sent < 40_000 {
                step = dialogue.receive(part)
                sent += part.count
            }
            #expect(
                step == .refused("The proxy proxy.test:3128 said more than 16 KiB without an end to its answer's head.")
            )
        }
    }
}
