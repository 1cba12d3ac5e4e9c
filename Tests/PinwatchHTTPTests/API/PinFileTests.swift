import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct PinImportTests {
    private let fixture = ManagedFixture()
    private static let path = "/api/v1/pin-sets/import"
    private static let files = #"{"files":[{"name":"Info.plist","text":"<plist/>"},{"name":"a.cer","base64":"MAA=\n"}]"#

    private func fits(_ answer: Response, _ schema: Schema) async -> [String] {
        SchemaCheck(document: await fixture.answer("GET", "/api/v1/openapi.json").json)
            .faults(of: answer.json, against: schema.json)
    }

    @Test func `A preview says what was understood, and stores nothing`() async {
        fixture.files.set { $0.readings = .success([reading(release: "5.2.0"), reading(isRead: false)]) }
        let answer = await fixture.answer("POST", Self.path + "?preview=true", Self.files + "}")
        #expect(answer.status == 200)
        #expect(fixture.files.now.asked == ["read Info.plist:8 a.cer:2"])
        let items = answer.json["items"]?.items ?? []
        #expect(items.map { $0["exists"] } == [.string("1"), .null])
        #expect(items.map { $0["pin_set"]?["release"] } == [.string("5.2.0"), nil])
        #expect(fixture.managing.now.changes.isEmpty)
        #expect(await fits(answer, .object([("items", .list(of: .named(.pinFileReading)))])) == [])
    }

    @Test func `What only the owner knows reaches the reader`() async throws {
        let more =
            #","app":"shop","release":"7","variant":"debug","client":"okhttp","host":"a.example""#
            + #","share":0.25"#
            + #","build_settings":{"PIN":"AAAA"}}"#
        #expect(await fixture.answer("POST", Self.path + "?preview=true", Self.files + more).status == 200)
        let context = try #require(fixture.files.now.contexts.first)
        #expect(context.app == "shop" && context.release == "7" && context.variant == .debug)
        #expect(context.client == .okhttp && context.host == "a.example" && context.share == 0.25)
        #expect(context.buildSettings == ["PIN": "AAAA"])
    }

    @Test func `An import is stored with its files, which can be read again`() async {
        let made = await fixture.answer("POST", Self.path, Self.files + "}")
        #expect(made.status == 201, "\(made.text)")
        #expect(await fits(made, .object([("items", .list(of: .named(.pinSetDetail)))])) == [])
        let item = made.json["items"]?.items.first
        #expect(item?["id"] == .string("2") && item?["has_originals"] == .bool(true))
        let originals = await fixture.answer("GET", "/api/v1/pin-sets/2/originals")
        #expect(
            originals.text
                == #"{"items":[{"name":"Info.plist","text":"<plist/>"},{"name":"b","base64":"/w=="}]}"#)
        #expect(await fits(originals, .object([("items", .list(of: .named(.handedFile)))])) == [])
        #expect(await fixture.answer("GET", "/api/v1/pin-sets/9/originals").status == 404)
    }

    @Test func `One of the same identity stays unless it is to be replaced, and is named`() async {
        fixture.files.set { $0.readings = .success([reading(release: "5.2.0")]) }
        let refused = await fixture.answer("POST", Self.path, Self.files + "}")
        #expect(refused.status == 409 && refused.json["pin_set_id"] == .string("1"))
        #expect(await fits(refused, .named(.problem)) == [])
        let replaced = await fixture.answer("POST", Self.path, Self.files + #","replace":true}"#)
        #expect(replaced.status == 201 && replaced.json["items"]?.items.first?["revision"] == .integer(2))
    }

    @Test func `Questions that must be answered stand against storing, and a text in its place answers them`() async {
        let question = Question(id: "client", words: "Which library?", key: "client", mustAnswer: true)
        fixture.files.set { $0.readings = .success([reading(questions: [question], isRead: false)]) }
        let refused = await fixture.answer("POST", Self.path, Self.files + "}")
        #expect(refused.status == 422 && refused.error("client") == "Which library?")
        let mended = await fixture.answer("POST", Self.path, Self.files + #","source":"pinwatch: 1\n","replace":true}"#)
        #expect(mended.status == 201 && fixture.administration.texts.all == ["pinwatch: 1\n"])
        #expect(mended.json["items"]?.items.first?["origin"] == .string("Info.plist, a.cer"))
        #expect(mended.json["items"]?.items.first?["has_originals"] == .bool(true))
    }

    @Test func `Faults of the text stand at their places`() async {
        let problem = PinwatchCore.Problem(file: "API", mark: Mark(line: 3, column: 7), message: "is wrong")
        fixture.files.set { $0.readings = .success([reading(problems: [problem], isRead: false)]) }
        #expect(await fixture.answer("POST", Self.path, Self.files + "}").error("3:7") == "is wrong")
    }

    @Test func `One text cannot stand for several releases, nor two releases have one name`() async {
        fixture.files.set { $0.readings = .success([reading(release: "6"), reading(release: "7")]) }
        let source = await fixture.answer("POST", Self.path, Self.files + #","source":"x"}"#)
        #expect(source.status == 422 && source.error("source") != nil)
        #expect(await fixture.answer("POST", Self.path, Self.files + "}").json["items"]?.items.count == 2)
        fixture.files.set { $0.readings = .success([reading(release: "8"), reading(release: "8")]) }
        #expect(await fixture.answer("POST", Self.path, Self.files + "}").error("app") != nil)
    }

    @Test(arguments: [
        (#"{"files":[]}"#, "files"), (#"{}"#, "files"), (#"{"files":[{"name":"a"}]}"#, "files[0].text"),
        (#"{"files":[{"name":"a","text":""}]}"#, "files[0].text"),
        (#"{"files":[{"name":"a","text":"x","base64":"eA=="}]}"#, "files[0].base64"),
        (#"{"files":[{"name":"a","base64":"e A="}]}"#, "files[0].base64"),
        (#"{"files":[{"name":"a","base64":"eA"}]}"#, "files[0].base64"),
        (#"{"files":[{"name":"a\nb","text":"x"}]}"#, "files[0].name"),
        (#"{"files":[{"name":"a","text":"x"}],"share":1.5}"#, "share"),
        (#"{"files":[{"name":"a","text":"x"}],"client":"netscape"}"#, "client"),
        (#"{"files":[{"name":"a","text":"x"}],"build_settings":{"A":1}}"#, "build_settings.A"),
        (#"{"files":[{"name":"a","text":"x"}],"path":"/etc/passwd"}"#, "path"),
    ])
    func `What is no hand-over is refused at its place`(body: String, field: String) async {
        for path in [Self.path, Self.path + "?preview=true", "/api/v1/lint"] {
            let answer = await fixture.answer("POST", path, body)
            #expect(answer.status == 422 && answer.error(field) != nil, "\(answer.text)")
        }
        #expect(fixture.files.now.asked.isEmpty)
    }

    @Test func `At most a hundred files are handed over at once`() async {
        let file = #"{"name":"a","text":"x"}"#
        func body(_ count: Int) -> String {
            #"{"files":[\#(Array(repeating: file, count: count).joined(separator: ","))]}"#
        }
        #expect(await fixture.answer("POST", Self.path + "?preview=true", body(100)).status == 200)
        #expect(await fixture.answer("POST", Self.path + "?preview=true", body(101)).error("files") != nil)
    }

    @Test func `Files that cannot be read are told by name and place, a busy service by when to come back`() async {
        let faults = [
            PinwatchCore.Problem(file: "a.xml", mark: Mark(line: 2, column: 1), message: "is no XML"),
            PinwatchCore.Problem(file: "key.pem", mark: nil, message: "it holds a private key"),
        ]
        fixture.files.set { $0.readings = .failure(.faults(TextFaults(faults))) }
        let refused = await fixture.answer("POST", Self.path, Self.files + "}")
        #expect(refused.status == 422 && refused.error("a.xml:2:1") == "is no XML")
        #expect(refused.error("key.pem") == "it holds a private key")
        fixture.files.set { $0.readings = .failure(.busy) }
        let busy = await fixture.answer("POST", Self.path, Self.files + "}")
        #expect(busy.status == 503 && busy.header("Retry-After") == "5")
    }
}

@Suite struct PinExportTests {
    private let fixture = ManagedFixture()

    @Test func `A pin set is written in the format that is asked for`() async {
        let answer = await fixture.answer("GET", "/api/v1/pin-sets/1/export?format=okhttp-kotlin")
        #expect(answer.status == 200 && answer.text == "written")
        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(await fixture.answer("GET", "/api/v1/pin-sets/1/export").status == 200)
        let label = "export shop-ios 5.2.0 as "
        #expect(fixture.files.now.asked == [label + "okhttp-kotlin", label + "native"])
        let unknown = await fixture.answer("GET", "/api/v1/pin-sets/1/export?format=gif")
        #expect(unknown.status == 400 && unknown.error("format")?.contains("native, okhttp-kotlin") == true)
        #expect(await fixture.answer("GET", "/api/v1/pin-sets/9/export?format=native").status == 404)
        let fault = PinwatchCore.Problem(file: "format", mark: nil, message: "it holds no host")
        fixture.files.set { $0.exported = .failure(.faults(TextFaults([fault]))) }
        let refused = await fixture.answer("GET", "/api/v1/pin-sets/1/export?format=native")
        #expect(refused.status == 422 && refused.error("format") == "it holds no host")
    }

    @Test func `What a target serves now is written as its pins`() async throws {
        let span = Span(
            id: SpanID(1), family: .ecdsa, chain: ChainID(digest: digest(9)), firstSeen: now, lastSeen: now,
            closedAt: nil, scans: 1, flaps: 0, servings: [])
        fixture.store.change { contents in
            contents.spans = [SpanRecord(targetID: TargetID(1), span: span, chain: [digest(0xAB)], spki: nil)]
        }
        let answer = await fixture.answer("GET", "/api/v1/targets/1/export?format=native&issuers=true")
        #expect(answer.status == 200 && answer.text == "written")
        let served = try #require(fixture.files.now.served.first)
        #expect(served.host == "api.example.com" && served.withIssuers)
        #expect(served.chains.map { $0.map(\.fingerprint) } == [[digest(0xAB)]])
        #expect(fixture.store.requests.last?.filters == ["open": ["true"]])
        #expect(await fixture.answer("GET", "/api/v1/targets/9/export").status == 404)
        #expect(await fixture.answer("GET", "/api/v1/targets/1/export?issuers=1").status == 400)
    }
}

@Suite struct LintTests {
    private let fixture = ManagedFixture()

    @Test(arguments: [#"{"files":[{"name":"Info.plist","text":"<plist/>"}]}"#, #"{"pin_set_id":"1"}"#])
    func `What is wrong is listed and counted`(body: String) async {
        fixture.files.set { $0.lint = .success([lintProblem]) }
        let answer = await fixture.answer("POST", "/api/v1/lint", body)
        #expect(answer.status == 200 && answer.json["errors"] == .integer(1) && answer.json["notes"] == .integer(0))
        let item = answer.json["items"]?.items.first
        #expect(item?["line"] == .integer(3) && item?["rule"] == .string("config_error"))
        #expect(fixture.managing.now.changes.isEmpty)
        let shown = await fixture.answer("GET", "/api/v1/pin-sets/1").json["lint"]?.items.first
        #expect(shown == item)
    }

    @Test(arguments: [#"{"pin_set_id":"9"}"#, #"{"pin_set_id":1}"#, #"{"pin_set_id":"1","app":"a"}"#])
    func `A pin set that is none, or is asked about with files' words, is refused`(body: String) async {
        let answer = await fixture.answer("POST", "/api/v1/lint", body)
        #expect(answer.status == 422 && answer.json["errors"]?.items.isEmpty == false, "\(answer.text)")
    }
}

@Suite struct ListedPinSetTests {
    @Test func `A list tells the first hosts and pins of each, and how many there are`() async throws {
        var policy = SamplePolicy()
        let pins = (0..<12).map { Pin.spki(text: "\($0)") }
        policy.hosts = (0..<25).map { PinnedHost(pattern: "h\($0).example", match: "leaf", pins: pins, expires: nil) }
        let large = definition(policy: policy)
        let fixture = ManagedFixture()
        fixture.managing.set { contents in
            contents.pinSets[PinSetID(1)]?.pinSet = PinSet(id: PinSetID(1), definition: large)
        }
        let listed = try #require(await fixture.answer("GET", "/api/v1/pin-sets").json["items"]?.items.first)
        #expect(listed["hosts"]?.items.count == 20 && listed["host_count"] == .integer(25))
        #expect(listed["hosts"]?.items.first?["pins"]?.items.count == 10)
        #expect(listed["hosts"]?.items.first?["pin_count"] == .integer(12))
        let whole = await fixture.answer("GET", "/api/v1/pin-sets/1").json
        #expect(whole["hosts"]?.items.count == 25 && whole["hosts"]?.items.first?["pins"]?.items.count == 12)
    }
}
