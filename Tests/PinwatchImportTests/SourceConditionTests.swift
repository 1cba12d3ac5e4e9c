import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct SourceConditionTests {
    private func pins(_ source: String, _ variant: Variant = .release) throws -> (pins: [String], imported: Imported) {
        var context = ImportContext()
        context.variant = variant
        let imported = try Sample.imported(source, context)
        let layers = imported.files.flatMap { NativePinFile.layers(of: $0) }
        let entries = layers.flatMap { $0.policy["pins"]?.items ?? [] }
        return (entries.flatMap { $0["pins"]?.items.compactMap(\.scalar) ?? [] }, imported)
    }

    private static let builder = "val b = CertificatePinner.Builder()\n"

    @Test(
        "BuildConfig.DEBUG is decided by the variant",
        arguments: [
            "b.add(\"h\", \"sha256/R\")\nif (BuildConfig.DEBUG) {\n b.add(\"h\", \"sha256/D\")\n}",
            "b.add(\"h\", \"sha256/R\")\nif (BuildConfig.DEBUG) b.add(\"h\", \"sha256/D\")\nb.build()",
            "if (BuildConfig.DEBUG) { b.add(\"h\", \"sha256/D\") } else { b.add(\"h\", \"sha256/R\") }",
            "if (!BuildConfig.DEBUG) b.add(\"h\", \"sha256/R\") else b.add(\"h\", \"sha256/D\")",
            "if (com.shop.BuildConfig.DEBUG)\n b.add(\"h\", \"sha256/D\");\nelse\n b.add(\"h\", \"sha256/R\");",
            "b.add(\"h\", if (BuildConfig.DEBUG) \"sha256/D\" else \"sha256/R\")",
            "b.add(\"h\", PIN)\nval PIN = if (BuildConfig.DEBUG)\n  \"sha256/D\"\nelse\n  \"sha256/R\"",
            "if (BuildConfig.DEBUG) { return b.add(\"h\", \"sha256/D\").build() }\nreturn b.add(\"h\", \"sha256/R\")",
            "fun p() { if (!BuildConfig.DEBUG) return b.add(\"h\", \"sha256/R\")\n return b.add(\"h\", \"sha256/D\") }",
            "if (BuildConfig.DEBUG) { if (x) { log() } else b.add(\"h\", \"sha256/D\") } else { b.add(\"h\", \"sha256/R\") }",
        ])
    func buildType(_ source: String) throws {
        let release = try pins(Self.builder + source)
        #expect(release.pins == ["sha256/R"] && release.imported.mustAnswer.isEmpty, "\(release.imported.questions)")
        #expect(
            release.imported.remarkTexts.contains { $0.contains("what no release build runs is left out") },
            "\(release.imported.remarkTexts)")
        #expect(try pins(Self.builder + source, .debug).pins.contains("sha256/D"))
    }

    @Test func `a debug build has the pins of both where the release has its own`() throws {
        let source = Self.builder + "b.add(\"h\", \"sha256/R\")\nif (BuildConfig.DEBUG) { b.add(\"h\", \"sha256/D\") }"
        #expect(try pins(source, .debug).pins == ["sha256/R", "sha256/D"])
        let quiet = Self.builder + "b.add(\"h\", \"sha256/R\")\nif (BuildConfig.DEBUG) { log(\"pinned\") }"
        #expect(try pins(quiet).imported.remarks.isEmpty)
    }

    @Test(
        "what decides where the app runs is asked for, with its line",
        arguments: [
            "val b = CertificatePinner.Builder()\nif (env == PROD) {\n b.add(\"h\", \"sha256/A\")\n}",
            "val b = CertificatePinner.Builder()\nif (p) b.add(\"h\", \"sha256/A\") else b.add(\"h\", \"sha256/B\")",
            "val b = CertificatePinner.Builder()\nwhen (env) {\n PROD -> b.add(\"h\", \"sha256/A\")\n}",
            "CertificatePinner.Builder b = new CertificatePinner.Builder();\n"
                + "switch (env) { case 1: b.add(\"h\", \"sha256/A\"); }",
            "val b = CertificatePinner.Builder()\nif (BuildConfig.DEBUG || x) b.add(\"h\", \"sha256/A\")",
            "val c =\n if (x) CertificatePinner.Builder().add(\"h\", \"sha256/A\").build() else CertificatePinner.DEFAULT",
            "CertificatePinner p =\nx ? new CertificatePinner.Builder().add(\"h\", \"sha256/A\").build() : null;",
            "val p: CertificatePinner =\nremote ?: CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()",
        ])
    func runTime(_ source: String) throws {
        let read = try pins(source)
        #expect(read.imported.mustAnswer == ["value"], "\(read.imported.questions)")
        #expect(read.pins.contains("sha256/A"))
        #expect(read.imported.questions.contains { $0.words.contains("at line 2 are those of the release") })
        #expect(read.imported.places.values.contains { $0.line == 2 })
        #expect(read.imported.remarkTexts.filter { $0.contains("where the app runs") }.count == 1)
    }

    @Test(
        "conditions beside the pins are none of theirs",
        arguments: [
            "if (log) print(\"x\")\nval p = CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()",
            "if (log) { print(\"x\") } else print(\"y\")\nval p = CertificatePinner.Builder().add(\"h\", \"sha256/A\")",
            "if (client == null) {\n client = CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()\n}",
            "val x = a ?: b\nval p = CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()",
            "val p = base?.client(CertificatePinner.Builder().add(\"h\", \"sha256/A\").build())",
            "val p: CertificatePinner? = CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()",
        ])
    func beside(_ source: String) throws { #expect(try pins(source).imported.mustAnswer == []) }

    @Test(
        "Alamofire's managers and TrustKit's dictionaries under a condition are asked for",
        arguments: [
            "if remote.isOn { s = Session(serverTrustManager: ServerTrustManager(evaluators: [:])) }",
            "let s = isProd ? Session(serverTrustManager: ServerTrustManager(evaluators: [:])) : Session()",
            "switch env { case .prod: m = ServerTrustManager(evaluators: [:]) }",
            "guard isProd else { return ServerTrustManager(evaluators: [:]) }",
            "let m = given ?? ServerTrustManager(evaluators: [:])",
            "if isProd { c = [kTSKPinnedDomains: [\"a.b\": [kTSKPublicKeyHashes: [\"A\"]]]] }",
            "if (isProd) { c = @{ kTSKPinnedDomains: @{ @\"a.b\": @{ kTSKPublicKeyHashes: @[ @\"A\" ] } } }; }",
        ])
    func apple(_ source: String) throws { #expect(try Sample.imported(source).mustAnswer == ["value"]) }

    @Test(
        "a value that is changed beside its assignment is no constant",
        arguments: [
            "val pins = mutableListOf(\"sha256/A\")\nif (x) pins.add(\"B\")\n"
                + "CertificatePinner.Builder().add(\"h\", *pins.toTypedArray())",
            "var p = \"sha256/A\"\np += \"B\"\nCertificatePinner.Builder().add(\"h\", p)",
            "var e: [String: Any] = [\"a\": DefaultTrustEvaluator()]\ne.updateValue(x, forKey: \"a\")\n"
                + "ServerTrustManager(evaluators: e)",
            "var e: [String: Any] = [\"a\": DefaultTrustEvaluator()]\nif x { e[\"a\"] = DisabledTrustEvaluator() }\n"
                + "ServerTrustManager(evaluators: e)",
            "NSMutableDictionary *d = @{ @\"a.b\": @{} };\n[d setObject:x forKey:@\"a.b\"];\nc = @{ kTSKPinnedDomains: d };",
        ])
    func changed(_ source: String) throws { #expect(try Sample.imported(source).mustAnswer == ["value"]) }

    @Test(
        "conditions within conditions cost no more than the file is long",
        arguments: [
            "if (BuildConfig.DEBUG) {", "if (!BuildConfig.DEBUG) {", "if (a) ",
            "if (a) { add(\"h\", \"sha256/A\") } else ",
            "when { a -> ", "a ? ServerTrustManager(", "if (!BuildConfig.DEBUG) return ",
            "CertificatePinner.Builder()\n",
            "guard a else { ",
        ])
    func nesting(_ piece: String) {
        let text = "CertificatePinner ServerTrustManager( BuildConfig\n" + String(repeating: piece, count: 2_000)
        let spent = ContinuousClock().measure { _ = Sample.refusal([Sample.file("it", text)]) }
        #expect(spent < .seconds(15), "\(piece): \(spent)")
    }
}

@Suite struct SeveralPinnersTests {
    private func layers(_ source: String) throws -> (layers: [[String]], imported: Imported) {
        let imported = try Sample.imported(source)
        let layers = imported.files.flatMap { NativePinFile.layers(of: $0) }.map { layer in
            (layer.policy["pins"]?.items ?? []).flatMap { $0["pins"]?.items.compactMap(\.scalar) ?? [] }
        }
        return (layers, imported)
    }

    @Test(
        "each of several pinners is a layer of its own, and who has which is asked for",
        arguments: [
            "val a = CertificatePinner.Builder().add(\"h\", \"sha256/A\").build()\n"
                + "val b = CertificatePinner.Builder().add(\"h\", \"sha256/B\").build()",
            "val a = CertificatePinner.Builder()\nval b = CertificatePinner.Builder()\n"
                + "b.add(\"h\", \"sha256/B\")\na.add(\"h\", \"sha256/A\")",
            "val a = CertificatePinner(setOf(CertificatePinner.Pin(\"h\", \"sha256/A\")))\n"
                + "val b = CertificatePinner.Builder().add(\"h\", \"sha256/B\").build()",
            "void a() { CertificatePinner.Builder b = new CertificatePinner.Builder(); b.add(\"h\", \"sha256/A\"); }\n"
                + "void b() { CertificatePinner.Builder b = new CertificatePinner.Builder(); b.add(\"h\", \"sha256/B\"); }",
            "val a: CertificatePinner.Builder = CertificatePinner.Builder()\n"
                + "val b = CertificatePinner.Builder().add(\"h\", \"sha256/B\")\na.add(\"h\", \"sha256/A\")",
        ])
    func several(_ source: String) throws {
        let read = try layers(source)
        #expect(read.layers == [["sha256/A"], ["sha256/B"]])
        #expect(read.imported.mustAnswer == ["stack"], "\(read.imported.questions)")
    }

    @Test func `one pinner's calls are one layer, wherever they stand`() throws {
        let read = try layers(
            "val a = CertificatePinner.Builder()\na.add(\"h\", \"sha256/A\")\n"
                + "fun more(b: CertificatePinner.Builder) { b.add(\"h\", \"sha256/B\") }\nval c = CertificatePinner.DEFAULT"
        )
        #expect(read.layers == [["sha256/A", "sha256/B"]] && read.imported.mustAnswer.isEmpty)
    }

    @Test func `a pinner whose calls are not found is asked for, an empty one is not`() throws {
        let hidden = try layers("val a = CertificatePinner.Builder()\nmore.forEach { a.apply { it.addTo(this) } }")
        #expect(hidden.layers == [[]] && hidden.imported.mustAnswer == ["value"])
        #expect(try layers("val a = CertificatePinner.Builder().build()").imported.mustAnswer.isEmpty)
    }

    @Test func `TrustKit's configurations are layers of their own, and none at all is asked for`() throws {
        let imported = try Sample.imported(
            """
            let a = [kTSKPinnedDomains: ["a.b": [kTSKPublicKeyHashes: ["A"]]]]
            let b = [kTSKPinnedDomains: ["a.b": [kTSKPublicKeyHashes: ["B"]]]]
            """)
        let layers = imported.files.flatMap { NativePinFile.layers(of: $0) }
        #expect(layers.count == 2 && imported.mustAnswer == ["stack"])
        #expect(try Sample.imported("config[kTSKPinnedDomains] = domains").mustAnswer == ["value"])
    }
}
