import PinwatchConfig
import PinwatchCore
import Testing

@Suite struct ProxySettingsTests {
    private static let password = "hunter2"

    private func read(_ proxy: String, secret: String = "") throws -> Configuration {
        var room = Room()
        room.variables["PROXY"] = secret
        room.files["/etc/pinwatch/proxy.url"] = secret + "\n"
        return try room.read("scan: {proxy: \(proxy)}")
    }

    @Test func `a proxy is read with what is not to go through it`() throws {
        let proxy = try #require(
            try read(
                "{url: 'http://Proxy.Example.:3128/', no_proxy: [10.0.0.0/8, '::1', .Internal.example, bücher.test]}"
            ).scan.proxy)
        #expect(proxy.place == "proxy.example:3128" && proxy.credentials == nil)
        #expect(
            proxy.exceptions.map(\.description) == ["10.0.0.0/8", "::1/128", ".internal.example", "xn--bcher-kva.test"])
        #expect(try read("{url: 'http://[2001:db8::1]:1'}").scan.proxy?.place == "[2001:db8::1]:1")
        #expect(try read("{url: 'http://192.0.2.1:8080'}").scan.proxy?.exceptions.isEmpty == true)
    }

    @Test(
        "a user and password come by reference, percent-encoding undone",
        arguments: [
            ("http://ops:hunter2@proxy.example:3128", "ops:hunter2"), ("http://ops@p.example:1/", "ops:"),
            ("http://ops:@p.example:1/", "ops:"), ("http://o%40s:a%3A%c3%bc:b%25@p.example:1", "o@s:a:ü:b%"),
        ])
    func credentials(url: String, credentials: String) throws {
        for reference in ["{env: PROXY}", "{file: proxy.url}"] {
            let configuration = try read("{url: \(reference)}", secret: url)
            let proxy = try #require(configuration.scan.proxy)
            #expect(proxy.credentials?.revealed == credentials)
            let shown = configuration.scan.json.text + "\(configuration.scan)"
            #expect(!shown.contains(Self.password) && shown.contains("\"authenticated\":true"))
        }
    }

    static let bad: [(String, String)] = [
        ("{no_proxy: []}", "scan.proxy needs the key \"url\""),
        ("http://proxy.example:3128", "scan.proxy must be a mapping of keys to values, not a single value"),
        (
            "{url: 'https://p.example:1'}",
            "names a proxy that is itself spoken to over TLS, and those are not supported"
        ),
        ("{url: 'socks5h://p.example:1'}", "names a SOCKS proxy, and those are not supported; name an HTTP proxy"),
        ("{url: 'SOCKS://p.example:1'}", "names a SOCKS proxy"), ("{url: 'ftp://p.example:1'}", "begin with http://"),
        ("{url: 'p.example:3128'}", "must begin with http://, as in http://proxy.example:3128"),
        ("{url: 'http://p.example'}", "must name the proxy's port, as in"), ("{url: 'http://p.example:'}", "port"),
        ("{url: 'http://p.example:0'}", "port is a number"), ("{url: 'http://:1'}", "with a host after the scheme"),
        ("{url: 'http://p.example:1/x'}", "must end after the proxy's port"),
        ("{url: 'http://p.example:1?x'}", "must end after the proxy's port"),
        ("{url: 'http://*.example:1'}", "must name the proxy by a host or an address"),
        ("{url: 'http://1.2.3:1'}", "must name the proxy by a host or an address"),
        ("{url: 'http://ops:hunter2@p.example:1'}", "so it must not stand here: write {file: PATH} or {env: NAME}"),
        ("{url: 'http://ops@p.example:1'}", "so it must not stand here"),
        ("{url: 'http://ops:hun/ter2@p.example:1'}", "port is a number"), ("{url: {env: NONE}}", "NONE is not set"),
        ("{url: 'http://p.example:1', user: ops}", "unknown key \"user\" in scan.proxy; allowed: url, no_proxy"),
        ("{url: 'http://p.example:1', no_proxy: 10.0.0.0/8}", "scan.proxy.no_proxy must be a list"),
        (
            "{url: 'http://p.example:1', no_proxy: ['*.x.example']}",
            "and .internal.example for all names below one, not"
        ),
        ("{url: 'http://p.example:1', no_proxy: ['*', 10/8, '.', 'a:1']}", "scan.proxy.no_proxy takes ranges such as"),
    ]

    @Test("what cannot be meant is refused with what can, and no password shown", arguments: bad)
    func mistakes(proxy: String, words: String) throws {
        let lines = try Room.problems { _ = try read(proxy) }
        #expect(lines.contains { $0.contains(words) }, "\(lines)")
        #expect(!lines.joined().contains("hun"))
    }

    @Test(
        "a secret URL at fault is refused without being shown",
        arguments: [
            "https://ops:hunter2@p.example:1", "ops:hunter2@p.example:1", "http://ops:hunter2@p.example",
            "http://ops:hunter2@@p.example:1", "http://ops:hunter2%zz@p.example:1", "http://:hunter2@p.example:1",
            "http://o%3Aps:hunter2@p.example:1", "http://ops:hunter2%0d%0aX@p.example:1",
            "http://ops:hunter2%ff@p.example:1",
            "http://ops:hunter2%+1@p.example:1", "http://p.example:1/ops:hunter2@", "http://ops:hunter2@",
        ])
    func secretMistakes(url: String) throws {
        let lines = try Room.problems { _ = try read("{url: {env: PROXY}}", secret: url) }
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasSuffix("; its value is not shown") }, "\(lines)")
        #expect(!lines.joined().contains(Self.password))
    }

    @Test(
        "what is not to go through a proxy is told by name and by address",
        arguments: [
            ("host.example", "192.0.2.1", false), ("a.host.example", "192.0.2.1", true),
            ("a.internal.example", "192.0.2.1", false), ("internal.example", "192.0.2.1", true),
            ("xinternal.example", "192.0.2.1", true), ("other.example", "10.9.8.7", false),
            ("10.1.1.1", "10.1.1.1", false), ("192.0.2.1", "192.0.2.1", true), ("other.example", "::1", true),
        ])
    func exceptions(host: String, address: String, isThrough: Bool) throws {
        let proxy = try #require(
            try read("{url: 'http://p.example:1', no_proxy: [10.0.0.0/8, .internal.example, host.example]}").scan.proxy)
        let target = IPAddress(host).map { TargetHost.address($0) } ?? .name(HostName(checked: host))
        #expect(proxy.carries(target, at: try #require(IPAddress(address))) == isThrough)
    }

    @Test func `a reload tells that a proxy came, and nothing of its password`() throws {
        let plain = try Room().read("{}")
        let first = try read("{url: {env: PROXY}, no_proxy: [10.0.0.0/8]}", secret: "http://ops:hunter2@p.example:1")
        let second = try read("{url: {env: PROXY}}", secret: "http://ops:hunter3@p.example:1")
        func lines(_ old: Configuration, _ new: Configuration) -> [String] {
            old.reloaded(as: new).changes.map { "\($0.name) \($0.detail)" }
        }
        #expect(
            lines(plain, first) == [
                "proxy none → p.example:1", "proxy user none → <secret>", "no_proxy +10.0.0.0/8",
            ])
        #expect(lines(first, second) == ["proxy user <secret> → <secret>", "no_proxy −10.0.0.0/8"])
    }
}
