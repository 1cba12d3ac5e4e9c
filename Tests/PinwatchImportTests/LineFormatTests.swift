import PinwatchCore
import PinwatchTLS
import TestSupport
import Testing

@testable import PinwatchImport

@Suite struct NetworkSecurityImportTests {
    @Test func `the file is kept to the letter`() throws {
        let imported = try Sample.imported(["network_security_config.xml"])
        let text = String(decoding: try Sample.file("network_security_config.xml").bytes, as: UTF8.self)
        #expect(imported.format == .networkSecurityConfig && imported.mustAnswer.isEmpty)
        #expect(try imported.policy(.androidNSC)["xml"]?.scalar == text)
        #expect(imported.questionIDs == ["target_sdk", "stack", "platform"])
        #expect(
            imported.remarkTexts == [
                "network_security_config.xml:12:17: @raw/corp_ca is a file of the app's resources, which is not at hand here"
            ])
    }

    @Test func `trustkit-config makes it TrustKit's, a debug build is debuggable`() throws {
        let xml =
            "<network-security-config><domain-config><domain>a.example</domain><trustkit-config/><pin-set/></domain-config></network-security-config>"
        let imported = try Sample.imported(xml)
        #expect(
            try imported.policy(.trustKitAndroid)["via"]?.scalar == "factory" && imported.questionIDs.contains("stack"))
        var context = ImportContext()
        context.variant = .debug
        let debug = try Sample.imported(["network_security_config.xml"], context)
        #expect(try debug.policy(.androidNSC)["debuggable"]?.flag == true)
    }

    @Test(
        "what is not the source is refused",
        arguments: [
            (HandedFile(name: "it", bytes: [0x03, 0x00, 0x08, 0x00, 0xFF]), "hand over the source"),
            (Sample.file("it", "<network-security-config>"), "line 1"), (Sample.file("it", ""), "it: it is empty"),
            (Sample.file("it", "\u{FEFF}<network-security-config><a></network-security-config>"), "line 1"),
        ])
    func refused(_ file: HandedFile, _ words: String) { #expect(Sample.refusal([file]).contains(words)) }
}

@Suite struct CommandLineTests {
    private static let list = "sha256//\(Sample.first);sha256//\(Sample.second)"

    @Test func `a script's command is found behind sudo, over continued lines, and comments are not`() throws {
        let imported = try Sample.imported(["deploy.sh"])
        #expect(try imported.policyText(.curl) == "pinnedpubkey: \"\(Self.list)\"\n")
        #expect(imported.questionIDs == ["client_version"])
    }

    @Test(
        "every way of giving the option",
        arguments: [
            ("curl --pinnedpubkey 'LIST' https://h/", Client.curl), ("wget --pinnedpubkey='LIST' https://h/", .wget),
            ("wget \"--pinnedpubkey=LIST\" https://h/", .wget), ("X=1 curl -k --pinnedpubkey \"LIST\"", .curl),
        ])
    func option(_ line: String, _ client: Client) throws {
        let imported = try Sample.imported(line.replacing("LIST", with: Self.list))
        #expect(try imported.policy(client)["pinnedpubkey"]?.scalar == Self.list)
    }

    @Test(
        "rc files do not say whose they are",
        arguments: ["pinnedpubkey = LIST", "  pinnedpubkey=LIST\r\n", "pinnedpubkey \"LIST\" # it"])
    func resource(_ line: String) throws {
        let text = "# mine\n" + line.replacing("LIST", with: Self.list)
        #expect(try Sample.imported(text).policy(.curl)["pinnedpubkey"]?.scalar == Self.list)
        #expect(try Sample.imported(text).questionIDs.contains("client"))
        let named = try Sample.imported(text, Sample.context(.wget))
        #expect(try named.policy(.wget)["pinnedpubkey"]?.scalar == Self.list && !named.questionIDs.contains("client"))
    }

    @Test func `a key's file becomes its pin where it is handed over, and is asked for where not`() throws {
        let key = TestKey()
        let line = Sample.file("it", "curl --pinnedpubkey keys/pub.pem https://h/")
        let file = HandedFile(name: "/tmp/pub.pem", bytes: Array(key.publicKeyPEM.utf8))
        let imported = try Importer.release([line, file], context: ImportContext())
        #expect(try imported.policy(.curl)["pinnedpubkey"]?.scalar == "sha256//" + TestPKI.sha256(key.spki).base64)
        #expect(try Importer.release([line], context: ImportContext()).mustAnswer == ["bundle"])
        #expect(try Sample.imported("curl --pinnedpubkey \"$PIN\" https://h/").mustAnswer == ["value"])
    }

    @Test func `commands that pin differently are asked about`() throws {
        let imported = try Sample.imported("curl --pinnedpubkey 'sha256//A=' x\ncurl --pinnedpubkey 'sha256//B=' y")
        #expect(imported.mustAnswer == ["stack"])
    }
}

@Suite struct HeaderAndListTests {
    @Test func `an HPKP header is read for the host that the caller names`() throws {
        #expect(try Sample.imported(["headers.txt"]).mustAnswer == ["host"])
        let imported = try Sample.imported(["headers.txt"], Sample.context(host: "example.com"))
        #expect(
            try imported.policyText(.hpkp) == """
                hosts:
                  - host: "example.com"
                    pins:
                      - "\(Sample.first)"
                      - "\(Sample.second)"
                    include_subdomains: true
                    max_age: 5184000

                """)
        #expect(
            imported.remarkTexts == ["headers.txt:2:1: report-uri is left out: where reports go changes no verdict"])
    }

    @Test(
        "other ways of writing the header",
        arguments: [
            ("Public-Key-Pins-Report-Only: pin-sha256=\"A\"; max-age=1", true, 1),
            ("add_header Public-Key-Pins 'pin-sha256=\"A\"; pin-sha256=\"B\"; max-age=1' always;", false, 2),
            ("PUBLIC-KEY-PINS:pin-sha256=A;max-age=1", false, 1), ("pin-sha256=\"A\"; max-age=\"1\"", false, 1),
        ])
    func spelling(_ line: String, _ isReportOnly: Bool, _ count: Int) throws {
        let imported = try Sample.imported(line, Sample.context(host: "h.example"))
        let entry = try #require(try imported.policy(.hpkp)["hosts"]?.items.first)
        #expect(entry["report_only"]?.flag ?? false == isReportOnly && entry["pins"]?.items.count == count)
        #expect(entry["max_age"]?.scalar == "1", "\(imported.remarkTexts)")
    }

    @Test func `a Wultra list is read for the client that the caller names`() throws {
        #expect(try Sample.imported(["fingerprints.json"]).mustAnswer == ["client"])
        let imported = try Sample.imported(["fingerprints.json"], Sample.context(.wultraAndroid))
        #expect(
            try imported.policyText(.wultraAndroid) == """
                fingerprints:
                  - name: "*.example.com"
                    fingerprint: "\(Sample.first)"
                    expires: 1811808000

                """)
        #expect(try imported.policy(.wultraAndroid)["fingerprints"]?.items.first?.mark == Mark(line: 3, column: 3))
    }
}
