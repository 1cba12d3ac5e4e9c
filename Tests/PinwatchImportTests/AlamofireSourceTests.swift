import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct AlamofireSourceTests {
    static let authority = TestCA.root()
    static let leaf = authority.leaf(dns: ["api.example.com"])

    private func read(_ names: [String], beside files: [HandedFile] = []) throws -> Imported {
        try Importer.release(try names.map { try Sample.file($0) } + files, context: ImportContext())
    }

    private var certificate: HandedFile { HandedFile(name: "api.cer", bytes: Self.leaf.der) }

    @Test(arguments: [("true", true), ("false", false)])
    func `a pinned certificate that is an anchor stands whole in the file`(flag: String, isWhole: Bool) throws {
        let source = HandedFile(
            name: "Trust.swift",
            bytes: Array(
                """
                let trust = ServerTrustManager(evaluators: ["h.example": PinnedCertificatesTrustEvaluator(
                  acceptSelfSignedCertificates: \(flag))])
                """.utf8))
        let root = try #require(try Importer.release([source, certificate], context: ImportContext()).files.first)
        let held = root["certificates"]?.items.compactMap(\.scalar) ?? []
        #expect(held == (isWhole ? [PinText.canonical(Self.leaf.der)] : []))
    }

    @Test func `evaluators and flags are read, pins come from the certificates beside`() throws {
        let imported = try read(["Trust.swift.txt"], beside: [certificate])
        #expect(imported.format == .alamofireSource && imported.mustAnswer.isEmpty, "\(imported.questions)")
        let spki = TestPKI.sha256(Self.leaf.key.spki).pin
        let fingerprint = TestPKI.sha256(Self.leaf.der).hex
        #expect(
            try imported.policyText(.alamofire) == """
                all_hosts_must_be_evaluated: false
                evaluators:
                  api.example.com:
                    evaluator: public_keys
                    perform_default_validation: true
                    validate_host: true
                    pins:
                      - "\(spki)"
                  static.example.com:
                    evaluator: pinned_certificates
                    accept_self_signed: false
                    pins:
                      - "cert-sha256:\(fingerprint)"
                  both.example.com:
                    evaluator: composite
                    evaluators:
                      - evaluator: public_keys
                        pins:
                          - "\(spki)"
                      - evaluator: revocation

                """)
    }

    @Test func `a host that stands twice is told, and the first is kept`() throws {
        let source = Sample.file(
            "it", "ServerTrustManager(evaluators: [\"a\": DefaultTrustEvaluator(), \"a\": DisabledTrustEvaluator()])")
        let imported = try Importer.release([source], context: ImportContext())
        #expect(try imported.policy(.alamofire)["evaluators"]?["a"]?["evaluator"]?.scalar == "default")
        #expect(imported.remarkTexts.contains { $0.hasPrefix("it:1:63: a stands twice") }, "\(imported.remarkTexts)")
    }

    @Test func `code of debug builds is read for debug builds alone, other conditions are told`() throws {
        var context = ImportContext()
        context.variant = .debug
        let debug = try Importer.release([try Sample.file("Trust.swift.txt"), certificate], context: context)
        let dev = try debug.policy(.alamofire)["evaluators"]?["dev.example.com"]
        #expect(dev?["evaluator"]?.scalar == "disabled" && debug.remarks.isEmpty)
        let source = """
            let m = ServerTrustManager(evaluators: [
            #if !DEBUG
            "a.example": PublicKeysTrustEvaluator(),
            #else
            "b.example": PublicKeysTrustEvaluator(),
            #endif
            #if STAGING
            "c.example": PublicKeysTrustEvaluator(),
            #elseif os(macOS)
            "d.example": PublicKeysTrustEvaluator(),
            #endif
            ])
            """
        let release = try Importer.release([Sample.file("it", source), certificate], context: ImportContext())
        let hosts = try release.policy(.alamofire)["evaluators"]?.members.map(\.key)
        #expect(hosts == ["a.example", "c.example", "d.example"])
        #expect(
            release.remarkTexts == [
                "it:7:1: #if STAGING is decided by the build; all that stands in its branches is read"
            ])
    }

    @Test func `without files the bundle is asked for, and PEM is no pin`() throws {
        let bare = try read(["Trust.swift.txt"])
        #expect(bare.mustAnswer == ["bundle"] && bare.questions.contains { $0.words.contains("in the app's bundle") })
        let pem = HandedFile(name: "api.cer", bytes: Array(Self.leaf.certificatePEM.utf8))
        let dropped = try read(["Trust.swift.txt"], beside: [pem])
        #expect(try dropped.policy(.alamofire)["evaluators"]?["api.example.com"]?["pins"]?.items == [])
        #expect(
            dropped.mustAnswer.isEmpty && dropped.remarkTexts.contains { $0.contains("api.cer is no DER certificate") })
    }

    @Test func `names that articles teach, shadowing types and look-ups of one's own are named and asked about`() throws
    {
        let imported = try read(["TaughtTrust.swift.txt"], beside: [certificate])
        let remarks = imported.remarkTexts.joined(separator: "\n")
        for words in [
            "TaughtTrust.swift.txt:3:13: the app declares its own PublicKeysTrustEvaluator, which shadows Alamofire's",
            "Alamofire has no PinnedPublicKeysTrustEvaluator; articles teach it", "Alamofire has no DisabledEvaluator",
            "allowEmptyPinnedKeys; articles teach it", "TenantTrustManager may look hosts up in its own way",
        ] { #expect(remarks.contains(words), "\(words) in \(remarks)") }
        #expect(Set(imported.mustAnswer) == ["evaluator", "host_lookup"])
        let hosts = try imported.policy(.alamofire)["evaluators"]?.members.map(\.key)
        #expect(hosts == ["d.example.com"])
    }

    @Test func `Alamofire 4's policies are read`() throws {
        let policy = try read(["LegacyTrust.swift.txt"], beside: [certificate]).policy(.alamofire4)
        let hosts = try #require(policy["policies"])
        #expect(hosts["api.example.com"]?["policy"]?.scalar == "pin_public_keys")
        #expect(hosts["api.example.com"]?["validate_certificate_chain"]?.flag == true)
        #expect(hosts["static.example.com"]?["policy"]?.scalar == "pin_certificates")
        #expect(hosts["static.example.com"]?["validate_certificate_chain"]?.flag == false)
        #expect(hosts["static.example.com"]?["pins"]?.items.count == 1)
        #expect(hosts["dev.example.com"]?.members.map(\.key) == ["policy"])
    }

    @Test func `an Info.plist and a source are layers of one release, another system's file is not`() throws {
        let imported = try read(["Info.plist", "Trust.swift.txt"], beside: [certificate])
        let clients = imported.files.flatMap { NativePinFile.layers(of: $0) }.map(\.client)
        #expect(clients == [.applePinnedDomains, .trustKitIOS, .alamofire])
        #expect(throws: ImportProblems.self) { try read(["Info.plist", "Pinning.kt"]) }
    }

    @Test(
        "shorthands and odd spellings",
        arguments: [
            ("\"h.example\": .publicKeys", "public_keys"),
            ("\"h.example\": .pinnedCertificates(validateHost: true)", "pinned_certificates"),
            ("\"h.example\": Alamofire.DefaultTrustEvaluator()", "default"),
            ("\"h.example\": DisabledTrustEvaluator.init()", "disabled"),
            ("\"h.example\": strict", "public_keys"),
        ])
    func spelling(_ entry: String, _ word: String) throws {
        let source = Sample.file(
            "it", "let strict = PublicKeysTrustEvaluator()\nlet m = ServerTrustManager(evaluators: [\(entry)])")
        let imported = try Importer.release([source, certificate], context: ImportContext())
        let evaluator = try imported.policy(.alamofire)["evaluators"]?["h.example"]?["evaluator"]
        #expect(evaluator?.scalar == word && imported.mustAnswer.isEmpty, "\(imported.remarkTexts)")
    }
}
