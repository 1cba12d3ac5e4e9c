import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct SourceLintTests {
    @Test(
        "a key made of bytes with one type for all is named",
        arguments: [
            "let k = SecKeyCreateWithData(spki as CFData, [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: "
                + "kSecAttrKeyClassPublic, kSecAttrKeySizeInBits: 2048] as CFDictionary, nil)",
            "let k = SecKeyCreateWithData(d as CFData, a as CFDictionary, nil)\n"
                + "let a: [String: Any] = [kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom]",
            "SecKeyRef k = SecKeyCreateWithData((__bridge CFDataRef)spki, (__bridge CFDictionaryRef)@{"
                + "(id)kSecAttrKeyType: (id)kSecAttrKeyTypeRSA, (id)kSecAttrKeySizeInBits: @2048}, NULL); class A",
            "class A : X509TrustManager { val k = KeyFactory.getInstance(\"RSA\")"
                + ".generatePublic(X509EncodedKeySpec(bytes)) }",
            "class PublicKeyPinning { Key k = KeyFactory.getInstance(\"RSA\")"
                + ".generatePublic(new X509EncodedKeySpec(bytes)); }",
        ])
    func keyType(_ source: String) throws {
        #expect(try LintLab.said(source, of: [.fixedKeyType]) == ["1 warning fixed_key_type"])
    }

    @Test(
        "keys of several types, of one's own and of other uses are not",
        arguments: [
            "let k = SecKeyCreateWithData(d, [kSecAttrKeyType: isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeEC], nil)",
            "let k = SecKeyCreateWithData(d, [kSecAttrKeyType: type], nil)",
            "let k = SecKeyCreateWithData(d, [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: "
                + "kSecAttrKeyClassPrivate], nil)",
            "class Licence { val k = KeyFactory.getInstance(\"RSA\").generatePublic(X509EncodedKeySpec(bytes)) }",
            "class A : X509TrustManager { val k = KeyFactory.getInstance(algorithm)"
                + ".generatePublic(X509EncodedKeySpec(bytes)) }",
        ])
    func otherKeys(_ source: String) throws { #expect(try LintLab.said(source, of: [.fixedKeyType]) == []) }

    @Test(
        "what hides the library's evaluator, and what refuses nothing, fails open",
        arguments: [
            ("final class PublicKeysTrustEvaluator: ServerTrustEvaluating {}", "1 error shadowed_name"),
            ("typealias DefaultTrustEvaluator = Mine; class A {}", "1 error shadowed_name"),
            ("class A { func evaluate(_ trust: SecTrust, forHost host: String) throws {} }", "1 error trust_disabled"),
            ("class A { func evaluate(_ t: SecTrust, forHost: String) -> Bool { true } }", "1 error trust_disabled"),
            ("let p = ServerTrustPolicy.customEvaluation { _, _ in true }", "1 error trust_disabled"),
            ("let p = ServerTrustPolicy.customEvaluation({ a, b in return true })", "1 error trust_disabled"),
            ("#if DEBUG\nstruct DefaultTrustEvaluator {}\n#endif", "2 note shadowed_name"),
        ])
    func ownEvaluators(_ source: String, _ expected: String) throws {
        #expect(try LintLab.said(source, of: [.shadowedName, .trustDisabled]) == [expected])
    }

    @Test(
        "evaluators that check, and functions of that name that are none, are not named",
        arguments: [
            "class A { func evaluate(_ trust: SecTrust, forHost host: String) throws { try check(trust) } }",
            "class A { func evaluate(_ expression: String) {} }",
            "let a: PublicKeysTrustEvaluator = make()",
            "let p = ServerTrustPolicy.customEvaluation { trust, host in check(trust) && true }",
        ])
    func checking(_ source: String) throws {
        #expect(try LintLab.said(source, of: [.shadowedName, .trustDisabled]) == [])
    }

    @Test(
        "what a switch leaves unpinned is named",
        arguments: [
            "guard !defaults.bool(forKey: \"disablePinning\") else { return Session.default }",
            "if RemoteConfig.bool(\"disablePinning\") { return Session() }",
            "if flags.skipPinning { return AF }",
            "if (remoteConfig.disablePinning) return OkHttpClient.Builder()",
            "if (remoteConfig.disablePinning) return new OkHttpClient();",
            "when { remoteConfig.pinning -> return b.certificatePinner(p)\n else -> return OkHttpClient() }",
            "when (flags.mode) { 1 -> b.certificatePinner(p) }",
            "val c = if (remote.pinningEnabled()) b.certificatePinner(p) else OkHttpClient()",
            "if (rc.getBoolean(\"ssl_pinning_enabled\")) b.certificatePinner(p)",
            "if (config.PINNING) { b.certificatePinner(p) }",
        ])
    func switches(_ source: String) throws {
        let around = "\nfun pinned() { b.certificatePinner(p)\n Session(serverTrustManager: m) }"
        #expect(try LintLab.said(source + around, of: [.pinningSwitch]) == ["1 warning pinning_switch"])
    }

    @Test(
        "conditions of the build, and those of other things, are no switches",
        arguments: [
            "fun log(isDebug: Boolean) { if (isDebug) println(\"x\") }",
            "if (!BuildConfig.DEBUG) b.certificatePinner(p)\nif (flag) { log() }",
            "if (!BuildConfig.DEBUG) { b.certificatePinner(p) }",
            "if (remote.isOn) { use(client) } else { log() }",
            "if (isDebug) return\nfun next() { b.certificatePinner(p) }",
        ])
    func otherConditions(_ source: String) throws {
        let around = "\nfun a() = OkHttpClient.Builder().apply { certificatePinner(p) }.build()"
        #expect(try LintLab.said(source + around, of: [.pinningSwitch]) == [])
    }

    @Test(
        "conditions within conditions are linted in time",
        arguments: [
            "if debug { ", "if (remote) return ", "when { pinning -> ", "if (BuildConfig.DEBUG) { ",
            "guard flag else { ",
            "if (debug) OkHttpClient() else ", "when { a -> -> -> -> -> ",
        ])
    func nesting(_ piece: String) {
        let text = "import A\nclass B { fun c() { certificatePinner(OkHttpClient()) }\n"
        let file = Sample.file("it", text + String(repeating: piece, count: 2_000))
        let spent = ContinuousClock().measure { _ = try? LintLab.lint([file]) }
        #expect(spent < .seconds(15), "\(piece): \(spent)")
    }

    @Test func `the advice is in the words of the source's language`() throws {
        let rule: (String) throws -> String? = { text in
            try LintLab.lint([Sample.file("it", text)]).first { $0.rule == .pinningSwitch }?.advice
        }
        let kotlin = try rule("fun a() { if (flags.pinning) b.certificatePinner(p) }")
        #expect(kotlin?.contains("BuildConfig.DEBUG") ?? false && !(kotlin?.contains("#if") ?? true))
        let swift = try rule("func a() { if flags.pinning { s = Session(serverTrustManager: m) } }")
        #expect(swift?.contains("#if DEBUG") ?? false)
    }

    private static let fingerprints = """
        {"fingerprints": [{"name": "a.b", "fingerprint": "\(Sample.first)", "expires": 1900000000}]}
        """
    private static let settings = """
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key>
        <dict><key>a.b</key><dict><key>NSPinnedLeafIdentities</key><array><dict>
        <key>SPKI-SHA256-BASE64</key><string>$(PIN)</string></dict></array></dict></dict></dict></dict></plist>
        """
    private static let commands = """
        curl --pinnedpubkey sha256//\(Sample.first) https://a.b/
        wget --pinnedpubkey=sha256//\(Sample.second) https://a.b/
        """
    private static let loop = """
        val p = CertificatePinner.Builder().apply {
        pins.forEach { add("h", it) } }
        """

    @Test(
        "what the importer must ask is said, at its place",
        arguments: [
            ("import Alamofire\nlet m = ServerTrustManager(evaluators: make())", [2]), (loop, [2]),
            ("\nsha256/" + Sample.first, [2, 2]), ("curl --pinnedpubkey a.pem https://a.b/", [1]), (commands, [2]),
            (fingerprints, [1]), (settings, [3]),
        ] as [(String, [Int])])
    func unresolved(_ text: String, _ lines: [Int]) throws {
        #expect(try LintLab.said(text, of: [.unresolved]) == lines.map { "\($0) warning unresolved" })
    }

    @Test func `what is answered is not said`() throws {
        var context = Sample.context(.okhttp, host: "a.b")
        let text = Sample.file("it", "sha256/\(Sample.first)\nsha256/\(Sample.second)")
        #expect(try LintLab.lint([text], context).filter { $0.rule == .unresolved } == [])
        context.host = nil
        #expect(try LintLab.lint([text], context).map(\.rule) == [.unresolved])
    }
}
