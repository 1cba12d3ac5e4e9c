import PinwatchConfig
import Testing

private let unsupported = "is not supported by this version yet; remove it"

@Suite struct BadConfigurationTests {
    static let structure: [(String, [String])] = [
        ("", ["1:1: the file holds nothing but blanks and comments"]),
        ("- a", ["1:1: the configuration must be a mapping of keys to values, not a list"]),
        ("a: [", ["2:1: not valid YAML: did not find expected node content (while parsing a flow node)"]),
        (
            "listen: 1.2.3.4:1\nlisten: 1.2.3.4:2",
            ["2:1: the key \"listen\" stands here and in line 1, column 1; keep one"]
        ),
        (
            "targets: &a []\nroutes: *a",
            [
                "1:10: anchors (&name) are not allowed; write the value where it is meant",
                "2:9: aliases (*name) are not allowed; write the value where it is meant",
            ]
        ),
        (
            "foo: 1\nlisten: 1.2.3.4:1\nlisten: 1.2.3.4:2\nscan: &a {period: 5x}",
            [
                "1:1: unknown key \"foo\" in the configuration; allowed: listen, tls, public_url, "
                    + "trusted_proxies, database, secret_key, environments, heartbeat, scan, trust_stores, "
                    + "thresholds, retention, targets, pin_sets, channels, routes, silences",
                "3:1: the key \"listen\" stands here and in line 2, column 1; keep one",
                "4:7: anchors (&name) are not allowed; write the value where it is meant",
                "4:19: scan.period must be a duration such as 30s, 5m, 6h or 21d, not \"5x\"",
            ]
        ),
        ("database: !!str x", ["1:11: tags (!name) are not allowed; remove it"]),
        ("<<: {}", ["1:1: merge keys (<<) are not allowed; write the keys out"]),
        ("[a]: b", ["1:1: a key must be text, not a list"]),
        ("scan: {}\n---\nscan: {}", ["2:1: a second document begins here; one is allowed"]),
        (String(repeating: "[", count: 40), ["1:33: nested deeper than 32 levels"]),
        ("a: \u{1}", ["1:4: not valid YAML: control characters are not allowed"]),
        ("targets:", ["1:9: targets must be a list, not nothing"]),
    ]

    static let settings: [(String, [String])] = [
        (
            "scan:\n  revocation: {enabled: maybe, every: 0s, often: 1h}\n  proxy: {}",
            [
                "2:25: scan.revocation.enabled must be true or false, not \"maybe\"",
                "2:39: scan.revocation.every must be from 1s to 30d, not \"0s\"",
                "2:43: unknown key \"often\" in scan.revocation; allowed: enabled, every",
                "3:10: scan.proxy needs the key \"url\"",
            ]
        ),
        (
            "scan: {perod: 5m}",
            [
                "1:8: unknown key \"perod\" in scan; allowed: period, timeout, narrowed_every, revocation, addresses, max_addresses, in_flight, "
                    + "proxy, allow_ports, deny_addresses"
            ]
        ),
        (
            "scan: {period: 5, timeout: 1d}",
            [
                "1:16: scan.period must be a duration such as 30s, 5m, 6h or 21d, not \"5\"",
                "1:28: scan.timeout must be from 1s to 5m, not \"1d\"",
            ]
        ),
        (
            "scan: {in_flight: \"8\", addresses: some}",
            [
                "1:19: scan.in_flight must be a whole number from 1 to 16384, not \"8\"",
                "1:35: scan.addresses must be one of all, first, not \"some\"",
            ]
        ),
        (
            "scan: {deny_addresses: [10/8]}",
            ["1:25: scan.deny_addresses takes addresses and ranges such as 10.0.0.0/8 or fe80::/10, not \"10/8\""]
        ),
        (
            "scan: {allow_ports: [443, 0, 65536, https]}",
            [
                "1:27: scan.allow_ports must be a whole number from 1 to 65535, not \"0\"",
                "1:30: scan.allow_ports must be a whole number from 1 to 65535, not \"65536\"",
                "1:37: scan.allow_ports must be a whole number from 1 to 65535, not \"https\"",
            ]
        ),
        (
            "heartbeat: {url: https://beat.example/x, every: 1s}",
            [
                "1:18: heartbeat.url is a secret, so it must not stand here: write {file: PATH} or {env: NAME}",
                "1:49: heartbeat.every must be from 10s to 1d, not \"1s\"",
            ]
        ),
        (
            "thresholds: {near: 1d}",
            ["1:13: thresholds must come one after the other: imminent at most soon, soon at most near"]
        ),
        (
            "listen: localhost:8080",
            [
                "1:9: listen: \"localhost:8080\" is not an address with a port; write one such as 127.0.0.1:8080 or "
                    + "[::1]:8080"
            ]
        ),
        (
            "public_url: pins.example.com",
            ["1:13: public_url must be a URL that begins with https:// or http://, not \"pins.example.com\""]
        ),
        (
            "trust_stores:\n  system: {file: a.pem}\n  corp: {file: none.pem}\n  ops: {file: ops.secret}",
            [
                "2:11: the trust store \"system\" is the machine's own; give another store another name",
                "3:16: trust store corp: /etc/pinwatch/none.pem cannot be read: no such file",
                "4:15: trust store ops: the file holds no certificate",
            ]
        ),
        (
            "retention: {reports: 90d, spans: 5y}",
            [
                "1:13: retention.reports \(unsupported)",
                "1:34: retention.spans must be a duration such as 30s, 5m, 6h or 21d, not \"5y\"",
            ]
        ),
        ("pin_sets: [pins/*.yaml]", ["1:12: pin_sets: \"pins/*.yaml\" matches no file in /etc/pinwatch"]),
    ]

    static let targets: [(String, [String])] = [
        (
            "targets:\n  - host: a.example/x\n    client_certificate: c\n  - port: 1",
            [
                "2:11: host: \"a.example/x\" holds a path; write a.example",
                "3:25: client_certificate must be a mapping of keys to values, not a single value",
                "4:5: target needs the key \"host\"",
            ]
        ),
        (
            "targets:\n  - host: a.example\n  - host: A.EXAMPLE.:443",
            ["3:5: target a.example stands already in line 2; keep one of them"]
        ),
        (
            "targets:\n  - {host: a.example, port: 70000}\n  - {host: a.example, sni: \"*\"}\n  - host: a.example",
            [
                "2:29: port must be a whole number from 1 to 65535, not \"70000\"",
                "3:28: sni: \"*\" is a wildcard; name each host that is to be watched",
            ]
        ),
        (
            "targets: [{host: \"a.example:1\", port: 2, sni: \"::1\", trust_store: corp, period: 0s, paused: yes}]",
            [
                "1:39: port says 2 and host says 1; keep one of them",
                "1:47: sni: \"::1\" is not a host name alone; write one such as api.example.com",
                "1:67: trust_store names \"corp\", which trust_stores does not have; it has system",
                "1:81: period must be from 1s to 30d, not \"0s\"", "1:93: paused must be true or false, not \"yes\"",
            ]
        ),
        (
            "targets: [{host: 192.0.2.1, addresses: [192.0.2.2]}]",
            ["1:40: addresses stand in for a name's resolution, and 192.0.2.1 has none"]
        ),
    ]

    static let channels: [(String, [String])] = [
        (
            "channels:\n  - {name: a, type: webhook, url: {env: URL}}\n"
                + "  - {name: b, type: slack, url: {env: URL}, secret: {env: SECRET}}",
            [
                "2:5: channel a of type webhook needs a secret to sign with",
                "3:53: channel b of type slack is not signed; remove its secret",
            ]
        ),
        (
            "channels: [{name: a, type: webhook, url: https://hush.example, secret: {env: URL}}]",
            [
                "1:42: url of channel a is a secret, so it must not stand here: write {file: PATH} or {env: NAME}",
                "1:72: secret of channel a must be whsec_ and base64 of 24 to 64 bytes; its value is not shown",
            ]
        ),
        (
            "channels: [{name: a, type: slack, url: {env: NONE}}, {name: b, type: slack, url: {file: none}}]",
            [
                "1:46: url of channel a: the environment variable NONE is not set",
                "1:89: url of channel b: /etc/pinwatch/none cannot be read: no such file",
            ]
        ),
        (
            "channels: [{name: a, type: slack, url: {env: BARE}}, {name: a, type: mail, url: {}}]",
            [
                "1:40: url of channel a must be a URL that begins with https:// or http://; its value is not shown",
                "1:61: channel a stands already in line 1; give this one another name",
                "1:70: type must be one of webhook, slack, not \"mail\"",
                "1:81: url of channel a takes exactly one of {file: PATH} and {env: NAME}",
            ]
        ),
        (
            "routes: [{channels: [ops], severity: [fatal]}, {channels: []}, {}]",
            [
                "1:22: the route names channel \"ops\", which channels does not have; there are none",
                "1:39: severity must be one of info, warning, critical, not \"fatal\"",
                "1:59: channels of a route must name at least one", "1:64: route needs the key \"channels\"",
            ]
        ),
    ]

    @Test("every problem is told at once, with its place", arguments: structure + settings + targets + channels)
    func problems(_ text: String, _ expected: [String]) throws {
        let lines = try Room.problems { _ = try Room().read(text) }
        #expect(lines == expected.map { "p.yaml:" + $0 })
    }

    @Test func `bytes that are not UTF-8 are told with their place`() throws {
        let lines = try Room.problems {
            let bytes: [UInt8] = [0x61, 0x3A, 0x0A, 0xC3, 0xA4, 0xFF]
            _ = try Room().reader.configuration(from: bytes, file: "p.yaml", folder: "/")
        }
        #expect(lines == ["p.yaml:2:2: this is not UTF-8; save the file as UTF-8"])
    }

    @Test func `a file beyond the limit is not parsed`() throws {
        let lines = try Room.problems { _ = try Room().read(String(repeating: "#", count: 1 << 20 + 1)) }
        #expect(lines == ["p.yaml: it is larger than 1 MiB, the most that is read"])
    }
}
