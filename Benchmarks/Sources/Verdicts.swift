internal import FoundationEssentials
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchNames
internal import PinwatchTLS

/// What a verdict costs: releases of several clients, all of which pin the host, against the one chain that is served.
enum Verdicts {
    /// Releases of one client, each with its own list of hosts.
    private static let releases = 200
    /// Hosts of one release beside the served one.
    private static let others = 20
    /// Under a public suffix, which TrustKit asks for.
    private static let host = "h0.bench.example.com"

    /// A client with its policy in the native format; `HOST` and `PIN` stand for an entry's.
    private struct Form {
        let client: Client
        let before: String
        let entry: String
        var after = ""
    }

    private static let forms = [
        Form(client: .generic, before: "hosts:", entry: "\n  - {host: HOST, pins: [STRANGER, PIN]}"),
        Form(client: .okhttp, before: "pins:", entry: "\n  - {pattern: HOST, pins: [STRANGER, PIN]}"),
        Form(
            client: .trustKitIOS, before: "domains:",
            entry: "\n  HOST: {public_key_hashes: [BARESTRANGER, BAREPIN]}"),
        Form(
            client: .applePinnedDomains, before: "domains:",
            entry: "\n  HOST: {leaf_identities: [BARESTRANGER, BAREPIN]}"),
        Form(
            client: .alamofire, before: "evaluators:",
            entry: "\n  HOST: {evaluator: public_keys, pins: [STRANGER, PIN]}"),
        Form(
            client: .androidNSC, before: "xml: |\n  <network-security-config>",
            entry: """
                \n  <domain-config><domain>HOST</domain><pin-set><pin digest="SHA-256">BARESTRANGER</pin>\
                <pin digest="SHA-256">BAREPIN</pin></pin-set></domain-config>
                """, after: "\n  </network-security-config>"),
    ]

    /// Prints the CPU time of one verdict in nanoseconds, over `targets` of them shared among the clients.
    static func measure(_ options: Options) throws {
        let now = PeriodClock().now()
        guard let file = options.chains.last else { throw BenchmarkError.usage("--chains is missing") }
        let bytes = Array(try Data(contentsOf: URL(filePath: file)))
        let certificates = try CertificateFile.read(bytes, origin: file)
        let chain = Chain(id: Digests.chainID(certificates), certificates: certificates)
        let store = try TrustStore(name: Fleet.trustStore, file: options.root)
        let assessment = PathBuilder.assess(chain: chain, trustStore: store, at: now)
        let presentation = Presentation(
            host: host, assessment: assessment,
            verification: assessment.verification(at: now, for: .dns(HostName(checked: host))), now: now)
        var (members, total): ([(String, JSON)], Double) = ([], 0)
        let each = options.targets / forms.count
        for form in forms {
            let definitions = try (0..<releases).map { try definition(form, number: $0, pin: options.pin) }
            for definition in definitions {
                let verdict = ReleaseVerdict.judge(definition, presentation: presentation).deciding
                guard verdict.kind == .accept else {
                    throw BenchmarkError.setup("\(form.client.rawValue) says \(verdict.kind): \(verdict.reason)")
                }
            }
            let before = Usage.now()
            for number in 0..<each {
                _ = ReleaseVerdict.judge(definitions[number % releases], presentation: presentation)
            }
            let spent = Usage.now().cpu - before.cpu
            total += spent
            members.append((form.client.rawValue, .number(spent / Double(each) * 1e9)))
        }
        members.append(("all", .number(total / Double(each * forms.count) * 1e9)))
        print(JSON.object([("verdicts", .whole(each * forms.count)), ("cpu_ns", .object(members))]).text)
    }

    private static func definition(_ form: Form, number: Int, pin: String) throws -> PinSetDefinition {
        let stranger = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
        let names = (0..<others).map { "r\(number)n\($0).bench.example.com" } + [host]
        let entries = names.map { name in
            form.entry.replacing("HOST", with: name).replacing("BARESTRANGER", with: stranger)
                .replacing("BAREPIN", with: pin).replacing("STRANGER", with: "sha256/" + stranger)
                .replacing("PIN", with: "sha256/" + pin)
        }
        let policy = (form.before + entries.joined() + form.after).replacing("\n", with: "\n  ")
        let text = """
            pinwatch: 1
            app: bench
            release: "\(number)"
            client: \(form.client.rawValue)
            policy:
              \(policy)
            """
        return try PinFileDecoder.definition(fromAPI: text, trustStores: nil, resources: resources)
    }

    private static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("\(path) is not read here") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())
}
