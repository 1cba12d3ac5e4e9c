import PinwatchConfig
import PinwatchCore
import PinwatchNames
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

/// What lint says of pins in apps' own files, in words.
@Suite struct LintedPinsTests {
    private static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("no file \(path)") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())

    private func said(_ name: String, _ text: String) throws -> [String] {
        let linter = Linter(
            context: ImportContext(), now: Instant(unixSeconds: 1_796_000_000), resources: Self.resources,
            native: { file in
                do throws(InputProblems) {
                    let text = String(decoding: file.bytes, as: UTF8.self)
                    return .success(
                        try PinFileDecoder.definition(fromAPI: text, trustStores: nil, resources: Self.resources))
                } catch {
                    return .failure(error)
                }
            })
        return try linter.lint([Sample.file(name, text)]).map(\.description)
    }

    @Test func `a star among evaluators is told, its certificates at hand or not, and nothing of its connections`()
        throws
    {
        let source = """
            import Alamofire
            let a = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["*": DisabledTrustEvaluator()])
            """
        let disabled = try said("star.swift", source)
        #expect(disabled.contains { $0.contains("* matches no host") && $0.contains("[wildcard_never_matches]") })
        #expect(!disabled.contains { $0.contains("for * accepts every certificate") }, "\(disabled)")
        let missing = try said(
            "star.swift",
            """
            import Alamofire
            let m = ServerTrustManager(evaluators: ["api.example.com": PinnedCertificatesTrustEvaluator(), "*.example.com": DefaultTrustEvaluator()])
            """)
        #expect(missing.contains { $0.contains("*.example.com matches no host") }, "\(missing)")
    }

    @Test func `OkHttp's pins of two calls are two pins, and curl's host is no star`() throws {
        let kotlin = try said(
            "A.kt",
            """
            import okhttp3.*
            val p = CertificatePinner.Builder()
              .add("api.example.com", "sha256/\(Sample.first)")
              .add("api.example.com", "sha256/\(Sample.second)")
              .build()
            val c = OkHttpClient.Builder().certificatePinner(p).build()
            """)
        #expect(!kotlin.contains { $0.contains("no_backup") }, "\(kotlin)")
        let curl = try said("a.sh", "curl --pinnedpubkey sha256//\(Sample.first) https://api.example.com/v1\n")
        #expect(curl.contains { $0.contains(" The command has a single pin") }, "\(curl)")
        #expect(!curl.contains { $0.contains("* has") })
    }

    @Test func `a prefix that was pasted into a property list is quoted as it stands there`() throws {
        let plist = """
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>api.example.com</key><dict><key>NSPinnedLeafIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>sha256/\(Sample.first)</string></dict>
            </array></dict></dict></dict></dict></plist>
            """
        let problems = try said("Info.plist", plist)
        #expect(problems.contains { $0.contains("error: sha256/\(Sample.first) of api.example.com can match nothing") })
        #expect(!problems.contains { $0.contains("sha256/sha256/") }, "\(problems)")
    }
}
