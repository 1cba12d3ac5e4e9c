import PinwatchConfig
import PinwatchCore
import PinwatchNames
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

/// What is exported and read back, host by host.
@Suite struct ExportPinsTests {
    private static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("no file \(path)") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())
    private static let names = ["example.com", "api.example.com", "x.example.com", "a.b.example.com", "other.test"]
    private static let policies: [(Client, String)] = [
        (.trustKitIOS, ExportLab.excluded), (.trustKitIOS, ExportLab.nested), (.okhttp, ExportLab.united),
        (.okhttp, ExportLab.apex),
        (.okhttp, "{pins: [{pattern: '**.example.com', pins: $12}, {pattern: api.example.com, pins: $3}]}"),
        (.androidNSC, ExportLab.hole), (.applePinnedDomains, ExportLab.both),
        (
            .applePinnedDomains,
            "{domains: {example.com: {includes_subdomains: true, leaf_identities: $12}, api.example.com: {leaf_identities: $3}}}"
        ),
        (.generic, "{hosts: [{host: example.com, pins: $12}, {host: '*.example.com', pins: $3}]}"),
        (
            .hpkp,
            "{hosts: [{host: example.com, include_subdomains: true, pins: $12}, {host: x.example.com, pins: $12}]}"
        ),
    ]

    @Test(
        "a host whose pins become others is named",
        arguments: [ExportFormat.androidNSC, .okHttpKotlin, .infoPlist, .trustKitPlist])
    func pins(_ format: ExportFormat) throws {
        for (client, policy) in Self.policies {
            let text = try ExportLab.exported(client, policy, as: format)
            let (old, new) = (try pins(of: ExportLab.native(client, policy)), try pins(imported: text))
            let comments = text.split(separator: "\n").filter { $0.hasPrefix("//") || $0.hasPrefix("<!--") }
            for (index, name) in Self.names.enumerated() where old[index] != new[index] {
                let isTold = comments.contains {
                    $0.contains(name) || $0.contains("example.com") && name.hasSuffix(".com")
                }
                #expect(isTold, "\(client) \(name): \(text)")
            }
            #expect(old[4] == [] && new[4] == [])
        }
    }

    private func pins(of text: String) throws -> [Set<String>] {
        let definition = try PinFileDecoder.definition(fromAPI: text, trustStores: nil, resources: Self.resources)
        let policy = try #require(definition.layers.first?.policy)
        return Self.names.map { name in
            Set(policy.pins(for: name, now: Instant(unixSeconds: 0)).map { $0.text })
        }
    }

    private func pins(imported text: String) throws -> [Set<String>] {
        let root = try #require(try Importer.release([Sample.file("it", text)], context: ImportContext()).files.first)
        return try pins(of: NativePinFile.text(of: root))
    }

    @Test(
        "what an export writes is read without a remark",
        arguments: [
            "info-plist", "trustkit-plist", "trustkit-swift", "trustkit-objc", "android-nsc", "okhttp-kotlin",
            "okhttp-java", "curl", "wget",
        ])
    func again(_ format: String) throws {
        let format = try #require(ExportFormat(rawValue: format))
        let text = try ExportLab.exported(.generic, "{hosts: [{host: api.example.com, pins: $12}]}", as: format)
        let imported = try Importer.release(
            [Sample.file("it", text)], context: Sample.context(format.client, host: "api.example.com"))
        #expect(imported.remarkTexts == [])
    }
}
