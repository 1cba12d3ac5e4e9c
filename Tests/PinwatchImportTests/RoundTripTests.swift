import FoundationEssentials
import PinwatchConfig
import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct RoundTripTests {
    private static let leaf = TestCA.root().leaf(dns: ["api.example.com"])

    private func read(_ names: [String], _ client: Client?, _ host: String?) throws -> Imported {
        let bundle =
            names.contains { $0.hasSuffix("Trust.swift.txt") } ? [HandedFile(name: "a.cer", bytes: Self.leaf.der)] : []
        return try Importer.release(
            try names.map { try Sample.file($0) } + bundle, context: Sample.context(client, host: host))
    }

    @Test(
        "import, native text, export and import again give the same policy",
        arguments: [
            ("Info.plist", ExportFormat.infoPlist, Client?.none), ("Info.binary.plist", .infoPlist, nil),
            ("network_security_config.xml", .androidNSC, nil), ("Pinning.kt", .okHttpKotlin, nil),
            ("Pinning.kt", .okHttpJava, nil),
            ("TrustKitSetup.m", .trustKitObjectiveC, nil), ("TrustKitSetup.swift.txt", .trustKitSwift, nil),
            ("TrustKitSetup.m", .trustKitPlist, nil), ("Trust.swift.txt", .alamofire, nil),
            ("LegacyTrust.swift.txt", .alamofire4, nil),
            ("deploy.sh", .curl, nil), ("wgetrc", .wget, .wget), ("headers.txt", .hpkp, nil),
            ("fingerprints.json", .wultra, .wultraIOS), ("Traps.plist", .infoPlist, nil),
        ])
    func policy(_ name: String, _ format: ExportFormat, _ client: Client?) throws {
        let host = name == "headers.txt" ? "example.com" : nil
        let first = try #require(try read([name], client, host).files.first)
        let native = NativePinFile.text(of: first)
        let again = try PinFileDecoder.node(Array(native.utf8), file: "native")
        #expect(again.withoutMarks == first.withoutMarks, "\(native)")
        let text = try Exporter.text(of: again, as: format)
        let bundle = name.hasSuffix("Trust.swift.txt") ? [HandedFile(name: "a.cer", bytes: Self.leaf.der)] : []
        let second = try Importer.release(
            [Sample.file("it", text)] + bundle, context: Sample.context(client, host: host))
        let layers = NativePinFile.layers(of: try #require(second.files.first)).map {
            ($0.client, $0.policy.withoutMarks)
        }
        for (old, new) in zip(NativePinFile.layers(of: first), layers) {
            #expect(old.client == new.0 && old.policy.withoutMarks == new.1, "\(text)")
        }
        #expect(layers.count == NativePinFile.layers(of: first).count)
    }

    @Test(
        "texts of every kind survive YAML",
        arguments: [
            "", " ", "a", "true", "no", "- a", "a: b", "#", "'", "\"", "\\", "\u{0}\u{1F}\u{7F}\u{85}\u{2028}\u{FEFF}",
            "ü🙂", "a\nb", "a\nb\n",
            " a\nb", "a\n b\n\nc", "a\n\n", "\n", "\na", "a\r\nb", "\ta\nb", "a \nb ", "a\n  \nb", "---", "...\n---\n",
            "*a", "&a", "!a", "%a", "@a", "`a`",
            "|", ">", "?", "? a", "a\t\nb",
        ])
    func yaml(_ text: String) throws {
        let node = Node.mapping(
            [
                Node.Member(key: text, keyMark: .start, value: .text(text, .start)),
                Node.Member(
                    key: text + "2", keyMark: .start,
                    value: .list(
                        [.text(text, .start), .list([], .start), .mapping([("xml", .text(text, .start))], .start)],
                        .start)),
            ], .start)
        let written = NativePinFile.text(of: node)
        let read = try PinFileDecoder.node(Array(written.utf8), file: "it")
        #expect(read.withoutMarks == node.withoutMarks, "\(written)")
    }

    @Test("a decoder reads what an importer made, and tells its problems at the app's own lines")
    func decoder() throws {
        let imported = try Sample.imported(
            "sha256/\(Sample.first)\nsha256/AAAA", Sample.context(.generic, host: "not a host"))
        let root = try #require(imported.files.first)
        do {
            _ = try PinFileDecoder.definition(
                from: root, source: "", file: "it", managedBy: .api, trustStores: nil, resources: .none("no files here")
            )
            Issue.record("taken")
        } catch {
            #expect(error.description.hasPrefix("it:1:1: host must be a name"))
        }
        let fine = try Sample.imported("sha256/\(Sample.first)", Sample.context(.generic, host: "h.example"))
        let definition = try PinFileDecoder.definition(
            from: try #require(fine.files.first), source: "text", file: "it", managedBy: .api, trustStores: nil,
            resources: .none("no files here"))
        #expect(definition.layers.count == 1 && definition.identity.app == "it" && definition.source == "text")
    }
}

@Suite struct ExporterTests {
    private static let authority = TestCA.root()
    private static let leaf = authority.leaf(dns: ["api.example.com"])
    private static let next = TestKey()

    private static var keys: HostKeys {
        HostKeys(
            host: "api.example.com", includesSubdomains: true,
            leafKeys: [TestPKI.sha256(leaf.key.spki), TestPKI.sha256(next.spki)],
            issuerKeys: [TestPKI.sha256(authority.key.spki)], certificate: TestPKI.sha256(leaf.der),
            certificateEnd: TestPKI.leafEnd)
    }

    @Test(
        "a host's keys are written in every format, and read back hold the same pins", arguments: ExportFormat.allCases)
    func host(_ format: ExportFormat) throws {
        let text = try Exporter.text(of: Self.keys, as: format)
        guard format != .afnetworking, format != .alamofire, format != .alamofire4 else {
            for key in Self.keys.leafKeys { #expect(text.contains(key.pin)) }
            return
        }
        let imported = try Importer.release(
            [Sample.file("it", text)], context: Sample.context(format.client, host: "api.example.com"))
        let layer = try #require(imported.files.first.flatMap { NativePinFile.layers(of: $0).first })
        let plan = try #require(PinPlan(layer))
        let pins = Set(plan.entries.flatMap(\.pins).map { $0.hasPrefix("sha256/") ? String($0.dropFirst(7)) : $0 })
        let expected =
            format == .wultra
            ? ["cert-sha256:" + TestPKI.sha256(Self.leaf.der).hex]
            : (Self.keys.leafKeys + Self.keys.issuerKeys).map(\.base64)
        #expect(pins == Set(expected), "\(text)")
    }

    @Test("every client's pins are written for every other, or the reason is told", arguments: ExportFormat.allCases)
    func conversions(_ format: ExportFormat) throws {
        for name in [
            "Info.plist", "network_security_config.xml", "Pinning.kt", "TrustKitSetup.m", "deploy.sh",
            "fingerprints.json",
        ] {
            let imported = try Sample.imported([name], Sample.context(name == "fingerprints.json" ? .wultraIOS : nil))
            let file = try #require(imported.files.first)
            do {
                let text = try Exporter.text(of: file, as: format, host: "api.example.com")
                #expect(name == "fingerprints.json" || text.contains(Sample.first), "\(name): \(text)")
            } catch {
                let isOther = (format == .wultra) != (name == "fingerprints.json")
                #expect(isOther && error.description.contains("hold no pins for"), "\(name): \(error)")
            }
        }
    }

    @Test func `what the other client cannot say stands in the comments`() throws {
        let file = try #require(try Sample.imported(["network_security_config.xml"]).files.first)
        let apple = try Exporter.text(of: file, as: .infoPlist)
        for words in [
            "end on 2027-06-30, which this client cannot say", "one label below example.com", "move those of issuers",
        ] {
            #expect(apple.contains(words), "\(words) in \(apple)")
        }
        let curl = try Exporter.text(of: file, as: .curl)
        #expect(curl.contains("only pins of the leaf's key can match") && curl.hasSuffix(" https://example.com/\n"))
        let trustKit = try Exporter.text(
            of: try #require(try Sample.imported(["TrustKitSetup.m"]).files.first), as: .trustKitPlist)
        #expect(
            trustKit.contains("<key>kSKExcludeSubdomainFromParentPolicy</key>")
                && trustKit.contains("makes the app throw"))
    }

    @Test func `rules that name no host, or pin nothing, are not written for clients that need both`() throws {
        let curl = try #require(try Sample.imported(["deploy.sh"]).files.first)
        #expect(throws: HostProblem("the rules of curl name no host, which okhttp-kotlin needs; say which it is")) {
            try Exporter.text(of: curl, as: .okHttpKotlin)
        }
        let okHttp = try Exporter.text(of: curl, as: .okHttpKotlin, host: "h.example")
        #expect(okHttp.contains(".add(\"h.example\", \"sha256/\(Sample.first)\""))
        #expect(try Exporter.text(of: curl, as: .wget).contains("https://HOST/"))
        let bare = try #require(try Sample.imported(["Trust.swift.txt"]).files.first)
        #expect(throws: HostProblem.self) { try Exporter.text(of: bare, as: .curl) }
        var wultra = try #require(
            try Sample.imported(["fingerprints.json"], Sample.context(.wultraIOS)).files.first)
        do { _ = try Exporter.text(of: wultra, as: .curl) } catch {
            #expect(error.description.hasPrefix("the rules of wultra-ios hold no pins for curl: cert-sha256:"))
        }
        wultra = try #require(try Sample.imported(["fingerprints.json"], Sample.context(.wultraAndroid)).files.first)
        #expect(throws: HostProblem.self) { try Exporter.text(of: wultra, as: .okHttpJava) }
    }

    @Test("a name that is long as it is written is read back", arguments: [1, 100, 200, PropertyList.keyLimit])
    func longNames(_ length: Int) throws {
        let name = String(repeating: "\u{1}", count: length)
        let source = #"ServerTrustPolicyManager(policies: ["NAME": .disableEvaluation, "b": .disableEvaluation])"#
        let file = HandedFile(
            name: "T.swift", bytes: Array("import Alamofire\n\(source)".replacing("NAME", with: name).utf8))
        let root = try #require(try Importer.release([file], context: ImportContext()).files.first)
        let again = try PinFileDecoder.node(Array(NativePinFile.text(of: root).utf8), file: "native")
        #expect(again.withoutMarks == root.withoutMarks)
        #expect(again["policy"]?["policies"]?[name] != nil)
    }

    @Test("hostile names stay data in every format", arguments: ExportFormat.allCases)
    func hostile(_ format: ExportFormat) throws {
        let host = "a\"]; rm -rf $HOME `x` --> <b> \\(evil) ${evil}\n'; evil '"
        let keys = HostKeys(
            host: host, leafKeys: Self.keys.leafKeys, certificate: Self.keys.certificate,
            certificateEnd: TestPKI.leafEnd)
        let text = try Exporter.text(of: keys, as: format)
        #expect(!text.contains("\n'; evil"), "\(text)")
        guard [.infoPlist, .trustKitPlist, .androidNSC].contains(format) else { return }
        #expect(throws: Never.self) { try XMLReader.root(of: text) }
    }
}

@Suite struct NativeFileTests {
    @Test(
        "a native file is told by its key, wherever that stands",
        arguments: [
            ("pinwatch: 1\napp: a", true), ("# mine\napp: a\npinwatch: 1", true), ("{\"pinwatch\": 1}", true),
            ("\"pinwatch\": 1\na: b", true),
            ("{\n  \"app\": \"a\",\n  \"pinwatch\": 1}", true), ("app: a\nnested:\n  pinwatch: 1", false),
            ("pinwatch", false), ("", false),
        ])
    func native(_ text: String, _ isNative: Bool) { #expect(Importer.isNative(Sample.file("it", text)) == isNative) }

    @Test(
        "faults of a native file are told at their place",
        arguments: [
            ("pinwatch: 1\na: *b", "it:2:4: aliases"), ("{\"pinwatch\": 1", "it:2:1: not valid YAML"),
            ("pinwatch: 1\na: 1\na: 2", "it:3:1: the key \"a\" stands here"),
        ])
    func faults(_ text: String, _ words: String) {
        #expect(
            Sample.refusal([Sample.file("it", text)]).contains(words), "\(Sample.refusal([Sample.file("it", text)]))")
    }

    @Test func `broken JSON of a known kind is told at its place`() {
        let refusal = Sample.refusal([Sample.file("it", "{\"fingerprints\": [\n{\"name\": }")])
        #expect(refusal.hasPrefix("it:3:1: not valid YAML"), "\(refusal)")
    }
}
