import PinwatchConfig
import Testing

@Suite struct BadServiceSettingsTests {
    static let service: [(String, [String])] = [
        (
            "tls: {certificate: none.pem, ca: x}",
            [
                "1:6: tls needs the key \"key\"",
                "1:20: tls.certificate: /etc/pinwatch/none.pem cannot be read: no such file",
                "1:30: unknown key \"ca\" in tls; allowed: certificate, key",
            ]
        ),
        (
            "tls: {certificate: tls.pem, key: b.key}", ["1:6: tls: the key does not belong to the certificate"]
        ),
        ("tls: tls.pem", ["1:6: tls must be a mapping of keys to values, not a single value"]),
        (
            "trusted_proxies: [10.0.0.0/8, proxy, 0.0.0.0/0, \"::/0\"]",
            [
                "1:31: trusted_proxies takes addresses and ranges such as 10.0.0.0/8 or fe80::/10, not \"proxy\"",
                "1:38: trusted_proxies: 0.0.0.0/0 would believe everybody; name the proxies alone",
                "1:49: trusted_proxies: ::/0 would believe everybody; name the proxies alone",
            ]
        ),
        (
            "environments: [production, '', production, {}]",
            [
                "1:28: an environment must be a text of 1 to 200 characters on one line, not nothing",
                "1:32: environment \"production\" stands already in line 1; keep one of them",
                "1:44: an environment must be text, not a mapping",
            ]
        ),
        (
            "secret_key: \(Room.sealingKey)",
            ["1:13: secret_key is a secret, so it must not stand here: write {file: PATH} or {env: NAME}"]
        ),
        (
            "secret_key: [{env: BARE}, {file: ops.secret}]",
            [
                "1:14: secret_key must be base64 of exactly 32 bytes, as `openssl rand -base64 32` makes it; "
                    + "its value is not shown",
                "1:27: secret_key must be base64 of exactly 32 bytes, as `openssl rand -base64 32` makes it; "
                    + "its value is not shown",
            ]
        ),
        (
            "secret_key: [{env: OLD_KEY}, {env: OLD_KEY}]",
            ["1:30: secret_key names the same key twice; keep one of them"]
        ),
        (
            "secret_key: [{env: OLD_KEY}, {file: seal.key}, {file: none}]",
            ["1:13: secret_key takes one reference, or a list of two with the newest first"]
        ),
        ("secret_key: {env: NONE}", ["1:19: secret_key: the environment variable NONE is not set"]),
    ]

    static let silences: [(String, [String])] = [
        (
            "silences: [{}]",
            ["matchers", "weekdays", "from", "to", "zone"].map { "1:12: silence needs the key \"\($0)\"" }
        ),
        (
            "silences:\n- {matchers: {}, weekdays: [], from: \"24:00\", to: 6, zone: ../../etc/passwd}",
            [
                "2:14: matchers must say something of host, labels, kind, severity",
                "2:28: weekdays must name at least one; write all seven for every day",
                "2:38: from must be a time of day from 00:00 to 23:59, not \"24:00\"",
                "2:51: to must be a time of day from 00:00 to 23:59, not \"6\"",
                "2:60: zone must be a name of the tz database such as Europe/Berlin or UTC, not \"../../etc/passwd\"; "
                    + "if it is one, install the package tzdata",
            ]
        ),
        (
            "silences:\n- {matchers: {targets: [a], host: a.example:8443, labels: {}, kind: [fire], severity: []}, "
                + "weekdays: [monday], from: 1:00, to: \"12:60\", zone: UTC, until: never}",
            [
                "2:15: matchers name targets by host here; their ids are known to the database alone",
                "2:35: host: \"a.example:8443\" holds a port; a silence covers a host with all its ports",
                "2:59: labels must name at least one; leave it out to ask for all",
                "2:70: kind must be one of pin.rejected, pin.config_error, pin.at_risk, pin.no_backup, pinset.expiry, "
                    + "pinset.lint, certificate.expiry, chain.expiry, certificate.not_yet_valid, chain.invalid, chain.incomplete, "
                    + "hostname.mismatch, certificate.revoked, crypto.weak, interception.suspected, vantage.suspect, scan.failing, "
                    + "scan.stale, host.unpinned, channel.failing, not \"fire\"",
                "2:87: severity must name at least one; leave it out to ask for all",
                "2:103: weekdays must be one of mon, tue, wed, thu, fri, sat, sun, not \"monday\"",
                "2:118: from must be a time of day from 00:00 to 23:59, not \"1:00\"",
                "2:128: to must be a time of day from 00:00 to 23:59, not \"12:60\"",
                "2:148: unknown key \"until\" in silence; allowed: matchers, weekdays, from, to, zone, comment",
            ]
        ),
        (
            "silences:\n"
                + String(
                    repeating: "- {matchers: {host: a.b}, weekdays: [mon], from: 01:00, to: 02:00, zone: UTC}\n",
                    count: 2),
            ["3:3: the same silence stands already in line 2; keep one of them"]
        ),
    ]

    @Test("every problem is told at once, with its place", arguments: service + silences)
    func problems(_ text: String, _ expected: [String]) throws {
        let lines = try Room.problems { _ = try Room().read(text) }
        #expect(lines == expected.map { "p.yaml:" + $0 })
        for secret in [Room.sealingKey, Room.oldSealingKey, Room.secret] { #expect(!lines.joined().contains(secret)) }
    }
}
