import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct ManagedChannelTests {
    private let fixture = ManagedFixture()
    private static let secret = "whsec_" + String(repeating: "c2VjcmV0", count: 4)

    @Test func `A webhook without a secret gets one, shown this once`() async throws {
        let body = #"{"name":"pager","type":"webhook","url":"https://hooks.example/T0K3N"}"#
        let made = await fixture.answer("POST", "/api/v1/channels", body)
        #expect(made.status == 201 && made.header("Location") == "/api/v1/channels/pager")
        #expect(made.json["secret"] == .string("whsec_bmV3"))
        #expect(made.json["url_host"] == .string("hooks.example"))
        let read = await fixture.answer("GET", "/api/v1/channels/pager")
        #expect(read.json["secret"] == nil && read.json["secret_set"] == .bool(true))
        #expect(!(made.text + read.text).contains("T0K3N"))
    }

    @Test func `A secret that was given is not shown at all`() async {
        let body = #"{"name":"pager","type":"webhook","url":"https://a.example/","secret":"\#(Self.secret)"}"#
        let made = await fixture.answer("POST", "/api/v1/channels", body)
        #expect(made.status == 201 && made.json["secret"] == nil && !made.text.contains(Self.secret))
        let listed = await fixture.answer("GET", "/api/v1/channels")
        #expect(listed.json["total"] == .integer(2) && !listed.text.contains(Self.secret))
    }

    @Test(arguments: [
        (#"{"name":"a b","type":"slack","url":"https://a.example"}"#, "name"),
        (#"{"name":"a","type":"mail","url":"https://a.example"}"#, "type"), (#"{"name":"a","type":"slack"}"#, "url"),
        (#"{"name":"a","type":"slack","url":"https://a.example","secret":"whsec_x"}"#, "secret"),
    ])
    func `A channel that cannot be is refused`(body: String, field: String) async {
        let answer = await fixture.answer("POST", "/api/v1/channels", body)
        #expect(answer.status == 422 && answer.error(field) != nil, "\(answer.text)")
    }

    @Test func `Without a secret_key nothing secret is taken`() async {
        let fixture = ManagedFixture { $0.configuration.secretKeys = [] }
        let body = #"{"name":"a","type":"slack","url":"https://a.example"}"#
        let answer = await fixture.answer("POST", "/api/v1/channels", body)
        #expect(answer.status == 422 && answer.text.contains("openssl rand"))
        #expect(await fixture.answer("PATCH", "/api/v1/channels/ops", #"{"allow_private":true}"#).status == 200)
    }

    @Test func `Rotation makes a first key, keeps the one before, and shows the new one once`() async throws {
        let answer = await fixture.answer("PATCH", "/api/v1/channels/ops", #"{"rotate_secret":true}"#)
        #expect(answer.json["secret"] == .string("whsec_bmV3") && answer.json["secrets"] == .integer(2))
        let sealed = try #require(fixture.managing.now.channels["ops"]?.channel.sealed)
        #expect(sealed.secrets == [Array("whsec_bmV3".utf8.reversed()), [8]] && sealed.url == [7])
        #expect(await fixture.answer("GET", "/api/v1/channels/ops").json["secret"] == nil)
    }

    @Test func `A secret is replaced without the one before`() async throws {
        let answer = await fixture.answer("PATCH", "/api/v1/channels/ops", #"{"secret":"\#(Self.secret)"}"#)
        #expect(answer.json["secret"] == nil && answer.json["secrets"] == .integer(1))
        let both = #"{"secret":"\#(Self.secret)","rotate_secret":true}"#
        #expect(await fixture.answer("PATCH", "/api/v1/channels/ops", both).error("rotate_secret") != nil)
    }

    @Test(arguments: [#"{"secret":null}"#, #"{"secret":null,"allow_private":true}"#])
    func `A secret is not taken away by null, and the refusal names it`(body: String) async {
        let answer = await fixture.answer("PATCH", "/api/v1/channels/ops", body)
        #expect(answer.status == 422 && answer.error("secret")?.contains("rotate_secret") == true, "\(answer.text)")
        #expect(fixture.managing.now.changes.isEmpty)
    }

    @Test(arguments: [#"{"rotate_secret":true}"#, #"{"secret":"whsec_x"}"#])
    func `A channel that does not sign has no secret`(body: String) async {
        fixture.managing.set { $0.channels["ops"]?.channel.kind = .slack }
        #expect(await fixture.answer("PATCH", "/api/v1/channels/ops", body).status == 422)
    }

    @Test func `A channel's state tells the gravest that is known`() async {
        func state(_ outlook: ChannelOutlook, _ edit: @Sendable (inout ChannelRecord) -> Void) async -> JSON? {
            let fixture = ManagedFixture { $0.outlooks = ["ops": outlook] }
            fixture.managing.set { contents in
                if var record = contents.channels["ops"] {
                    edit(&record)
                    contents.channels["ops"] = record
                }
            }
            return await fixture.answer("GET", "/api/v1/channels/ops").json["state"]
        }
        #expect(await state(.init()) { _ in } == .string("ok"))
        #expect(await state(.init()) { $0.failures = 1 } == .string("failing"))
        #expect(await state(.init(isSealed: true)) { $0.failures = 1 } == .string("sealed"))
        #expect(await state(.init(isSealed: true)) { $0.disabledAt = now } == .string("disabled"))
    }

    @Test func `A test tells what came of it, delivered or not, and is audited`() async {
        let good = await fixture.answer("POST", "/api/v1/channels/ops/test")
        #expect(good.text == #"{"delivered":true,"status":204,"error":null,"ms":12}"#)
        #expect(fixture.managing.now.audit.last?.action == .channelTest)
        let bad = ManagedFixture { $0.attempt = Attempt(at: now, status: nil, error: "refused", milliseconds: 3) }
        let answer = await bad.answer("POST", "/api/v1/channels/ops/test")
        #expect(answer.text == #"{"delivered":false,"status":null,"error":"refused","ms":3}"#)
        #expect(await fixture.answer("POST", "/api/v1/channels/none/test").status == 404)
    }
}

@Suite struct ManagedPinSetTests {
    private static let native = #"{"pinwatch":1,"app":"shop-ios","release":"6","client":"generic","policy":{}}"#

    @Test func `A native file is taken as the body itself, and as text in it`() async {
        let fixture = ManagedFixture { $0.understanding = .success(definition(release: "6")) }
        let made = await fixture.answer("POST", "/api/v1/pin-sets", Self.native)
        #expect(made.status == 201 && made.header("Location") == "/api/v1/pin-sets/2")
        #expect(await fixture.answer("POST", "/api/v1/pin-sets", #"{"source":"pinwatch: 1\n"}"#).status == 409)
        #expect(fixture.administration.texts.all == [Self.native, "pinwatch: 1\n"])
    }

    @Test(arguments: [
        ("app", "null"), ("release", "null"), ("release", "6"), ("release", "true"), ("app", #""""#),
        ("release", #""a\nb""#), ("pinwatch", "2"), ("pinwatch", #""1""#),
    ])
    func `What a native file of JSON says of itself is of the type that the document names`(
        member: String, value: String
    ) async throws {
        let head = ["pinwatch": "1", "app": #""shop-ios""#, "release": #""6""#].merging([member: value]) { $1 }
        let members = head.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        let fixture = ManagedFixture()
        let body = "{\(members),\"client\":\"generic\",\"policy\":{}}"
        let answer = await fixture.answer("POST", "/api/v1/pin-sets?preview=true", body)
        #expect(answer.status == 422 && answer.error(member) != nil, "\(answer.text)")
        #expect(fixture.administration.texts.all.isEmpty)
    }

    @Test func `A preview stores nothing`() async {
        let fixture = ManagedFixture()
        let answer = await fixture.answer("POST", "/api/v1/pin-sets?preview=true", Self.native)
        #expect(answer.status == 200 && answer.json["release"] == .string("5.2.0"))
        #expect(fixture.managing.now.changes.isEmpty)
        #expect(await fixture.answer("POST", "/api/v1/pin-sets?preview=1", Self.native).status == 400)
    }

    @Test func `Faults of a file stand at their line and column`() async {
        let problems = [
            PinwatchCore.Problem(file: "the body", mark: Mark(line: 3, column: 7), message: "is wrong"),
            PinwatchCore.Problem(file: "the body", mark: nil, message: "is no pin file"),
        ]
        let fixture = ManagedFixture { $0.understanding = .failure(TextFaults(problems)) }
        for (method, path) in [("POST", "/api/v1/pin-sets"), ("PATCH", "/api/v1/pin-sets/1")] {
            let answer = await fixture.answer(method, path, #"{"source":"x"}"#)
            #expect(answer.status == 422 && answer.error("3:7") == "is wrong")
            #expect(answer.error("source") == "is no pin file")
        }
    }

    @Test func `A pin set shows its hosts, and counts verdicts in four groups`() async throws {
        let text = await ManagedFixture().answer("GET", "/api/v1/pin-sets/1").text
        #expect(text.contains(#""verdicts":{"accept":3,"reject":4,"unknown":1,"other":4}"#))
        #expect(
            text.contains(
                #""hosts":[{"pattern":"*.example.com","match":"leaf","pins":["sha256/AAAA"],"pin_count":1,"expires":"2026-12-01T12:00:00Z"}]"#
            ))
        #expect(text.contains(#""source":"pinwatch: 1","targets":[{"id":"1","label":"api.example.com","verdict":"#))
    }

    @Test func `A policy that its client would not load is told`() async {
        var policy = SamplePolicy()
        policy.configurationError = Verdict(.configError, code: "empty", reason: "no pins")
        let broken = definition(policy: policy)
        let fixture = ManagedFixture { $0.understanding = .success(broken) }
        let answer = await fixture.answer("POST", "/api/v1/pin-sets?preview=true", #"{"source":"x"}"#)
        #expect(answer.text.contains(#""problems":[{"client":"generic","code":"empty","reason":"no pins"}]"#))
    }
}

@Suite struct ManagedSilenceTests {
    private let fixture = ManagedFixture()
    private static let end = #""ends_at":"2026-12-01T00:00:00Z""#

    @Test func `A silence begins now if nothing is said, and keeps its matchers`() async throws {
        let body =
            #"{"matchers":{"targets":["1"],"host":"*.Example.com","labels":{"a":"1"},"kind":["scan.failing"],"#
            + #""severity":["info"]},\#(Self.end),"comment":"work"}"#
        let answer = await fixture.answer("POST", "/api/v1/silences", body)
        #expect(answer.status == 201 && answer.header("Location") == "/api/v1/silences/2")
        let silence = try #require(fixture.managing.now.silences[SilenceID(2)]).silence
        #expect(silence.startsAt == now && silence.endsAt == now + 43_200 && silence.comment == "work")
        #expect(
            silence.matchers
                == .init(
                    targets: [TargetID(1)], host: "*.example.com", labels: ["a": "1"], kinds: [.scanFailing],
                    severities: [.info]))
    }

    @Test(arguments: [
        (#"{"matchers":{},\#(end)}"#, "matchers", "at least one"), (#"{\#(end)}"#, "matchers", "is needed"),
        (#"{"matchers":{"kind":["scan.failing"]}}"#, "ends_at", "is needed"),
        (#"{"matchers":{"kind":["scan.failing"]},"ends_at":"2026-11-30T12:00:00Z"}"#, "ends_at", "later than now"),
        (#"{"matchers":{"kind":["scan.failing"]},"ends_at":"tomorrow"}"#, "ends_at", "must be a time"),
        (
            #"{"matchers":{"kind":["scan.failing"]},"starts_at":"2027-01-01T00:00:00Z",\#(end)}"#, "ends_at",
            "later than starts_at"
        ),
        (#"{"matchers":{"targets":["9"]},\#(end)}"#, "matchers.targets", "no target 9"),
        (#"{"matchers":{"targets":["x"]},\#(end)}"#, "matchers.targets[0]", "must be an id"),
        (#"{"matchers":{"host":"a b"},\#(end)}"#, "matchers.host", "blank"),
        (#"{"matchers":{"host":"a.example:1"},\#(end)}"#, "matchers.host", "ports"),
        (#"{"matchers":{"kind":["none"]},\#(end)}"#, "matchers.kind[0]", "must be one of"),
        (
            #"{"matchers":{"severity":["info"]},"weekly":{"weekdays":[],"from":"24:00","to":"1:00","zone":"Mars"}}"#,
            "weekly.from", "time of day"
        ),
        (
            #"{"matchers":{"severity":["info"]},"weekly":{"weekdays":["mon"],"from":"22:00","to":"01:00","zone":"Mars"}}"#,
            "weekly.zone", "no time zone"
        ),
    ])
    func `A silence that cannot be is refused`(body: String, field: String, words: String) async {
        for path in ["/api/v1/silences", "/api/v1/silences/preview"] {
            let answer = await fixture.answer("POST", path, body)
            #expect(answer.status == 422)
            #expect(answer.error(field)?.contains(words) == true, "\(answer.text)")
        }
    }

    @Test func `A weekly silence needs no end, and its times read as they were written`() async {
        let text = await fixture.answer("GET", "/api/v1/silences/1").text
        #expect(
            text.contains(
                #""weekly":{"weekdays":["mon","sat"],"from":"22:00","to":"01:05","zone":"Europe/Berlin"}"#))
        #expect(text.contains(#""ends_at":null"#))
    }

    @Test func `Only the end and the comment are changed`() async {
        let path = "/api/v1/silences/1"
        let changed = await fixture.answer("PATCH", path, #"{"ends_at":"2026-12-01T00:00:00Z","comment":"short"}"#)
        #expect(
            changed.json["ends_at"] == .string("2026-12-01T00:00:00Z") && changed.json["comment"] == .string("short"))
        #expect(await fixture.answer("PATCH", path, #"{"ends_at":null}"#).json["ends_at"] == .null)
        #expect(await fixture.answer("PATCH", path, #"{"matchers":{}}"#).error("matchers") != nil)
        fixture.managing.set { $0.silences[SilenceID(1)]?.silence.weekly = nil }
        #expect(await fixture.answer("PATCH", path, #"{"ends_at":null}"#).error("ends_at") != nil)
    }
}

@Suite struct ManagedOtherTests {
    private let fixture = ManagedFixture()

    @Test func `A route is merged from what is there`() async throws {
        let answer = await fixture.answer(
            "PATCH", "/api/v1/routes/1", #"{"severity":null,"kind":["scan.failing"],"labels":{"app":null,"x":"y"}}"#)
        #expect(
            answer.text
                == #"{"id":"1","severity":[],"kind":["scan.failing"],"labels":{"x":"y"},"events":[],"channels":["ops"],"#
                + #""managed_by":"api","revision":2}"#)
        #expect(fixture.managing.now.changes.last?.expecting == 1)
        let twice = await fixture.answer("POST", "/api/v1/routes", #"{"channels":["ops","ops"]}"#)
        #expect(twice.error("channels") == "names a channel twice")
        #expect(await fixture.answer("POST", "/api/v1/routes", #"{"channels":[]}"#).status == 422)
    }

    @Test func `A short list is paged too`() async {
        fixture.managing.set { contents in
            for id in 2...5 {
                contents.routes[Int64(id)] = RouteRecord(
                    id: Int64(id), route: PinwatchCore.Route(channels: ["ops"]), managedBy: .config, revision: 1)
            }
        }
        var (seen, path): ([String], String?) = ([], "/api/v1/routes?limit=2")
        while let asked = path {
            let page = await fixture.answer("GET", asked).json
            seen += page["items"]?.items.compactMap { $0["id"]?.string } ?? []
            #expect(page["total"] == .integer(5))
            path = page["next"]?.string.map { "/api/v1/routes?limit=2&cursor=\($0)" }
        }
        #expect(seen == ["1", "2", "3", "4", "5"])
        #expect(await fixture.answer("GET", "/api/v1/routes?cursor=9").status == 400)
        #expect(await fixture.answer("GET", "/api/v1/routes?cursor=x").status == 400)
    }

    @Test func `An alert is acknowledged with a note, with none, and without a body`() async {
        let path = "/api/v1/alerts/1/acknowledge"
        let noted = await fixture.answer("POST", path, #"{"note":"on it"}"#)
        #expect(noted.json["acknowledged"]?["note"] == .string("on it"))
        #expect(noted.json["state"] == .string("acknowledged"))
        #expect(await fixture.answer("POST", path).json["acknowledged"]?["note"] == .null)
        #expect(await fixture.answer("POST", path, #"{"note":null}"#).status == 200)
        #expect(await fixture.answer("DELETE", path).json["state"] == .string("open"))
        #expect(await fixture.answer("DELETE", "/api/v1/alerts/9/acknowledge").status == 404)
    }

    @Test func `A delivery is shown with its message, and tried again while it can be`() async {
        #expect(
            await fixture.answer("GET", "/api/v1/deliveries/1").json["message"] == .object([("id", .string("msg_1"))]))
        let again = await fixture.answer("POST", "/api/v1/deliveries/1/retry")
        #expect(again.status == 202 && again.json["state"] == .string("pending") && again.json["message"] == nil)
        fixture.managing.set { $0.deliveries[1]?.state = .delivered }
        #expect(await fixture.answer("POST", "/api/v1/deliveries/1/retry").status == 409)
    }

    @Test func `A token's text is in the answer that makes it, and nowhere else`() async {
        let made = await fixture.answer(
            "POST", "/api/v1/tokens", #"{"name":"Ben","role":"viewer","expires_at":"2026-12-01T00:00:00Z"}"#)
        #expect(made.status == 201 && made.json["token"] == .string("pw_new"))
        #expect(made.header("Location") == "/api/v1/tokens/2")
        let read = await fixture.answer("GET", "/api/v1/tokens/2")
        #expect(read.json["token"] == nil && read.json["state"] == .string("valid"))
        #expect(await fixture.answer("DELETE", "/api/v1/tokens/2").status == 204)
        #expect(await fixture.answer("GET", "/api/v1/tokens/2").json["state"] == .string("revoked"))
        let past = #"{"name":"Ben","role":"viewer","expires_at":"2026-11-30T12:00:00Z"}"#
        #expect(await fixture.answer("POST", "/api/v1/tokens", past).error("expires_at") != nil)
    }

    @Test func `A reload tells what changed, or every fault at its place`() async {
        #expect(
            await fixture.answer("POST", "/api/v1/settings/reload").text
                == #"{"changed":true,"changes":[{"section":"scan","name":"period","what":"changed","#
                + #""detail":"5m → 1m"}],"restart_needed":["listen"],"loaded_at":"2026-11-30T12:00:00Z"}"#)
        let faults = ReloadFaults([
            PinwatchCore.Problem(file: "/etc/p.yaml", mark: Mark(line: 2, column: 3), message: "is wrong")
        ])
        let answer = await ManagedFixture { $0.faults = faults }.answer("POST", "/api/v1/settings/reload")
        #expect(answer.status == 422 && answer.error("/etc/p.yaml:2:3") == "is wrong")
    }

    @Test func `Settings show no secret`() async {
        let answer = await fixture.answer("GET", "/api/v1/settings")
        #expect(answer.json["secret_key"] == .bool(true) && answer.json["tls"] == .bool(false))
        #expect(answer.json["trust_stores"] == .strings(["corp", "system"]))
        #expect(!answer.text.contains(#""key""#))
    }

    @Test(arguments: [
        ("targets", "paused=true&managed_by=api"), ("events", "class=unpinned"), ("alerts", "target_id=1"),
        ("pin-sets", "app=shop-ios&release=5&variant=debug&managed_by=config"),
        ("silences", "state=active&state=ended"), ("audit", "action=target.scan&actor=Anna&object_type=target"),
    ])
    func `The documented filters are taken, others refused`(list: String, query: String) async {
        #expect(await fixture.answer("GET", "/api/v1/\(list)?\(query)").status == 200)
        #expect(await fixture.answer("GET", "/api/v1/\(list)?colour=red").status == 400)
    }
}
