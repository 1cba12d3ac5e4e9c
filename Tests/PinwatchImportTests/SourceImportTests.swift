import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct OkHttpSourceTests {
    @Test func `Kotlin's builder chain is read, comments and other lists are not`() throws {
        let imported = try Sample.imported(["Pinning.kt"])
        #expect(imported.format == .okHttpSource && imported.mustAnswer.isEmpty)
        #expect(
            try imported.policyText(.okhttp) == """
                pins:
                  - pattern: "api.example.com"
                    pins:
                      - "sha256/\(Sample.first)"
                      - "sha256/\(Sample.second)"
                  - pattern: "*.cdn.example.com"
                    pins:
                      - "sha256/\(Sample.first)"
                      - "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="

                """)
        #expect(try imported.policy(.okhttp)["pins"]?.items[1].mark == Mark(line: 14, column: 14))
    }

    @Test func `Java's calls are read, and what is put together where it runs is asked for`() throws {
        let imported = try Sample.imported(["Pinning.java"])
        let items = try #require(try imported.policy(.okhttp)["pins"]?.items)
        #expect(items.map { $0["pattern"]?.scalar } == ["api.example.com"] && items[0]["pins"]?.items.count == 2)
        #expect(imported.mustAnswer == ["value"])
        #expect(imported.remarkTexts.contains { $0.hasPrefix("Pinning.java:16:21: the host pattern is put together") })
    }

    @Test(
        "ways of writing the same pin",
        arguments: [
            "CertificatePinner.Builder().add(\"h.example\", \"sha256/AAAA\").build()",
            "val b = CertificatePinner.Builder()\nb.add(\"h.example\", PIN)\nval PIN = \"sha256/AAAA\"",
            "CertificatePinner.Builder().apply {\n add(\"h.example\", *listOf(\"sha256/AAAA\").toTypedArray())\n}.build()",
            "CertificatePinner(setOf(CertificatePinner.Pin(\"h.example\", \"sha256/AAAA\")))",
            "new CertificatePinner.Builder().add(\"h.example\", new String[] {\"sha256/AAAA\"}).build();",
            "object P { const val HOST = \"h.example\" }\nCertificatePinner.Builder().add(P.HOST, \"\"\"sha256/AAAA\"\"\")",
            "CertificatePinner.Builder().add(pattern = \"h.example\", \"sha256/\" + \"AAAA\")",
        ])
    func spelling(_ source: String) throws {
        let imported = try Sample.imported(source)
        let items = try imported.policy(.okhttp)["pins"]?.items
        #expect(items?.map { $0["pattern"]?.scalar } == ["h.example"], "\(imported.remarkTexts)")
        #expect(items?.first?["pins"]?.items.map(\.scalar) == ["sha256/AAAA"], "\(imported.remarkTexts)")
    }

    @Test(
        "what only the running app knows is asked for",
        arguments: [
            "CertificatePinner.Builder().add(\"h.example\", pin()).build()",
            "CertificatePinner.Builder().add(\"h.example\", \"sha256/$pin\").build()",
            "CertificatePinner.Builder().add(host, \"sha256/AAAA\").build()",
            "CertificatePinner.Builder().add(\"h.example\", *pins).build()",
            "var p = \"sha256/A\"\np = \"sha256/B\"\nCertificatePinner.Builder().add(\"h.example\", p).build()",
            "val b = CertificatePinner.Builder()\nfor (p in pins) b.add(\"h.example\", p)",
        ])
    func unresolved(_ source: String) throws { #expect(try Sample.imported(source).mustAnswer == ["value"]) }

    @Test func `a prefix that OkHttp throws for is named`() throws {
        let imported = try Sample.imported("CertificatePinner.Builder().add(\"h.example\", \"SHA256/AAAA\").build()")
        #expect(
            imported.remarkTexts == [
                "it:1:46: OkHttp throws for the pin \"SHA256/AAAA\": it must begin with sha256/ or sha1/"
            ])
    }
}

@Suite struct TrustKitSourceTests {
    @Test("Swift and Objective-C mean the same policy", arguments: ["TrustKitSetup.swift.txt", "TrustKitSetup.m"])
    func languages(_ name: String) throws {
        let imported = try Sample.imported([name])
        #expect(imported.format == .trustKitSource && imported.mustAnswer.isEmpty, "\(imported.questions)")
        #expect(
            try imported.policyText(.trustKitIOS) == """
                domains:
                  example.com:
                    include_subdomains: true
                    expiration_date: "2027-06-30"
                    public_key_hashes:
                      - "\(Sample.first)"
                      - "\(Sample.second)"
                  files.example.com:
                    exclude_subdomain_from_parent_policy: true

                """)
    }

    @Test func `the string of the documentation is not the constant`() throws {
        let imported = try Sample.imported(
            "let c = [kTSKPinnedDomains: [\"a.example.com\": [\"TSKExcludeSubdomainFromParentPolicy\": true]]]")
        let entry = try imported.policy(.trustKitIOS)["domains"]?["a.example.com"]
        #expect(entry?["public_key_hashes"]?.items == [])
        #expect(imported.remarkTexts.contains { $0.contains("does not know the key TSKExclude") })
    }

    @Test(
        "what only the running app knows is asked for",
        arguments: [
            "let c = [kTSKPinnedDomains: domains()]",
            "let c = [kTSKPinnedDomains: [\"a.b\": [kTSKPublicKeyHashes: [\"A\"]], \"a.b\": [kTSKPublicKeyHashes: [\"B\"]]]]",
            "let c = [kTSKPinnedDomains: [\"a.b\": [kTSKPublicKeyHashes: [\"A\"], kTSKPublicKeyHashes: [\"B\"]]]]",
            "let c = [kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: [\"A\"]]]]",
            "let c = [kTSKPinnedDomains: [\"a.example.com\": [kTSKPublicKeyHashes: pins]]]",
            "let c = [kTSKPinnedDomains: [\"a.example.com\": [kTSKEnforcePinning: !isDebug]]]",
        ])
    func unresolved(_ source: String) throws { #expect(try Sample.imported(source).mustAnswer == ["value"]) }
}

@Suite struct TokenizerTests {
    @Test(
        "sources that end in the middle, or nest without end, are read to some end",
        arguments: [
            "\"", "\"\"\"", "/*", "/* /*", "'", "#\"", "@", "[", "CertificatePinner add(", "kTSKPinnedDomains:", "\\",
            "\"\\",
            "let a = a", "let a = b\nlet b = a\nkTSKPinnedDomains: a", "ServerTrustManager(evaluators: [", "a.b.c.",
            "ServerTrustManager(evaluators: [:])", "CertificatePinner.Builder", "val = = =",
        ])
    func endings(_ source: String) {
        for text in [
            source, "CertificatePinner " + source, "ServerTrustManager( " + source, "kTSKPinnedDomains " + source,
        ] {
            _ = Sample.refusal([Sample.file("it", text)])
        }
    }

    @Test(
        "nesting costs no more than the file is long",
        arguments: ["add(", "[", "@{", "(", "a.b(", "x + ", "CertificatePinner.Builder().add(", "\"a\".trim()", "/*"])
    func nesting(_ piece: String) {
        let text =
            "CertificatePinner kTSKPinnedDomains: ServerTrustManager(evaluators: "
            + String(repeating: piece, count: 20_000)
        let clock = ContinuousClock()
        let spent = clock.measure { _ = Sample.refusal([Sample.file("it", text)]) }
        #expect(spent < .seconds(30), "\(piece): \(spent)")
    }

    @Test func `random pieces of real sources never trap`() throws {
        var generator = SeededGenerator(seed: 11)
        for name in ["Trust.swift.txt", "Pinning.kt", "Pinning.java", "TrustKitSetup.m", "deploy.sh", "headers.txt"] {
            let whole = try Sample.file(name).bytes
            for _ in 0..<300 {
                var bytes = whole
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
                bytes.insert(
                    contentsOf: "([{\"'\\/*}])".utf8.shuffled(using: &generator).prefix(3), at: min(place, bytes.count))
                _ = Sample.refusal([HandedFile(name: name, bytes: bytes)])
            }
        }
    }
}
