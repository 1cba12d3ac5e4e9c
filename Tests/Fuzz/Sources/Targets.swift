internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchNames
internal import PinwatchTLS

enum Imports {
    static func read(_ bytes: [UInt8]) {
        // The input itself decides what else is to be chosen, so that an input that was kept fails again.
        let sum = bytes.reduce(0) { $0 &+ Int($1) }
        let clients = [nil, Client.generic, .curl, .wultraAndroid]
        var context = ImportContext()
        (context.client, context.host) = (clients[sum % clients.count], "api.example.com")
        guard let imported = try? Importer.release([HandedFile(name: "file", bytes: bytes)], context: context) else {
            return
        }
        _ = ImportReport.text(imported)
        let formats = ExportFormat.allCases
        for root in imported.files { comeBack(root, by: formats[sum % formats.count]) }
    }

    /// What is written is read again, to the same verdicts; an export is some text that is imported without a fault.
    private static func comeBack(_ root: Node, by format: ExportFormat) {
        let text = NativePinFile.text(of: root)
        let direct = try? PinFileDecoder.definition(
            from: root, source: text, file: "file", managedBy: .api, trustStores: nil, resources: Surroundings.resources
        )
        let again = try? PinFileDecoder.definition(
            fromAPI: text, trustStores: nil, resources: Surroundings.resources)
        precondition((direct == nil) == (again == nil), "written and not read again:\n\(text)")
        precondition(
            direct.map(Surroundings.verdicts) == again.map(Surroundings.verdicts), "read again otherwise:\n\(text)")
        guard let written = try? Exporter.text(of: root, as: format, host: "api.example.com") else { return }
        _ = try? Importer.read([HandedFile(name: "again", bytes: Array(written.utf8))], context: ImportContext())
    }
}

enum PinFiles {
    static func read(_ bytes: [UInt8]) {
        let definition = try? PinFileDecoder.definition(
            fromAPI: String(decoding: bytes, as: UTF8.self), trustStores: nil, resources: Surroundings.resources)
        _ = definition.map(Surroundings.verdicts)
    }
}

enum Certificates {
    static func read(_ bytes: [UInt8]) {
        _ = try? PinFileReader.read(bytes)
        let found = (try? CertificateFile.read(bytes)) ?? [CertificateReader.certificate(der: bytes)]
        let chain = Chain(id: Digests.chainID(found), certificates: found)
        for certificate in found { _ = CertificateReader.read(certificate) }
        for store in [Surroundings.store, try? TrustStore(name: "own", bundle: bytes)].compactMap(\.self) {
            let assessment = PathBuilder.assess(chain: chain, trustStore: store, at: Surroundings.now)
            _ = assessment.verification(at: Surroundings.now, for: .dns(HostName(checked: "api.example.com"))).json.text
        }
    }
}

/// What is served while policies are read: the chain of docs/examples.
enum Surroundings {
    static let now = Instant(rfc3339: "2026-11-30T12:00:00Z") ?? .init(unixSeconds: 0)

    static let resources = PolicyResources(
        loadFile: { (_: String) throws(HostProblem) -> [UInt8] in throw HostProblem("there are no files") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())

    static let store: TrustStore? = try? TrustStore(name: "system", file: "docs/examples/root.pem")

    /// The verdicts on hosts that are named, covered and far off, as JSON.
    static func verdicts(_ definition: PinSetDefinition) -> [String] {
        _ = definition.layers.map { $0.policy.hosts }
        return presentations.map { shown in
            ReleaseVerdict.judge(definition, presentation: shown).json(for: definition.identity, host: shown.host).text
        }
    }

    private static let presentations: [Presentation] = {
        let disk = InputSources.fileSystem { _ in nil }
        guard let store, let file = try? disk.readFile("docs/examples/today.pem", 1 << 20),
            let sent = try? CertificateFile.read(file)
        else { fatalError("docs/examples is not here: start in the repository's root") }
        let chain = Chain(id: Digests.chainID(sent), certificates: sent)
        let assessment = PathBuilder.assess(chain: chain, trustStore: store, at: now)
        return ["api.example.com", "v1.api.example.com", "example.com.", "other.test", "192.0.2.1"].compactMap { host in
            let reference: ReferenceIdentity
            switch try? HostInput.parse(host, idna: LibIDN2()).host {
            case .name(let name): reference = .dns(name)
            case .address(let address): reference = .ip(address)
            case nil: return nil
            }
            let verification = assessment.verification(at: now, for: reference)
            return Presentation(host: host, assessment: assessment, verification: verification, now: now)
        }
    }()
}
