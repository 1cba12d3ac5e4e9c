import PinwatchConfig
import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct InfoPlistTests {
    @Test("both kinds of pins become layers, in XML and in binary", arguments: ["Info.plist", "Info.binary.plist"])
    func layers(_ name: String) throws {
        let imported = try Sample.imported([name])
        #expect(imported.format == .infoPlist && imported.mustAnswer.isEmpty)
        #expect(
            try imported.policyText(.applePinnedDomains) == """
                domains:
                  example.com:
                    includes_subdomains: true
                    ca_identities:
                      - "\(Sample.first)"
                      - "\(Sample.second)"

                """)
        let trustKit = try imported.policy(.trustKitIOS)
        let domain = try #require(trustKit["domains"]?["example.com"])
        #expect(domain["include_subdomains"]?.flag == true && domain["expiration_date"]?.scalar == "2027-06-30")
        #expect(domain["public_key_hashes"]?.items.compactMap(\.scalar) == [Sample.first, Sample.second])
        let excluded = try #require(trustKit["domains"]?["legacy.example.com"])
        #expect(excluded.members.map(\.key) == ["exclude_subdomain_from_parent_policy"])
        #expect(imported.remarkTexts.contains { $0.contains("NSPinnedDomains and TrustKit both pin here") })
    }

    @Test func `app, release and platform are the bundle's own unless the caller says otherwise`() throws {
        let root = try #require(try Sample.imported(["Info.plist"]).files.first)
        #expect(root["app"]?.scalar == "com.example.shop" && root["release"]?.scalar == "5.2.0")
        #expect(root["platform"]?["os"]?.scalar == "ios" && root["platform"]?["version"]?.scalar == "16.4")
        var context = ImportContext()
        (context.app, context.release, context.variant) = ("shop", "6", .debug)
        let named = try #require(try Sample.imported(["Info.plist"], context).files.first)
        #expect(
            named["app"]?.scalar == "shop" && named["release"]?.scalar == "6" && named["variant"]?.scalar == "debug")
    }

    @Test func `marks are the places of the property list`() throws {
        let policy = try Sample.imported(["Info.plist"]).policy(.applePinnedDomains)
        let domain = try #require(policy["domains"]?.members.first)
        #expect(domain.keyMark == Mark(line: 15, column: 4))
        #expect(domain.value["ca_identities"]?.items.first?.mark == Mark(line: 23, column: 7))
    }

    @Test("what Apple's code would take otherwise stays as written", arguments: ["Traps.plist", "Traps.binary.plist"])
    func asWritten(_ name: String) throws {
        let imported = try Sample.imported([name])
        let entry = try #require(try imported.policy(.applePinnedDomains)["domains"]?["api.example.com"])
        #expect(entry["includes_subdomains"]?.value == .scalar("1", plain: true))
        // The prefix is part of what iOS decodes, so it is spelled out rather than understood.
        #expect(entry["leaf_identities"]?.items.map(\.scalar) == ["sha256/sha256/" + Sample.first])
        #expect(imported.remarkTexts.contains { $0.contains("without SPKI-SHA256-BASE64 is skipped") })
    }

    @Test func `the documented exclude key makes an entry without pins`() throws {
        let imported = try Sample.imported(["Traps.plist"])
        let entry = try #require(try imported.policy(.trustKitIOS)["domains"]?["static.example.com"])
        #expect(NativePinFile.text(of: entry) == "public_key_hashes: []\n")
        let remark = try #require(imported.remarks.first { $0.message.contains("does not know the key TSKExclude") })
        #expect(remark.mark == Mark(line: 41, column: 5) && remark.message.contains("throws at its start"))
    }

    @Test func `build settings are asked for where pins depend on them, and filled in where given`() throws {
        let open = try Sample.imported(["Traps.plist"])
        #expect(open.mustAnswer == ["build_setting", "build_setting"] && open.questionIDs.contains("platform"))
        #expect(open.questions.filter(\.mustAnswer).map(\.words).joined().contains("PINNED_HOST"))
        var context = ImportContext()
        context.buildSettings = ["PINNED_HOST": "example.org", "PIN_ONE": Sample.first]
        context.buildSettings["IPHONEOS_DEPLOYMENT_TARGET"] = "15.0"
        let filled = try Sample.imported(["Traps.plist"], context)
        #expect(filled.mustAnswer.isEmpty && filled.files.first?["platform"]?["version"]?.scalar == "15.0")
        let entry = try filled.policy(.trustKitIOS)["domains"]?["example.org"]
        #expect(entry?["public_key_hashes"]?.items.map(\.scalar) == [Sample.first])
    }

    @Test func `a property list in JSON is read with its places`() throws {
        let json = """
            {"MinimumOSVersion": "16.0", "NSAppTransportSecurity": {"NSPinnedDomains": {"example.com": {
              "NSIncludesSubdomains": true, "NSPinnedLeafIdentities": [{"SPKI-SHA256-BASE64": "\(Sample.first)"}]}}}}
            """
        let policy = try Sample.imported(json).policy(.applePinnedDomains)
        let entry = try #require(policy["domains"]?["example.com"])
        #expect(entry["includes_subdomains"]?.flag == true && entry["leaf_identities"]?.items.first?.mark.line == 2)
    }

    @Test(
        "a list that is none, or pins nothing, is refused with its place",
        arguments: [
            ("<plist><dict/></plist>", "it: the property list pins nothing"),
            ("<plist/>", "it:1:1: the property list holds nothing"),
            ("<plist><dict><key>a</key></dict></plist>", "the key \"a\" has no value"),
            ("<plist><dict><string>a</string></dict></plist>", "a <key> of at most 512 bytes must stand here"),
            ("<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", "the key \"a\" stands twice"),
            ("<plist><dict><key>a</key><what/></dict></plist>", "<what> is no part of a property list"),
            ("<plist><dict>", "line 1"), ("<html/>", "<html> is neither a property list nor"),
            ("bplist00", "the binary property list cannot be read: it is cut short"),
        ])
    func refused(_ text: String, _ words: String) {
        #expect(
            Sample.refusal([Sample.file("it", text)]).contains(words), "\(Sample.refusal([Sample.file("it", text)]))")
    }

    @Test func `damaged binary lists are refused, never a crash`() throws {
        let whole = try Sample.file("Info.binary.plist").bytes
        for cut in stride(from: 8, to: whole.count, by: 7) {
            let refusal = Sample.refusal([HandedFile(name: "it", bytes: Array(whole[..<cut]))])
            #expect(refusal.hasPrefix("it: the binary property list"), "\(cut): \(refusal)")
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 8..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = Sample.refusal([HandedFile(name: "it", bytes: bytes)])
        }
    }

    @Test func `a binary list that refers to itself, or grows without end, is refused`() {
        // One array that holds itself twice, and a ladder of arrays that each hold the next one twice.
        for objects in [[[0xA2, 0, 0]], (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]] as [[[UInt8]]]
        {
            var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += object
            }
            let table = UInt8(bytes.count)
            bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
            let refusal = Sample.refusal([HandedFile(name: "it", bytes: bytes)])
            #expect(refusal.contains("the binary property list cannot be read"), "\(refusal)")
        }
    }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
