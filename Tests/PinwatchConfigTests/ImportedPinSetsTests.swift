import PinwatchConfig
import PinwatchCore
import PinwatchNames
import Testing

/// Pin files that another room reads, here by their first word.
@Suite struct ImportedPinSetsTests {
    private static let native =
        "pinwatch: 1\napp: own\nrelease: \"1\"\nclient: generic\npolicy: {hosts: [{host: a.test, pins: [\"sha256/AAAA\"]}]}\n"

    private static let imports = PinFileImports(
        isNative: { String(decoding: $0.bytes, as: UTF8.self).hasPrefix("pinwatch") },
        read: { files, trustStores in
            var reading = PinFileImports.Reading(pinSets: [], problems: [], remarks: [])
            for file in files {
                let word = String(decoding: file.bytes, as: UTF8.self)
                if word == "bad" {
                    reading.problems.append(
                        Problem(file: file.name, mark: Mark(line: 1, column: 1), message: "is bad"))
                    continue
                }
                let identity = PinSetIdentity(app: word, release: "1", variant: .release, stack: "default")
                reading.pinSets.append(
                    PinSetDefinition(
                        identity: identity, share: nil, platform: nil, trustStore: nil, layers: [], source: word,
                        origin: file.name, managedBy: .config))
                reading.remarks.append(Remark(file: file.name, mark: nil, message: "with \(files.count)"))
            }
            return reading
        })

    private func read(_ files: [String: String], _ patterns: String) throws -> Configuration {
        var room = Room()
        room.files.merge(files) { $1 }
        let checks = InputChecks(
            trustStore: Room.checks.trustStore, keyPair: Room.checks.keyPair,
            clientCertificate: Room.checks.clientCertificate, zones: Room.checks.zones, imports: Self.imports)
        let reader = ConfigurationReader(
            sources: room.sources, idna: LibIDN2(), resources: Room.resources, checks: checks)
        return try reader.configuration(
            from: Array("pin_sets: [\(patterns)]\n".utf8), file: "p.yaml", folder: Room.folder)
    }

    @Test func `stand beside native ones, read folder by folder`() throws {
        let files = [
            "/etc/pinwatch/a/one": "one", "/etc/pinwatch/a/own.yaml": Self.native, "/etc/pinwatch/a/two": "two",
            "/etc/pinwatch/b/three": "three",
        ]
        let configuration = try read(files, "a/*, b/*")
        #expect(configuration.pinSets.map(\.identity.app) == ["own", "one", "two", "three"])
        #expect(configuration.remarks.map(\.message) == ["with 2", "with 2", "with 1"])
    }

    @Test func `are refused at their places, and where two are the same`() throws {
        let problems = try Room.problems {
            _ = try read(
                ["/etc/pinwatch/a/x": "bad", "/etc/pinwatch/a/y": "own", "/etc/pinwatch/a/z": Self.native], "a/*")
        }
        #expect(
            problems == [
                "/etc/pinwatch/a/x:1:1: is bad",
                "/etc/pinwatch/a/y: own 1 is defined by /etc/pinwatch/a/z already; keep one of the files, "
                    + "or give each an app of its own: `pinwatch import FILE --app A --release R` writes one that says it",
            ])
    }
}
