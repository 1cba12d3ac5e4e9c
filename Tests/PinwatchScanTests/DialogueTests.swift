import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchScan

@Suite("Dialogues in clear", .timeLimit(.minutes(5)))
struct DialogueTests {
    /// What a server says, in turns; after each of them but the last the client is heard.
    struct Talk: Sendable, CustomTestStringConvertible {
        let startTLS: StartTLS
        let says: [[UInt8]]
        /// What the client says: before the first turn if the protocol has it so, then after each.
        let hears: [[UInt8]]
        var testDescription: String { "\(startTLS.rawValue) \(Said.shown(Array(says.joined().prefix(40))[...]))" }

        init(_ startTLS: StartTLS, _ says: [String], hears: [String]) {
            self.init(startTLS, bytes: says.map { Array($0.utf8) }, hears: hears.map { Array($0.utf8) })
        }

        init(_ startTLS: StartTLS, bytes says: [[UInt8]], hears: [[UInt8]]) {
            self.startTLS = startTLS
            self.says = says
            self.hears = hears
        }
    }

    private static let stream =
        "<?xml version='1.0'?><stream:stream to='chat.test' version='1.0' xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams'>"
    private static let start = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
    private static let extended: [UInt8] =
        [0x30, 29, 2, 1, 1, 0x77, 24, 0x80, 22] + Array("1.3.6.1.4.1.1466.20037".utf8)
    private static let agreed: [UInt8] = [0x30, 12, 2, 1, 1, 0x78, 7, 0x0A, 1, 0, 4, 0, 4, 0]
    private static let sslRequest: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]

    /// A greeting of MySQL 8 with these lower capabilities.
    private static func mysql(_ low: UInt8, _ high: UInt8) -> [UInt8] {
        let body =
            [10] + Array("8.0.36".utf8) + [0, 7, 0, 0, 0] + Array("challenge".utf8.prefix(8)) + [
                0, low, high, 45, 2, 0,
            ]
        return [UInt8(body.count), 0, 0, 0] + body
    }

    private static let mysqlRequest: [UInt8] =
        [32, 0, 0, 1, 0, 0x8A, 0, 0, 0, 0, 0, 1, 45] + [UInt8](repeating: 0, count: 23)

    static let agreeing = [
        Talk(
            .smtp, ["220 mail.test ESMTP\r\n", "250-mail.test\r\n250-SIZE 1\r\n250 STARTTLS\r\n", "220 Go ahead\r\n"],
            hears: ["EHLO pinwatch.invalid\r\n", "STARTTLS\r\n"]),
        Talk(
            .smtp, ["220-a\r\n220-b\r\n220 c\r\n", "250-x\r\n250-starttls\r\n250 HELP\r\n", "220\r\n"],
            hears: ["EHLO pinwatch.invalid\r\n", "STARTTLS\r\n"]),
        Talk(
            .lmtp, ["220 l\r\n", "250-l\r\n250 STARTTLS\r\n", "220 ok\r\n"],
            hears: ["LHLO pinwatch.invalid\r\n", "STARTTLS\r\n"]),
        Talk(
            .imap, ["* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n", "* 1 EXISTS\r\np1 OK begin\r\n"],
            hears: ["p1 STARTTLS\r\n"]),
        Talk(.imap, ["* ok\n", "P1 ok\n"], hears: ["p1 STARTTLS\r\n"]),
        Talk(.pop3, ["+OK POP3 ready <1896.697170952@mail.test>\r\n", "+OK\r\n"], hears: ["STLS\r\n"]),
        Talk(.ftp, ["220 ftp\r\n", "234 AUTH TLS successful\r\n"], hears: ["AUTH TLS\r\n"]),
        Talk(
            .ftp, ["220-Welcome\r\nanything here\r\n 220 not the end\r\n220 end\r\n", "334 go\r\n"],
            hears: ["AUTH TLS\r\n"]),
        Talk(.ftp, ["120 in a minute\r\n220 now\r\n", "234 go\r\n"], hears: ["AUTH TLS\r\n"]),
        Talk(.ldap, bytes: [agreed], hears: [extended]),
        // As Active Directory writes lengths.
        Talk(.ldap, bytes: [[0x30, 0x84, 0, 0, 0, 12] + agreed.dropFirst(2)], hears: [extended]),
        Talk(
            .xmppClient,
            [
                "<?xml version='1.0'?>\n<stream:stream from='chat.test' id=\"a>b\" xmlns='jabber:client'><stream:features>"
                    + "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>",
                "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
            ], hears: [stream, start]),
        Talk(.postgres, bytes: [Array("S".utf8)], hears: [sslRequest]),
        Talk(.mysql, bytes: [mysql(0xFF, 0xF7 | 0x08)], hears: [mysqlRequest]),
    ]

    /// Plays a server's turns, each cut at `cut`, and returns what the client said and how it ended.
    private func play(_ talk: Talk, cut: Int? = nil) -> (said: [[UInt8]], last: DialogueStep) {
        var dialogue = BoundedDialogue(talk.startTLS, name: "chat.test")
        var said = dialogue.opening.isEmpty ? [] : [dialogue.opening]
        var last = DialogueStep.read
        for turn in talk.says {
            let place = cut.map { min($0, turn.count) } ?? turn.count
            for part in [Array(turn[..<place]), Array(turn[place...])] {
                last = dialogue.receive(part)
                while case .send(let bytes) = last {
                    said.append(bytes)
                    last = dialogue.receive([])
                }
                if case .switchToTLS(let bytes) = last, !bytes.isEmpty { said.append(bytes) }
                if last != .read { return (said, last) }
            }
        }
        return (said, last)
    }

    private func isSwitch(_ step: DialogueStep) -> Bool { if case .switchToTLS = step { true } else { false } }

    @Test("a server that agrees comes to TLS, wherever what it says is cut", arguments: agreeing)
    func agreement(_ talk: Talk) {
        let longest = talk.says.map(\.count).max() ?? 0
        for cut in 0...longest {
            let (said, last) = play(talk, cut: cut)
            #expect(isSwitch(last), "cut at \(cut): \(last)")
            #expect(said == talk.hears, "cut at \(cut)")
        }
    }

    @Test("bytes in clear after the agreement are no way to TLS", arguments: agreeing)
    func injection(_ talk: Talk) {
        var says = talk.says
        says[says.count - 1] += Array("EVIL\r\n".utf8)
        guard case .refused(let why) = play(Talk(talk.startTLS, bytes: says, hears: [])).last else {
            Issue.record("it was taken")
            return
        }
        #expect(why.contains("6 bytes in clear after") && why.contains("EVIL"))
    }

    static let refusing: [(StartTLS, [String], String)] = [
        (.smtp, ["554 no\r\n"], "greeted by \"554 no\""),
        (.smtp, ["220 a\r\n", "250 plain\r\n"], "does not offer STARTTLS"),
        (.smtp, ["220 a\r\n", "502 what\r\n"], "answered EHLO pinwatch.invalid by \"502 what\""),
        (.smtp, ["220 a\r\n", "250 STARTTLS\r\n", "454 TLS not available\r\n"], "answered STARTTLS by \"454 TLS not"),
        (.smtp, ["HTTP/1.1 400 Bad Request\r\n"], "greeted by \"HTTP/1.1 400"),
        (.smtp, ["250STARTTLS\r\n"], "greeted by"),
        (.imap, ["* BYE full\r\n"], "greeted by \"* BYE full\""),
        (.imap, ["* PREAUTH hello\r\n"], "greeted by \"* PREAUTH"),
        (.imap, ["* OKAY\r\n"], "greeted by"),
        (.imap, ["* OK\r\n", "p1 NO later\r\n"], "answered p1 STARTTLS by \"p1 NO later\""),
        (.imap, ["* OK\r\n", "p1 BAD what\r\n"], "by \"p1 BAD what\""),
        (.imap, ["* OK\r\n", "* BYE\r\n"], "by \"* BYE\""),
        (.pop3, ["-ERR busy\r\n"], "greeted by \"-ERR busy\""),
        (.pop3, ["+OK\r\n", "-ERR no\r\n"], "answered STLS by \"-ERR no\""),
        (.ftp, ["220 a\r\n", "530 login first\r\n"], "answered AUTH TLS by \"530 login first\""),
        (.ftp, ["421 too many\r\n"], "greeted by \"421"),
        (.postgres, ["N"], "switched off"),
        (.postgres, ["E\u{0}\u{0}\u{0}\u{9}SFATAL"], "by an error: \"SFATAL\""),
        (.postgres, ["HTTP"], "answered PostgreSQL's SSLRequest by \"HTTP\""),
        (.mysql, ["\u{6}\u{0}\u{0}\u{0}\u{9}8.0.0"], "none of MySQL's protocol 10"),
        (.mysql, ["HTTP/1.1 400 Bad"], "none of MySQL's"),
        (.ldap, ["HTTP"], "answered LDAP's StartTLS by \"HTTP\""),
        (.xmppClient, ["HTTP/1.1 400"], "answered XMPP's stream by"),
        (.xmppClient, ["<stream:stream><stream:features><x/></stream:features>"], "does not offer STARTTLS"),
        (.xmppClient, ["<stream:stream><stream:features/>"], "does not offer STARTTLS"),
        (.xmppClient, ["<stream:stream><stream:error><host-unknown/></stream:error>"], "by an error"),
        (.xmppClient, ["<s:stream><s:features><starttls/></s:features>", "<failure/>"], "then refused it"),
    ]

    @Test("a refusal is told in the server's words, wherever it is cut", arguments: refusing)
    func refusal(startTLS: StartTLS, says: [String], why: String) {
        let talk = Talk(startTLS, says, hears: [])
        for cut in 0...(talk.says.map(\.count).max() ?? 0) {
            guard case .refused(let told) = play(talk, cut: cut).last else {
                Issue.record("cut at \(cut): \(play(talk, cut: cut).last)")
                return
            }
            // What follows the first byte may not have come yet, so only a whole turn must be quoted whole.
            if cut == 0 { #expect(told.contains(why), "\(told)") }
        }
    }

    @Test func `LDAP's refusal has its number and words, and MySQL's its own`() {
        let busy = Talk(
            .ldap, bytes: [[0x30, 16, 2, 1, 1, 0x78, 11, 0x0A, 1, 51, 4, 0, 4, 4] + Array("busy".utf8)], hears: [])
        #expect(play(busy).last == .refused("The LDAP server refused StartTLS by result 51: \"busy\"."))
        let plain = Talk(.mysql, bytes: [Self.mysql(0xFF, 0xF7)], hears: [])
        #expect(play(plain).last == .refused("The MySQL server does not offer TLS (its capabilities lack CLIENT_SSL)."))
        let full = Talk(.mysql, bytes: [[11, 0, 0, 0, 0xFF, 16, 4] + Array("Too many".utf8)], hears: [])
        #expect(play(full).last == .refused("The MySQL server refused the connection: \"Too many\"."))
    }

    @Test("a server that talks without end is cut off", arguments: StartTLS.allCases)
    func chatter(startTLS: StartTLS) {
        let endless: [UInt8] =
            switch startTLS {
            case .mysql: [0, 0x20, 0]
            case .ldap: [0x30, 0x82, 0x30, 0]
            case .smtp, .lmtp, .imap, .pop3, .ftp, .xmppClient, .postgres: []
            }
        var dialogue = BoundedDialogue(startTLS, name: "chat.test")
        _ = dialogue.receive(endless)
        var step = DialogueStep.read
        for _ in 0...20 where step == .read {
            step = dialogue.receive([UInt8](repeating: UInt8(ascii: "<"), count: 1_024))
        }
        guard case .refused = step else {
            Issue.record("\(step)")
            return
        }
    }

    @Test(arguments: [
        ([LoopbackServer.Step.send(Array("554 no\r\n".utf8)), .stall], "starttls_refused"),
        ([.send(Array("220 hi\r\n".utf8)), .hear, .close], "closed"),
        ([.send(Array("220 hi\r\n".utf8)), .hear, .stall], "handshake_timeout"),
        ([.drip(Array("220 a very slow greeting\r\n".utf8), everyMilliseconds: 100)], "handshake_timeout"),
        (
            [
                .send(Array("220 hi\r\n".utf8)), .hear, .send(Array("250 STARTTLS\r\n".utf8)), .hear,
                .send(Array("220 go\r\n".utf8)), .hear, .send([21, 3, 3, 0, 2, 2, 40]), .close,
            ], "alert"
        ),
        (
            [
                .send(Array("220 hi\r\n".utf8)), .hear, .send(Array("250 STARTTLS\r\n".utf8)), .hear,
                .send(Array("220 go\r\n".utf8)), .hear, .send(Array("500 in clear\r\n".utf8)), .stall,
            ], "not_tls"
        ),
    ])
    func `a visit in clear ends by its outcome, within the deadline`(script: [LoopbackServer.Step], word: String)
        async throws
    {
        let server = try LoopbackServer(script: script)
        let observations = try await ScanBench(timeoutMilliseconds: 700).observe(port: server.port, startTLS: .smtp)
        #expect(observations.first?.outcome.word == word, "\(observations)")
    }
}
