import PinwatchCore
import PinwatchNames
import Testing

@Suite struct HostInputTests {
    @Test(
        "hosts are normalised",
        arguments: [
            ("api.example.com", "api.example.com", nil), ("API.Example.COM", "api.example.com", nil),
            ("api.example.com.", "api.example.com", nil), ("api.example.com:8443", "api.example.com", 8443),
            ("api.example.com.:8443", "api.example.com", 8443), ("localhost", "localhost", nil),
            ("_sip.example.com", "_sip.example.com", nil), ("192.0.2.1", "192.0.2.1", nil),
            ("192.0.2.1:444", "192.0.2.1", 444), ("::1", "::1", nil), ("2001:DB8:0::1", "2001:db8::1", nil),
            ("[::1]", "::1", nil), ("[::1]:8443", "::1", 8443), ("::ffff:192.0.2.1", "192.0.2.1", nil),
            ("bücher.test", "xn--bcher-kva.test", nil), ("BÜCHER.test.:1", "xn--bcher-kva.test", 1),
            ("xn--bcher-kva.test", "xn--bcher-kva.test", nil), ("https://api.example.com", "api.example.com", nil),
            ("HTTPS://Api.Example.com:8443/", "api.example.com", 8443), ("https://[::1]:8443", "::1", 8443),
            ("1.2.3.4.example", "1.2.3.4.example", nil), ("a.b-c.d_e", "a.b-c.d_e", nil),
        ] as [(String, String, UInt16?)])
    func good(_ text: String, _ host: String, _ port: UInt16?) throws {
        let input = try HostInput.parse(text, idna: LibIDN2())
        #expect(input.host.text == host)
        #expect(input.port == port)
    }

    @Test(
        "where a target is meant, a scheme says what is spoken before TLS, and its usual port",
        arguments: [
            ("smtp://mail.example.com", StartTLS.smtp, 25), ("SMTP://mail.example.com:587/", .smtp, 587),
            ("imap://m.test", .imap, 143), ("pop://m.test", .pop3, 110), ("pop3://m.test", .pop3, 110),
            ("ftp://m.test", .ftp, 21), ("ldap://[::1]", .ldap, 389), ("xmpp://m.test", .xmppClient, 5_222),
            ("postgresql://db.test", .postgres, 5_432), ("mysql://db.test:3307", .mysql, 3_307),
            ("https://m.test", nil, 443),
            ("m.test", nil, 443),
        ] as [(String, StartTLS?, UInt16)])
    func protocols(_ text: String, _ startTLS: StartTLS?, _ port: UInt16) throws {
        let input = try HostInput.parse(text, takesProtocols: true, idna: LibIDN2())
        let identity = TargetIdentity(input)
        #expect(identity.startTLS == startTLS)
        #expect(identity.port == port)
        if startTLS != nil {
            #expect(throws: HostProblem.self) { try HostInput.parse(text, idna: LibIDN2()) }
        }
    }

    @Test(arguments: ["smtps://m.test", "gopher://m.test", "postgres://db.test/name", "mysql://u@db.test", "smtp://"])
    func `other schemes, and URLs that say more, are refused for targets too`(_ text: String) {
        #expect(throws: HostProblem.self) { try HostInput.parse(text, takesProtocols: true, idna: LibIDN2()) }
    }

    @Test(
        "everything else is refused with a reason that names what is wrong",
        arguments: [
            ("", "empty"), (" api.example.com", "blank"), ("api example.com", "blank"), ("a\u{7}b.example", "control"),
            ("exam\u{202E}ple.com", "invisible"), ("exam\u{AD}ple.com", "invisible"), ("a\u{200B}b.test", "invisible"),
            ("https://api.example.com/path", "write api.example.com"),
            ("https://api.example.com:8443/?q", "write api.example.com:8443"),
            ("http://api.example.com", "api.example.com:443"), ("ftp://x.test", "scheme"),
            ("https://", "without a host"),
            ("api.example.com/path", "write api.example.com"), ("api.example.com/", "path"),
            ("user@example.com", "user name"), ("https://u:p@example.com", "user name"), ("fe80::1%eth0", "zone"),
            ("[fe80::1%25eth0]", "zone"), ("*.example.com", "wildcard"), ("a..b", "empty label"),
            (".example.com", "empty label"), (".", "no name"), ("a..", "empty label"), ("-a.example", "hyphen"),
            ("a-.example", "hyphen"), ("a,b.example", "letters, digits"), ("127.1", "IPv4"), ("0x7f.1", "IPv4"),
            ("0x7f000001", "IPv4"), ("2130706433", "IPv4"), ("1.2.3.256", "IPv4"), ("127.0.0.01", "IPv4"),
            ("１２７.０.０.１", "IPv4"), ("127.0.0.1.", "IPv4"), ("[::1", "bracket"), ("[::1]x", "bracket"),
            ("[127.0.0.1]", "IPv6"), ("1:2:3", "IPv6"), (":::", "IPv6"), ("a.example:", "port"),
            ("a.example:0", "port"),
            ("a.example:65536", "port"), ("a.example:+1", "port"), ("a.example:44x", "port"), ("[::1]:", "port"),
            (String(repeating: "a", count: 64) + ".example", "63"),
            (Array(repeating: "abcdefgh", count: 29).joined(separator: "."), "253"),
            (String(repeating: "a", count: 3_000), "253"),
        ])
    func bad(_ text: String, _ word: String) {
        let problem = #expect(throws: HostProblem.self) { try HostInput.parse(text, idna: LibIDN2()) }
        #expect(problem?.description.contains(word) == true, "\(problem?.description ?? "accepted")")
        #expect(problem?.description.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{7}" } == false)
    }

    @Test func `a name of 253 characters is let through, one more is not`() throws {
        let name = Array(repeating: "abcdefg", count: 31).joined(separator: ".") + ".abcde"
        #expect(name.count == 253)
        #expect(try HostInput.parse(name, idna: LibIDN2()).host.text == name)
        #expect(throws: HostProblem.self) { try HostInput.parse(name + "f", idna: LibIDN2()) }
    }

    @Test func `a target's server name is its host's name, and an address has none`() throws {
        let named = TargetIdentity(try HostInput.parse("api.example.com:8443", idna: LibIDN2()))
        #expect(named.sni?.ascii == "api.example.com" && named.port == 8443)
        let address = TargetIdentity(try HostInput.parse("[::1]", idna: LibIDN2()))
        #expect(address.sni == nil && address.port == 443)
        let other = TargetIdentity(
            try HostInput.parse("::1", idna: LibIDN2()), port: 8443, sni: try HostInput.name("a.test", idna: LibIDN2()))
        #expect(other.sni?.ascii == "a.test" && other.port == 8443)
        #expect(throws: HostProblem.self) { try HostInput.name("127.0.0.1", idna: LibIDN2()) }
        #expect(throws: HostProblem.self) { try HostInput.name("a.test:443", idna: LibIDN2()) }
    }
}
