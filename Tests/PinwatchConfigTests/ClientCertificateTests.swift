import PinwatchCore
import Testing

@testable import PinwatchConfig

@Suite("A target's client certificate") struct ClientCertificateTests {
    private func read(_ value: String) throws -> Configuration {
        var room = Room()
        room.variables["KEY"] = "key of a"
        room.variables["EMPTY"] = ""
        return try room.read("targets:\n  - host: a.example\n    client_certificate: \(value)\n  - host: b.example")
    }

    @Test("is read by path and reference, and stands beside the targets", arguments: ["{env: KEY}", "{file: a.key}"])
    func taken(key: String) throws {
        let configuration = try read("{certificate: tls.pem, key: \(key)}")
        #expect(configuration.targets.count == 2 && configuration.clientCertificates.count == 1)
        let shown = try #require(configuration.clientCertificates[configuration.targets[0].identity])
        #expect(shown.subject == "certificate of a" && shown.key.revealed == "key of a")
        #expect(!"\(configuration)".contains("key of a"))
    }

    static let bad: [(String, String)] = [
        ("x", "3:25: client_certificate must be a mapping of keys to values, not a single value"),
        ("{key: {env: KEY}}", "3:25: client_certificate needs the key \"certificate\""),
        ("{certificate: tls.pem}", "3:25: client_certificate needs the key \"key\""),
        (
            "{certificate: tls.pem, key: a.key}",
            "3:53: client_certificate.key is a secret, so it must not stand here: write {file: PATH} or {env: NAME}"
        ),
        (
            "{certificate: gone.pem, key: {env: KEY}}",
            "3:39: client_certificate.certificate: /etc/pinwatch/gone.pem cannot be read: no such file"
        ),
        (
            "{certificate: tls.pem, key: {file: gone.key}}",
            "3:60: client_certificate.key: /etc/pinwatch/gone.key cannot be read: no such file"
        ),
        (
            "{certificate: tls.pem, key: {env: EMPTY}}",
            "3:59: client_certificate.key: the environment variable EMPTY is empty"
        ),
        (
            "{certificate: tls.pem, key: {file: b.key}}",
            "3:25: client_certificate: the key does not belong to the certificate"
        ),
        (
            "{certificate: tls.pem, key: {env: KEY}, chain: tls.pem}",
            "3:65: unknown key \"chain\" in client_certificate; allowed: certificate, key"
        ),
    ]

    @Test("that cannot be used is told at its place", arguments: bad)
    func refused(value: String, line: String) throws {
        #expect(try Room.problems { _ = try read(value) } == ["p.yaml:" + line])
    }
}
