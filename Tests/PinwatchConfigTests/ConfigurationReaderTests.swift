import PinwatchConfig
import PinwatchCore
import PinwatchNames
import Testing

private func pinFile(app: String) -> String {
    "{pinwatch: 1, app: \(app), release: '1', client: generic, policy: {hosts: []}}"
}

@Suite struct ConfigurationReaderTests {
    @Test func `everything that may be said is read`() throws {
        var room = Room()
        room.files["/etc/pinwatch/pins/a.yaml"] = pinFile(app: "a")
        let configuration = try room.read(
            """
            listen: "[::1]:0"
            public_url: https://pins.example.com/
            tls: {certificate: tls.pem, key: a.key}
            trusted_proxies: [127.0.0.1/32, "::1"]
            database: data/p.db
            secret_key: [{file: seal.key}, {env: OLD_KEY}]
            environments: [production, staging]
            scan:
              {period: 2s, timeout: 1s, addresses: first, max_addresses: 2, in_flight: 3, deny_addresses: [10.0.0.0/8],
               allow_ports: [443, 65535]}
            trust_stores: {system: system, corp: {file: ca.pem}}
            thresholds: {near: 2d, soon: 1d, imminent: 1h, lead_time: 60d, failing_after: 1, flap_window: 0s}
            retention: {spans: 1d}
            targets:
              - {host: "bücher.test:8443", owner: third_party, labels: {app: shop}, period: 1m, trust_store: corp, paused: true}
              - {host: 192.0.2.1, sni: api.example.com}
            pin_sets: [pins/*.yaml, pins/a*]
            channels:
              - {name: ops, type: webhook, url: {env: URL}, secret: [{file: ops.secret}, {env: SECRET}], allow_private: true}
            routes:
              - {severity: [critical], kind: [pin.rejected], labels: {app: shop}, channels: [ops]}
              - {events: [key.changed], channels: [ops]}
            silences:
              - matchers: {host: "*.bücher.test", labels: {app: shop}, kind: [scan.failing], severity: [warning]}
                weekdays: [sun, mon]
                from: 22:00
                to: "06:05"
                zone: Europe/Berlin
                comment: patch night
              - {matchers: {host: "192.0.2.1"}, weekdays: [tue], from: "00:00", to: "00:00", zone: UTC}
            """)
        #expect(configuration.listen.description == "[::1]:0")
        #expect(configuration.publicURL == "https://pins.example.com")
        #expect(
            configuration.tls
                == Configuration.TLSFiles(certificate: "/etc/pinwatch/tls.pem", key: "/etc/pinwatch/a.key"))
        #expect(configuration.trustedProxies.map(\.description) == ["127.0.0.1/32", "::1/128"])
        #expect(configuration.database == "/etc/pinwatch/data/p.db")
        #expect(configuration.secretKeys.map(\.revealed) == [Room.sealingKey, Room.oldSealingKey])
        #expect(configuration.environments == ["production", "staging"])
        #expect(configuration.scan.allowPorts == [443, 65_535])
        #expect(configuration.scan.periodSeconds == 2 && configuration.scan.addresses == .first)
        #expect(configuration.scan.denyAddresses.map(\.description) == ["10.0.0.0/8"])
        #expect(configuration.trustStores["corp"] == .file("/etc/pinwatch/ca.pem"))
        #expect(configuration.thresholds.leadTimeSeconds == 60 * 86_400)
        #expect(configuration.thresholds.imminentSeconds == 3_600 && configuration.thresholds.flapWindowSeconds == 0)
        #expect(configuration.retention.spansSeconds == 86_400)
        let target = try #require(configuration.targets.first)
        #expect(target.identity.label == "xn--bcher-kva.test:8443" && target.owner == .thirdParty && target.paused)
        #expect(target.labels == ["app": "shop"] && target.periodSeconds == 60 && target.trustStore == "corp")
        #expect(configuration.targets.last?.identity.sni?.ascii == "api.example.com")
        #expect(configuration.pinSets.map(\.identity.app) == ["a"])
        let channel = try #require(configuration.channels.first)
        #expect(channel.url.revealed == "https://hooks.example.com/x" && channel.allowPrivate)
        #expect(channel.secrets.map(\.revealed) == [Room.secret, Room.secret])
        #expect(configuration.routes.map(\.events) == [[], [.keyChanged]])
        let night = Silence.Weekly(
            weekdays: [.sun, .mon], fromMinute: 22 * 60, toMinute: 6 * 60 + 5, zone: "Europe/Berlin")
        let all = Silence.Weekly(weekdays: [.tue], fromMinute: 0, toMinute: 0, zone: "UTC")
        let begin = Instant(unixSeconds: 0)
        #expect(
            configuration.silences == [
                Silence(
                    matchers: Silence.Matchers(
                        host: "*.xn--bcher-kva.test", labels: ["app": "shop"], kinds: [.scanFailing],
                        severities: [.warning]),
                    startsAt: begin, endsAt: nil, weekly: night, comment: "patch night"),
                Silence(
                    matchers: Silence.Matchers(host: "192.0.2.1"), startsAt: begin, endsAt: nil, weekly: all,
                    comment: ""),
            ])
    }

    @Test func `two files of one pin set are a problem that names the other`() throws {
        var room = Room()
        room.files["/etc/pinwatch/pins/a.yaml"] = pinFile(app: "a")
        room.files["/etc/pinwatch/pins/b.yaml"] = pinFile(app: "a")
        #expect(
            try Room.problems { _ = try room.read("pin_sets: [pins/*.yaml]") } == [
                "/etc/pinwatch/pins/b.yaml: a 1 is defined by /etc/pinwatch/pins/a.yaml already; keep one of the files, "
                    + "or give each an app of its own: `pinwatch import FILE --app A --release R` writes one that says it"
            ])
    }

    @Test("no message shows a secret", arguments: ["url: hush", "url: {env: BARE}", "url: [hush]"])
    func secrecy(_ url: String) throws {
        let lines = try Room.problems { _ = try Room().read("channels: [{name: a, type: slack, \(url)}]") }
        #expect(!lines.isEmpty)
        #expect(!lines.joined().contains("no-url") && !lines.joined().contains("hush"))
    }

    @Test func `files that are none are refused with the system's reason`() throws {
        let sources = InputSources.fileSystem(environment: { _ in nil })
        let reader = ConfigurationReader(
            sources: sources, idna: LibIDN2(), resources: Room.resources, checks: Room.checks)
        let missing = try Room.problems { _ = try reader.configuration(at: "/nonexistent/p.yaml") }
        #expect(missing == ["/nonexistent/p.yaml: it cannot be read: no such file or directory"])
        let folder = try Room.problems { _ = try reader.configuration(at: "/etc") }
        #expect(folder == ["/etc: it is not a regular file"])
        #expect(throws: HostProblem.self) { try sources.readFile("/etc/passwd", 10) }
    }
}
