import PinwatchConfig
import PinwatchCore
import Testing

private let head = "pinwatch: 1\napp: shop\nrelease: 5.2\n"

@Suite struct PinFileDecoderTests {
    @Test func `a file with every key is read, from JSON as from YAML`() throws {
        let definition = try Room().pins(
            """
            {"pinwatch": 1, "app": "shop", "release": "5.2.0", "variant": "debug", "stack": "sdk", "share": 0.31,
             "client": "urlsession", "client_version": "5.12.0", "platform": {"os": "ios", "version": "17.0"},
             "trust_store": "corp", "policy": {"hosts": {"a.example": {"compare": "spki", "pins": ["file:ca.pem"]}}}}
            """)
        #expect(definition.identity == PinSetIdentity(app: "shop", release: "5.2.0", variant: .debug, stack: "sdk"))
        #expect(definition.share == 0.31 && definition.trustStore == "corp")
        #expect(
            definition.layers.map(\.client) == [.urlSession] && definition.layers[0].clientVersion?.text == "5.12.0")
        let now = Instant(unixSeconds: 0)
        #expect(definition.layers[0].policy.pins(for: "a.example", now: now).map(\.text) == ["file:ca.pem"])
    }

    @Test func `layers are read in file order`() throws {
        let definition = try Room().pins(
            head + "layers:\n- {client: generic, policy: {hosts: []}}\n- {client: urlsession, policy: {hosts: {}}}")
        #expect(definition.layers.map(\.client) == [.generic, .urlSession])
    }

    static let bad: [(String, [String])] = [
        (
            "app: x",
            [
                "1:1: this is no pin file: it must begin with \"pinwatch: 1\"; `pinwatch import` makes one of other formats"
            ]
        ),
        (
            "pinwatch: 1\napp: null\nrelease: ~\nclient: generic\npolicy: {hosts: []}",
            [
                "2:6: app must be a text, not null; write it in quotes if that is the text",
                "3:10: release must be a text, not null; write it in quotes if that is the text",
            ]
        ),
        (
            "pinwatch: 2\napp: a\nrelease: b\nclient: generic\npolicy: {hosts: []}",
            ["1:11: pinwatch must be 1, the format that this version reads, not \"2\""]
        ),
        (
            "pinwatch: 1\nshare: 2",
            [
                "1:1: the pin file needs the key \"app\"", "1:1: the pin file needs the key \"release\"",
                "1:1: the pin file needs the key \"client\"", "1:1: the pin file needs the key \"policy\"",
                "2:8: share must be a number from 0 to 1, not \"2\"",
            ]
        ),
        (
            head + "client: cronet\npolicy: {}",
            [
                "4:9: client cronet is known but its rules are not built in yet; this version judges "
                    + Client.allCases.filter { $0.policyType != nil }.map(\.rawValue).joined(separator: ", ")
            ]
        ),
        (
            head + "client: generic\nlayers: []\npolicy: {}",
            [
                "4:9: client and layers exclude each other; put it into a layer",
                "5:9: layers must hold at least one layer",
                "6:9: policy and layers exclude each other; put it into a layer",
            ]
        ),
        (
            head
                + "client: generic\npolicy: {hosts: [{host: https://a, pins: x}, {host: b.c, pins: [], expires: 2030-02-30}]}",
            [
                "5:25: host must be a name such as api.example.com (A-labels for international ones), *.example.com or "
                    + "an address, without scheme, port or path, not \"https://a\"",
                "5:42: pins must be a list, not a single value",
                "5:77: expires must be a date as yyyy-MM-dd, not \"2030-02-30\"",
            ]
        ),
        (
            head + "client: generic\npolicy: {hosts: [{host: b.example, pins: []}, {host: B.example., pins: []}]}",
            ["5:47: host b.example is listed already in line 5; put its pins together"]
        ),
        (
            head + "client: urlsession\n"
                + "policy: {hosts: {a.b: {compare: hash, match: all, pins: [cert-sha256:00]}}, unlisted: deny}",
            [
                "5:33: compare must be one of der, spki, raw_key, not \"hash\"",
                "5:46: match must be one of leaf, any, not \"all\"",
                "5:58: cert-sha256: takes 64 hexadecimal digits, colons allowed, not \"cert-sha256:00\"",
                "5:87: unlisted must be one of default, reject, not \"deny\"",
            ]
        ),
        (
            head + "client_version: five\nplatform: {os: windows}\nclient: generic\npolicy: {hosts: []}",
            [
                "4:17: client_version must be a version such as 5.12.0, not \"five\"",
                "5:16: os must be one of ios, macos, android, jvm, linux, not \"windows\"",
            ]
        ),
    ]

    @Test("what is wrong is told with its place", arguments: bad)
    func problems(_ text: String, _ expected: [String]) throws {
        #expect(try Room.problems { _ = try Room().pins(text) } == expected.map { "pins.yaml:" + $0 })
    }

    @Test func `an unknown client is answered with those that there are`() throws {
        let lines = try Room.problems { _ = try Room().pins(head + "client: foo\npolicy: {}") }
        #expect(lines.count == 1 && lines[0].hasPrefix("pins.yaml:4:9: client must be one of generic, alamofire, "))
    }

    @Test func `what comes by the API is read like a file, but names none`() throws {
        let text = head + "trust_store: corp\nclient: generic\npolicy: {hosts: [{host: a.b, pins: [%]}]}"
        let definition = try PinFileDecoder.definition(
            fromAPI: text.replacing("%", with: "sha256/AAAA"), trustStores: ["system", "corp"],
            resources: Room.resources)
        #expect(definition.managedBy == .api && definition.origin == "API" && definition.trustStore == "corp")
        #expect(definition.source.contains("sha256/AAAA"))
        let lines = try Room.problems {
            _ = try PinFileDecoder.definition(
                fromAPI: text.replacing("%", with: "'file:ca.pem', sha256/AAAA, 'file:/etc/passwd'"),
                trustStores: ["system"], resources: Room.resources)
        }
        let why =
            "no file is read for what comes through the API; write the key's hash (sha256/…), which "
            + "`pinwatch pins --chain FILE` prints"
        #expect(
            lines == [
                "API:4:14: trust_store names \"corp\", which trust_stores does not have; it has system",
                "API:6:37: pin file ca.pem: \(why)", "API:6:65: pin file /etc/passwd: \(why)",
            ])
    }

    @Test func `what comes by the API is bounded`() throws {
        let lines = try Room.problems {
            _ = try PinFileDecoder.definition(
                fromAPI: String(repeating: "#", count: 8 << 20 + 1), trustStores: [], resources: Room.resources)
        }
        #expect(lines == ["API: it is larger than 8 MiB, the most that is read"])
    }

    @Test(
        "a file pin stays inside its file's folder",
        arguments: ["../ca.pem", "/etc/passwd.pem", "a/../../x.pem", "link.pem", "/etc/pinwatch2/x.pem"])
    func bounds(_ path: String) throws {
        let lines = try Room.problems {
            _ = try Room().pins(head + "client: generic\npolicy: {hosts: [{host: a.b, pins: ['file:\(path)']}]}")
        }
        let why = "it lies outside the folder of this file, /etc/pinwatch; copy it there"
        #expect(lines == ["pins.yaml:5:37: pin file \(path): \(why)"])
    }
}
