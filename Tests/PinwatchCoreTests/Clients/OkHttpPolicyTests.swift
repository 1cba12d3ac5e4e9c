import Testing

@testable import PinwatchCore

@Suite struct OkHttpPolicyTests {
    private let resources = Lab.resources()

    private func modern(
        _ entries: [(String, [Pin])], issuers: OkHttpPolicy<ModernOkHttp>.AcceptedIssuers = .platform
    ) -> OkHttpPolicy<ModernOkHttp> {
        OkHttpPolicy(
            entries: entries.map { OkHttpEntry(pattern: $0, pins: $1, idna: resources.idna) }, acceptedIssuers: issuers,
            idna: resources.idna)
    }

    private func legacy(_ entries: [(String, [Pin])]) -> OkHttpPolicy<LegacyOkHttp> {
        OkHttpPolicy(
            entries: entries.map { OkHttpEntry(pattern: $0, pins: $1, idna: resources.idna) }, idna: resources.idna)
    }

    private func kind(_ pattern: String, _ host: String, modern isModern: Bool = true) -> VerdictKind {
        let entries = [(pattern, [Lab.pin(9)])]
        let shown = Lab.served(host: host)
        return isModern ? modern(entries).verdict(for: shown).kind : legacy(entries).verdict(for: shown).kind
    }

    @Test(
        "vector 45 and the table of 9.1: what each pattern covers",
        arguments: [
            ("example.com", [true, false, true]), ("a.example.com", [false, true, true]),
            ("a.b.example.com", [false, false, true]), ("EXAMPLE.com", [true, false, true]),
            ("example.com.", [false, false, false]), ("badexample.com", [false, false, false]),
        ])
    func patterns(_ host: String, _ covered: [Bool]) {
        for (pattern, isCovered) in zip(["Example.com", "*.example.com", "**.example.com"], covered) {
            #expect(kind(pattern, host) == (isCovered ? .rejectPin : .unpinned), "\(pattern) \(host)")
        }
    }

    @Test(
        "vector 46: before 4.3.0 two stars never match, and the version decides over the client's name",
        arguments: [
            (String?.none, VerdictKind.rejectPin, VerdictKind.unpinned), ("3.14.9", .unpinned, .unpinned),
            ("4.2.2", .unpinned, .unpinned), ("4.3.0", .rejectPin, .rejectPin), ("5.4.0", .rejectPin, .rejectPin),
        ])
    func vector46(_ version: String?, _ new: VerdictKind, _ old: VerdictKind) {
        let shown = Lab.served(host: "example.com", release: Lab.release(client: version))
        let entries = [("**.example.com", [Lab.pin(9)])]
        #expect(modern(entries).verdict(for: shown).kind == new && legacy(entries).verdict(for: shown).kind == old)
    }

    @Test(
        "a pattern that nearly covers the host is a trap, and the reason says why",
        arguments: [
            ("*.example.com", "example.com", true, "does not cover example.com itself"),
            ("*.example.com", "a.b.example.com", true, "covers one label only"),
            ("example.com", "example.com.", true, "trailing dot"),
            ("example.com.", "example.com", true, "ends in a dot"),
            ("**.example.com", "a.example.com", false, "never matches before OkHttp 4.3.0"),
            ("a.*.example.com", "a.b.example.com", false, "never matches"),
            ("example.*", "example.com", false, "never matches"),
        ])
    func traps(_ pattern: String, _ host: String, _ isModern: Bool, _ words: String) {
        let shown = Lab.served(host: host)
        let entries = [(pattern, [Lab.pin(9)])]
        let verdict = isModern ? modern(entries).verdict(for: shown) : legacy(entries).verdict(for: shown)
        #expect(verdict.kind == .unpinned && verdict.by == .trap && verdict.code == "host_not_listed")
        #expect(verdict.reason.contains(words), "\(verdict.reason)")
        #expect(isModern ? modern(entries).concerns(host: host) : legacy(entries).concerns(host: host))
    }

    @Test func `a host that nothing comes near is unpinned by design and of no concern`() {
        let policy = modern([("*.example.com", [Lab.pin(9)])])
        let verdict = policy.verdict(for: Lab.served(host: "other.test"))
        #expect(verdict.kind == .unpinned && verdict.by == .design && !policy.concerns(host: "other.test"))
        let bare = modern([("api.example.com", [])]).verdict(for: Lab.served())
        #expect(bare.kind == .unpinned && bare.by == .trap && bare.reason.contains("added without pins"))
    }

    @Test(
        "a pattern that the builder refuses is a configuration error in that generation",
        arguments: [
            ("a.*.example.com", true, false), ("example.*", true, false), ("*a.example.com", true, false),
            ("***.example.com", true, false), ("https://api.example.com", true, false),
            ("api.example.com:443", true, false),
            ("api.example.com/v1", true, false), ("api example.com", true, true), ("", true, true), ("*.", true, true),
            ("a..example.com", true, true), ("api.example.com:0", true, true), (" api.example.com", true, true),
            ("*.*.example.com", true, false), ("[::1", true, true), ("\u{FF}.test", true, true),
        ])
    func refused(_ pattern: String, _ new: Bool, _ old: Bool) {
        let entries = [("fine.test", [Lab.pin(1)]), (pattern, [Lab.pin(9)])]
        #expect((modern(entries).configurationError?.code == "malformed_pattern") == new)
        #expect((legacy(entries).configurationError?.code == "malformed_pattern") == old)
        #expect(modern(entries).verdict(for: Lab.served()).kind == (new ? .configError : .unpinned))
        #expect(modern([(pattern, [])]).configurationError == nil)
    }

    @Test(
        "OkHttp 3 takes a pattern for the rest of a URL",
        arguments: [
            ("api.example.com:8443", "api.example.com", VerdictKind.rejectPin),
            ("api.example.com/v1", "api.example.com", .rejectPin),
            ("user@api.example.com?x", "api.example.com", .rejectPin),
            ("//api.example.com \n", "api.example.com", .rejectPin),
            ("%61pi.ex%61mple.c%6Fm", "api.example.com", .rejectPin),
            ("api.example.com%", "api.example.com", .configError),
            ("%2A.example.com", "api.example.com", .unpinned), (".", "api.example.com", .unpinned),
            ("https://api.example.com", "api.example.com", .unpinned), ("*.localhost", "localhost", .rejectPin),
            ("*.example.com", "a.example.com", .rejectPin), ("*.example.com", "a.b.example.com", .unpinned),
        ])
    func urls(_ pattern: String, _ host: String, _ kind: VerdictKind) {
        #expect(self.kind(pattern, host, modern: false) == kind)
    }

    @Test(
        "names are canonical on both sides",
        arguments: [
            ("bücher.test", "BUCHER.test"), ("bucher.test.", "Bücher.test."), ("192.0.2.1", "192.0.2.1"),
            ("[2001:DB8:1:2:3:4:5:6]", "2001:db8:01:2:3:4:5:6"),
        ])
    func canonical(_ pattern: String, _ host: String) {
        #expect(kind(pattern, host) == .rejectPin && kind(pattern, host, modern: false) == .rejectPin)
    }

    @Test(
        "before 4.5.0 a short IPv6 address is compared with Java's long one as text",
        arguments: [
            (String?.none, Platform.System.jvm, VerdictKind.unknown, VerdictKind.rejectChain),
            ("4.4.1", .jvm, .rejectChain, .rejectChain), ("4.5.0", .jvm, .rejectPin, .rejectPin),
            ("3.14.9", .android, .rejectPin, .rejectPin),
        ])
    func addresses(_ version: String?, _ system: Platform.System, _ new: VerdictKind, _ old: VerdictKind) {
        let entries = [("[2001:DB8::1]", [Lab.pin(9)])]
        let release = Lab.release(client: version, system, system == .android ? "34" : nil)
        let shown = Lab.served(host: "2001:db8:0::1", release: release)
        #expect(modern(entries).verdict(for: shown).kind == new && legacy(entries).verdict(for: shown).kind == old)
    }

    @Test func `all pins of all matching patterns count together, on any member`() {
        let policy = modern([("api.example.com", [Lab.pin(9)]), ("*.example.com", [Lab.pin(8), Lab.pin(3)])])
        let verdict = policy.verdict(for: Lab.served())
        #expect(verdict.kind == .accept && verdict.matched?.position == "anchor")
        #expect(verdict.reason.contains("api.example.com and *.example.com"))
        #expect(policy.pins(for: "api.example.com", now: Lab.now).count == 3 && policy.allPins.count == 3)
        #expect(policy.pins(for: "b.example.com", now: Lab.now) == [Lab.pin(8), Lab.pin(3)])
    }

    @Test(
        "vector 49: any length is taken and never matches, SHA-1 is legal",
        arguments: [
            (Pin.spki(text: PinText.canonical([UInt8](repeating: 1, count: 20))), VerdictKind.rejectPin),
            (.spkiSHA1(text: PinText.canonical([UInt8](repeating: 1, count: 20))), .accept),
            (.spki(text: ""), .rejectPin), (.spki(text: Lab.digest(2, 1).base64url), .accept),
            (.spki(text: " \n" + Lab.base64(1).dropLast() + "== \t="), .accept), (.spki(text: "a"), .configError),
            (.spki(text: "!" + Lab.base64(1)), .configError), (.spki(text: "A=" + Lab.base64(1)), .configError),
            (.certificate(Lab.digest(1, 1)), .configError), (.spki(text: "SHA256/" + Lab.base64(1)), .configError),
            (.spki(text: "sha512/" + Lab.base64(1)), .configError),
            (.spki(text: "SHA-1/" + Lab.base64(1)), .configError),
            (.spki(text: "sha256/" + Lab.base64(1)), .rejectPin),
            (.file(path: "k", .publicKey(spki: Lab.digest(2, 2))), .accept),
            (.file(path: "c", .certificate(Lab.leaf, isDER: true)), .accept),
        ])
    func vector49(_ pin: Pin, _ kind: VerdictKind) {
        let verdict = modern([("api.example.com", [pin])]).verdict(for: Lab.served())
        #expect(verdict.kind == kind && (kind != .configError || verdict.code == "malformed_pin"))
        let isShort = kind == .rejectPin
        #expect(verdict.notes.contains { $0.contains("bytes instead of 32") } == isShort)
    }

    @Test func `a policy is read with its own keys`() {
        let entry = Node.map([
            "pattern": .text("**.example.com"), "pins": .list([.text("sha256/\(Lab.base64(1))"), .text("sha1/AAAA")]),
        ])
        let read = Lab.read(
            OkHttpPolicy<ModernOkHttp>.self, .map(["pins": .list([entry]), "accepted_issuers": .text("none")]))
        #expect(
            read.problems.isEmpty && read.policy?.acceptedIssuers == OkHttpPolicy<ModernOkHttp>.AcceptedIssuers.none)
        #expect(read.policy?.hosts.map(\.pattern) == ["**.example.com"])
        #expect(read.policy?.allPins == [Lab.pin(1), .spkiSHA1(text: "AAAA")] && read.policy?.expiries == [])
        let wrong = Lab.read(
            OkHttpPolicy<LegacyOkHttp>.self,
            .map(["pins": .list([.map(["host": .text("a"), "pins": .list([])])]), "accepted_issuers": .text("all")]))
        #expect(
            wrong.problems == [
                "unknown key \"host\" in an entry of pins; allowed: pattern, pins",
                "an entry of pins needs the key \"pattern\"",
                "accepted_issuers must be one of platform, none, not \"all\"",
            ])
    }
}
