import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct LinterTests {
    private static let authority = TestCA.root()
    private static let leaf = HandedFile(name: "api.cer", bytes: authority.leaf(dns: ["api.example.com"]).der)
    private static let backup = HandedFile(name: "backup.cer", bytes: TestCA.root().leaf(dns: ["b.example.com"]).der)
    private func lint(_ files: [HandedFile]) throws -> [LintProblem] { try LintLab.lint(files) }

    private func said(_ files: [HandedFile]) throws -> [String] { LintLab.said(try lint(files)) }

    private func samples(_ names: String...) throws -> [HandedFile] { try names.map { try Sample.file("Lint/" + $0) } }

    @Test func `of clean apps nothing is said, each by itself and both together`() throws {
        let apple = try samples("clean-ios/Info.plist", "clean-ios/AppDelegate.swift.txt") + [Self.leaf, Self.backup]
        let android = try samples("clean-android/network_security_config.xml", "clean-android/Network.kt")
        for files in [apple, android, apple + android] {
            let problems = try lint(files)
            #expect(problems.isEmpty, "\(problems.map(\.description))")
        }
    }

    @Test func `an Info.plist's traps stand at their lines`() throws {
        #expect(
            try said(try samples("traps-ios/Info.plist")) == [
                "8 warning arbitrary_loads", "10 warning system_too_old", "14 error not_boolean",
                "17 error pin_never_matches",
                "29 warning report_only", "32 warning report_host_pinned",
            ])
    }

    @Test func `Alamofire's traps are said once, whether source or policy tells them`() throws {
        let files = try samples("traps-ios/AppDelegate.swift.txt") + [Self.leaf, Self.backup]
        let problems = try lint(files)
        let said = problems.map { "\($0.mark?.line ?? 0) \($0.severity.rawValue) \($0.rule.rawValue)" }
        #expect(
            said == [
                "9 warning unlisted_hosts", "11 error validation_off", "12 warning leaf_certificate_pin",
                "12 warning self_signed_accepted", "13 error trust_disabled",
                "14 error wildcard_never_matches", "14 warning host_not_validated", "18 error session_unpinned",
            ], "\(said)")
        #expect(problems.first { $0.rule == .trustDisabled }?.host == "dev.example.com")
        #expect(problems.first { $0.rule == .sessionUnpinned }?.mark == Mark(line: 18, column: 9))
    }

    @Test func `delegates written by hand are read by what they call`() throws {
        let said = try said(try samples("traps-ios/Delegates.swift.txt"))
        #expect(
            said == [
                "9 warning credential_unevaluated", "16 error failure_ignored", "17 error trust_by_name",
                "21 warning unresolved",
                "22 error failure_ignored", "26 warning fixed_key_header", "35 warning pinning_switch",
                "39 note trust_disabled", "41 warning unknown_name", "42 warning pinning_switch",
            ], "\(said)")
    }

    @Test func `Android's traps stand at their lines`() throws {
        #expect(
            try said(try samples("traps-android/network_security_config.xml")) == [
                "3 warning cleartext", "5 error pins_expired", "6 error wildcard_never_matches", "8 warning no_backup",
                "12 error sibling_hides_pins", "14 error override_pins", "19 warning debug_overrides",
            ])
        #expect(
            try said(try samples("traps-android/Network.kt", "traps-android/Trust.java")) == [
                "8 error pinner_unused", "9 warning wildcard_without_apex", "9 warning no_backup",
                "14 error trust_disabled",
                "19 error host_not_validated", "24 note host_not_validated", "10 error trust_by_name",
                "17 error host_not_validated",
            ])
    }

    @Test func `platforms that pin different hosts are told with both files`() throws {
        let files = try samples("clean-ios/Info.plist", "traps-android/Network.kt")
        let found = try lint(files).filter { $0.rule == .platformsDiffer }
        #expect(found.contains { $0.message.contains("Info.plist") && $0.message.contains("Network.kt") }, "\(found)")
    }

    @Test func `a PEM file beside Alamofire's source is dropped by the app`() throws {
        let pem = HandedFile(name: "api.pem.cer", bytes: Array(PEM.text(of: Self.leaf.bytes).utf8))
        let problems = try lint(try samples("clean-ios/AppDelegate.swift.txt") + [Self.leaf, Self.backup, pem])
        #expect(problems.map(\.rule) == [.pemCertificate])
        #expect(problems.first?.file == "api.pem.cer" && problems.first?.severity == .warning)
    }

    @Test func `where files are still to be handed over, that is said, and nothing of what they hold`() throws {
        #expect(try said(try samples("clean-ios/AppDelegate.swift.txt")) == ["11 warning unresolved"])
        let open = try lint([try Sample.file("Traps.plist"), try Sample.file("Trust.swift.txt")])
        #expect(!open.contains { $0.message.contains("$(") || $0.rule == .comparesNoPin }, "\(open)")
    }

    @Test func `files without pins are lint's all the same, private keys and noise are nobody's`() throws {
        #expect(try said([Sample.file("Empty.kt", "package a\nclass B { val c = 1 }\n")]) == [])
        #expect(try said([Sample.file("AndroidManifest.xml", "<manifest><application/></manifest>")]) == [])
        for text in ["", "just words", "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n", "<a><b></a>"] {
            #expect(throws: ImportProblems.self) { try lint([Sample.file("it", text)]) }
        }
    }

    @Test func `native files are linted at their lines`() throws {
        let text = """
            pinwatch: 1
            app: shop
            release: "1"
            client: alamofire
            policy:
              evaluators:
                a.example.com: {evaluator: disabled}
            """
        #expect(try said([Sample.file("pins.yaml", text)]) == ["7 error trust_disabled"])
    }

    @Test func `a hostile source of many brackets and words is linted in time`() throws {
        let text =
            "import A\nclass B { func c(serverTrust: D) {\n"
            + String(repeating: "useCredential([{ if debug { ", count: 5_000)
        #expect(try lint([Sample.file("it.swift", text)]).count < 200)
    }
}

private enum PEM {
    static func text(of der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n" + PinText.canonical(der) + "\n-----END CERTIFICATE-----\n"
    }
}
