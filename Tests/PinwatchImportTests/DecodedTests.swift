import PinwatchConfig
import PinwatchCore
import PinwatchNames
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct DecodedTests {
    private static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("no file \(path)") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())

    @Test(
        "what is imported is a policy that its client reads",
        arguments: [
            ("Info.plist", Client?.none, Bool?.some(true)), ("Traps.plist", nil, false),
            ("network_security_config.xml", nil, true), ("Pinning.kt", nil, true),
            ("TrustKitSetup.m", nil, true), ("TrustKitSetup.swift.txt", nil, true), ("Trust.swift.txt", nil, true),
            ("LegacyTrust.swift.txt", nil, true),
            ("deploy.sh", nil, true), ("wgetrc", .wget, true), ("headers.txt", nil, true),
            ("fingerprints.json", .wultraIOS, true), ("fingerprints.json", .wultraAndroid, true),
        ])
    func decoded(_ name: String, _ client: Client?, _ loads: Bool?) throws {
        let imported = try Sample.imported(
            [name], Sample.context(client, host: name == "headers.txt" ? "example.com" : nil))
        let root = try #require(imported.files.first)
        let definition = try PinFileDecoder.definition(
            from: root, source: NativePinFile.text(of: root), file: name, managedBy: .api, trustStores: nil,
            resources: Self.resources)
        let errors = definition.layers.compactMap(\.policy.configurationError)
        #expect(errors.isEmpty == loads, "\(errors)")
        for format in ExportFormat.allCases {
            guard let target = format.client, ![.alamofire, .alamofire4, .afnetworking].contains(format) else {
                continue
            }
            guard let text = try? Exporter.text(of: root, as: format, host: "api.example.com") else { continue }
            let back = try Importer.release(
                [Sample.file("it", text)], context: Sample.context(target, host: "api.example.com"))
            let again = try #require(back.files.first)
            #expect(throws: Never.self, "\(format): \(text)") {
                try PinFileDecoder.definition(
                    from: again, source: "", file: "it", managedBy: .api, trustStores: nil, resources: Self.resources)
            }
        }
    }
}
