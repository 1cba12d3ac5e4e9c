import PinwatchCore
import Testing

private let address = IPAddress("127.0.0.1")

@Suite struct ReloadTests {
    private func configuration() throws -> Configuration {
        var configuration = Configuration(
            listen: ListenAddress(address: try #require(address), port: 8080), database: "/var/lib/pinwatch/p.db")
        configuration.targets = [target("a.example"), target("b.example")]
        configuration.channels = [channel("ops"), channel("chat")]
        configuration.routes = [Route(severities: [.critical], channels: ["ops"])]
        configuration.pinSets = [pinSet("1.0", pins: ["AAAA"])]
        configuration.silences = [silence(from: 60)]
        return configuration
    }

    private func target(_ host: String, period: Int64? = nil, labels: [String: String] = [:]) -> TargetSettings {
        let name = HostName(checked: host)
        return TargetSettings(
            identity: TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil), labels: labels,
            periodSeconds: period)
    }

    private func channel(_ name: String, url: String = "https://hush.example/1", secret: String = "whsec_hush")
        -> Channel
    {
        Channel(name: name, kind: .webhook, url: Secret(url), secrets: [Secret(secret)], allowPrivate: false)
    }

    private func silence(from minute: Int) -> Silence {
        Silence(
            matchers: Silence.Matchers(host: "*.example"), startsAt: Instant(unixSeconds: 0), endsAt: nil,
            weekly: Silence.Weekly(weekdays: [.mon, .sun], fromMinute: minute, toMinute: 1_439, zone: "UTC"),
            comment: "")
    }

    private func pinSet(
        _ release: String, pins: [String], source: String = "x", read: String? = nil
    ) -> PinSetDefinition {
        var policy = StubPolicy(["a.example": pins.map { .spki(text: $0) }])
        policy.readTexts = read.map { [PolicyText(path: "nsc.xml", text: $0)] } ?? []
        let layer = PinLayer(client: .generic, clientVersion: nil, policy: policy)
        return PinSetDefinition(
            identity: PinSetIdentity(app: "shop", release: release, variant: .release, stack: "default"), share: nil,
            platform: nil, trustStore: nil, layers: [layer], source: source, origin: "/etc/pinwatch/pins/a.yaml",
            managedBy: .config)
    }

    private func lines(_ reload: ConfigurationReload) -> [String] {
        reload.changes.map {
            "\($0.section) \($0.name) \($0.what.rawValue)\($0.detail.isEmpty ? "" : ": " + $0.detail)"
        }
    }

    @Test func `A file that a policy was made from is a change of its pin set, by its text alone`() throws {
        var (old, same, new) = (try configuration(), try configuration(), try configuration())
        old.pinSets = [pinSet("1.0", pins: ["AAAA"], read: "<a/>")]
        same.pinSets = old.pinSets
        new.pinSets = [pinSet("1.0", pins: ["AAAA"], read: "<b/>")]
        #expect(lines(old.reloaded(as: same)) == [])
        #expect(lines(old.reloaded(as: new)) == ["pin_sets shop 1.0 changed: read_files differs"])
    }

    @Test func `The same again changes nothing, whatever the order of routes and silences`() throws {
        var old = try configuration()
        old.routes.append(Route(events: [.keyChanged], channels: ["chat"]))
        old.silences.append(silence(from: 90))
        var new = old
        new.routes.reverse()
        new.silences.reverse()
        let reload = old.reloaded(as: new)
        #expect(lines(reload) == [] && reload.restartNeeded == [])
    }

    @Test func `What differs is told section by section, without anything secret`() throws {
        let old = try configuration()
        var new = old
        new.secretKeys = [Secret("hush")]
        new.environments = ["production"]
        new.scan.periodSeconds = 60
        new.scan.denyAddresses.removeLast()
        new.trustStores["corp"] = .file("/etc/corp.pem")
        new.thresholds.failingAfter = 5
        new.retention.spansSeconds = 90 * 86_400
        new.targets = [target("a.example", period: 90, labels: ["app": "shop"]), target("c.example")]
        new.pinSets = [pinSet("1.0", pins: ["BBBB"], source: "y"), pinSet("2.0", pins: [])]
        new.channels = [channel("ops", url: "https://hush.example/2", secret: "whsec_hush2")]
        new.routes = [Route(kinds: [.scanFailing], labels: ["app": "shop"], channels: ["ops"])]
        new.silences = [silence(from: 5)]
        let reload = old.reloaded(as: new)
        #expect(
            lines(reload) == [
                "secret_key secret_key changed: none → <secret>", "environments environments changed: +production",
                "scan period changed: 5m → 1m", "scan deny_addresses changed: −168.63.129.16/32",
                "trust_stores corp added", "thresholds failing_after changed: 3 → 5",
                "retention spans changed: 730d → 90d",
                "targets a.example changed: labels +app=shop, period none → 90s", "targets c.example added",
                "targets b.example removed",
                "pin_sets shop 1.0 changed: pins +sha256/BBBB −sha256/AAAA, text differs", "pin_sets shop 2.0 added",
                "channels ops changed: url <secret> → <secret>, secret <secret> → <secret>", "channels chat removed",
                "routes kind scan.failing, labels app=shop → ops added", "routes severity critical → ops removed",
                "silences host *.example, mon sun 00:05 to 23:59 UTC added",
                "silences host *.example, mon sun 01:00 to 23:59 UTC removed",
            ])
        #expect(!lines(reload).joined().contains("hush"))
        #expect(reload.restartNeeded.isEmpty)
        #expect(reload.inForce.targets == new.targets && reload.inForce.scan == new.scan)
    }

    @Test func `Keys that are read at a start stay as they were, and are told until they are the same again`() throws {
        let old = try configuration()
        var new = old
        new.listen = ListenAddress(address: try #require(address), port: 8081)
        new.tls = Configuration.TLSFiles(certificate: "/a", key: "/b")
        new.publicURL = "https://pins.example.com"
        new.trustedProxies = [try #require(IPNetwork("10.0.0.0/8"))]
        new.database = "/tmp/p.db"
        new.scan.inFlight = 1
        new.scan.timeoutSeconds = 5
        let reload = old.reloaded(as: new)
        #expect(
            reload.restartNeeded == ["listen", "tls", "public_url", "trusted_proxies", "database", "scan.in_flight"])
        #expect(lines(reload) == ["scan timeout changed: 10s → 5s"])
        #expect(reload.inForce.listen == old.listen && reload.inForce.database == old.database)
        #expect(reload.inForce.tls == nil && reload.inForce.publicURL == nil && reload.inForce.trustedProxies.isEmpty)
        #expect(reload.inForce.scan.inFlight == 512 && reload.inForce.scan.timeoutSeconds == 5)
        #expect(reload.inForce.reloaded(as: new).restartNeeded == reload.restartNeeded)
        #expect(reload.inForce.reloaded(as: new).changes.isEmpty)
    }

    @Test func `Of two things that are the same one is told`() throws {
        let old = try configuration()
        var new = old
        new.routes = old.routes + old.routes
        #expect(lines(old.reloaded(as: new)) == ["routes severity critical → ops added"])
        #expect(lines(new.reloaded(as: old)) == ["routes severity critical → ops removed"])
    }
}
