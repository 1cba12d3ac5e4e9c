import PinwatchCore
import Testing

@testable import PinwatchHTTP

/// A request that a test makes of a route.
struct Asked: Sendable, CustomTestStringConvertible {
    let method: String
    let pattern: String
    let target: String
    var body: String?
    let status: Int

    init(_ method: String, _ pattern: String, _ target: String? = nil, _ body: String? = nil, _ status: Int = 200) {
        self.method = method
        self.pattern = pattern
        self.target = target ?? pattern.replacing("{id}", with: "1")
        self.body = body
        self.status = status
    }

    var testDescription: String { "\(method) \(target) \(status)" }
}

@Suite struct AnswerTests {
    private static let weekly = #"{"weekdays":["sat"],"from":"22:00","to":"02:00","zone":"Europe/Berlin"}"#
    private static let certificate = "/api/v1/certificates/" + digest(0xAB).hex

    private static let handed = #"{"files":[{"name":"Info.plist","text":"<plist/>"}]}"#

    private static let asked: [Asked] = [
        Asked("GET", "/api/v1"), Asked("GET", "/api/v1/openapi.json"), Asked("GET", "/api/v1/summary"),
        Asked("GET", "/api/v1/targets"),
        Asked("POST", "/api/v1/targets", nil, #"{"host":"new.example.com"}"#, 201),
        Asked("POST", "/api/v1/targets", nil, #"[{"host":"new.example.com"},{"host":"192.0.2.9"}]"#, 201),
        Asked("POST", "/api/v1/targets", nil, #"{"host":"api.example.com"}"#, 409),
        Asked("POST", "/api/v1/targets", nil, #"{"host":"a b"}"#, 422),
        Asked("POST", "/api/v1/targets", nil, "{", 400),
        Asked("POST", "/api/v1/targets/preview", nil, #"{"text":"a.example, b.example # c\n a.example a..b"}"#),
        Asked("GET", "/api/v1/targets/{id}"), Asked("GET", "/api/v1/targets/{id}", "/api/v1/targets/9", nil, 404),
        Asked("PATCH", "/api/v1/targets/{id}", nil, #"{"paused":true}"#),
        Asked("DELETE", "/api/v1/targets/{id}", nil, nil, 204),
        Asked("POST", "/api/v1/targets/{id}/scan", nil, nil, 202),
        Asked("POST", "/api/v1/targets/{id}/scan", "/api/v1/targets/1/scan?wait=30s"),
        Asked("GET", "/api/v1/targets/{id}/spans"), Asked("GET", "/api/v1/targets/{id}/observations"),
        Asked("GET", "/api/v1/targets/{id}/verdicts"), Asked("GET", "/api/v1/certificates/{name}", certificate),
        Asked("GET", "/api/v1/keys/{spki}", "/api/v1/keys/" + digest(0xFB).base64url),
        Asked("GET", "/api/v1/findings"), Asked("GET", "/api/v1/pin-sets"),
        Asked("POST", "/api/v1/pin-sets", nil, #"{"source":"pinwatch: 1"}"#, 409),
        Asked("POST", "/api/v1/pin-sets", "/api/v1/pin-sets?preview=true", #"{"source":"pinwatch: 1"}"#),
        Asked("GET", "/api/v1/pin-sets/{id}"),
        Asked("PATCH", "/api/v1/pin-sets/{id}", nil, #"{"source":"pinwatch: 1"}"#),
        Asked("DELETE", "/api/v1/pin-sets/{id}", nil, nil, 204), Asked("GET", "/api/v1/alerts"),
        Asked("GET", "/api/v1/alerts/{id}"),
        Asked("POST", "/api/v1/alerts/{id}/acknowledge", nil, #"{"note":"on it"}"#),
        Asked("DELETE", "/api/v1/alerts/{id}/acknowledge"), Asked("GET", "/api/v1/silences"),
        Asked("POST", "/api/v1/silences", nil, #"{"matchers":{"host":"a.example"},"weekly":\#(weekly)}"#, 201),
        Asked("POST", "/api/v1/silences/preview", nil, #"{"matchers":{"kind":["pin.rejected"]},"weekly":\#(weekly)}"#),
        Asked("GET", "/api/v1/silences/{id}"),
        Asked("PATCH", "/api/v1/silences/{id}", nil, #"{"comment":"longer","ends_at":"2026-12-24T00:00:00+01:00"}"#),
        Asked("DELETE", "/api/v1/silences/{id}", nil, nil, 204), Asked("GET", "/api/v1/events"),
        Asked("GET", "/api/v1/events/{id}"), Asked("GET", "/api/v1/deliveries"),
        Asked("GET", "/api/v1/deliveries/{id}"), Asked("POST", "/api/v1/deliveries/{id}/retry", nil, nil, 202),
        Asked("GET", "/api/v1/channels"),
        Asked("POST", "/api/v1/channels", nil, #"{"name":"new","type":"webhook","url":"https://a.example/x"}"#, 201),
        Asked("GET", "/api/v1/channels/{id}", "/api/v1/channels/ops"),
        Asked("PATCH", "/api/v1/channels/{id}", "/api/v1/channels/ops", #"{"rotate_secret":true}"#),
        Asked("DELETE", "/api/v1/channels/{id}", "/api/v1/channels/ops", nil, 204),
        Asked("POST", "/api/v1/channels/{id}/test", "/api/v1/channels/ops/test"), Asked("GET", "/api/v1/routes"),
        Asked("POST", "/api/v1/routes", nil, #"{"channels":["ops"],"events":["key.changed"]}"#, 201),
        Asked("GET", "/api/v1/routes/{id}"), Asked("PATCH", "/api/v1/routes/{id}", nil, #"{"severity":null}"#),
        Asked("DELETE", "/api/v1/routes/{id}", nil, nil, 204), Asked("GET", "/api/v1/tokens"),
        Asked("POST", "/api/v1/tokens", nil, #"{"name":"Ben","role":"viewer"}"#, 201),
        Asked("GET", "/api/v1/tokens/{id}"), Asked("DELETE", "/api/v1/tokens/{id}", nil, nil, 204),
        Asked("GET", "/api/v1/settings"), Asked("POST", "/api/v1/settings/reload"), Asked("GET", "/api/v1/audit"),
        Asked("GET", "/api/v1/session"), Asked("POST", "/api/v1/session", nil, #"{"token":"pw_wrong"}"#, 401),
        Asked("DELETE", "/api/v1/session", nil, nil, 204), Asked("GET", "/healthz"), Asked("GET", "/readyz"),
        Asked("POST", "/api/v1/pin-sets/import", nil, handed, 201),
        Asked("POST", "/api/v1/pin-sets/import", "/api/v1/pin-sets/import?preview=true", handed),
        Asked("POST", "/api/v1/pin-sets/import", nil, #"{"files":[]}"#, 422),
        Asked("GET", "/api/v1/pin-sets/{id}/export"), Asked("GET", "/api/v1/pin-sets/{id}/originals"),
        Asked("GET", "/api/v1/pin-sets/{id}/export", "/api/v1/pin-sets/1/export?format=gif", nil, 400),
        Asked("GET", "/api/v1/targets/{id}/export"), Asked("POST", "/api/v1/lint", nil, handed),
        Asked("POST", "/api/v1/lint", nil, #"{"pin_set_id":"1"}"#), Asked("GET", "/api/v1/verdicts"),
        Asked("GET", "/api/v1/runway"), Asked("GET", "/api/v1/coverage"), Asked("GET", "/api/v1/targets/{id}/matrix"),
        Asked("GET", "/api/v1/targets/{id}/matrix", "/api/v1/targets/9/matrix", nil, 404),
        Asked("POST", "/api/v1/preflight", nil, #"{"host":"api.example.com","csr":"MAA="}"#),
        Asked("POST", "/api/v1/preflight", nil, #"{"host":"https://a/","candidate":"MAA="}"#, 422),
        Asked("GET", "/metrics"), Asked("GET", "/api/v1/events/stream"),
    ]

    @Test func `Every route is asked here`() {
        let all = Set(ManagedFixture().routes.map { $0.method.rawValue + " " + $0.pattern })
        #expect(all == Set(Self.asked.map { $0.method + " " + $0.pattern }))
    }

    @Test(arguments: asked)
    func `An answer is as the document says`(asked: Asked) async throws {
        let fixture = ManagedFixture { $0.observations = [observation] }
        let answer = await fixture.answer(asked.method, asked.target, asked.body)
        try #require(answer.status == asked.status, "\(answer.text)")
        let document = await ManagedFixture().answer("GET", "/api/v1/openapi.json").json
        let check = SchemaCheck(document: document)
        let operation = document["paths"]?[asked.pattern]?[asked.method.lowercased()]
        var described = try #require(operation?["responses"]?[String(asked.status)], "no \(asked.status) there")
        if let reference = described["$ref"]?.string { described = try #require(check.resolve(reference)) }
        guard let type = answer.header("Content-Type")?.split(separator: ";").first.map(String.init) else {
            #expect(described["content"] == nil && answer.body.isEmpty)
            return
        }
        let schema = try #require(described["content"]?[type]?["schema"], "\(type) is not described")
        guard type.hasSuffix("json") else { return }
        #expect(check.faults(of: answer.json, against: schema) == [])
    }

    @Test(arguments: asked.filter { $0.body != nil && $0.status < 300 })
    func `A body that is taken is one that the document allows`(asked: Asked) async throws {
        let document = await ManagedFixture().answer("GET", "/api/v1/openapi.json").json
        let operation = document["paths"]?[asked.pattern]?[asked.method.lowercased()]
        let schema = try #require(operation?["requestBody"]?["content"]?["application/json"]?["schema"])
        let body = try JSON(parsing: Array((asked.body ?? "").utf8))
        #expect(SchemaCheck(document: document).faults(of: body, against: schema) == [])
    }

    @Test func `Messages to webhooks are as the document says`() async throws {
        let document = await ManagedFixture().answer("GET", "/api/v1/openapi.json").json
        let check = SchemaCheck(document: document)
        let record = try #require(StubReadingStore.Contents.sample.alerts.first)
        let event = try #require(StubReadingStore.Contents.sample.events.first)
        let target = targetRecord().target
        for (subject, name) in [
            (OutboxItem.Subject.alert(.opened, record.alert, record.finding), SchemaName.alertMessage),
            (.event(event.event), .eventMessage),
        ] {
            let item = OutboxItem(id: 1, channel: "ops", subject: subject, target: target, holdUntil: now, at: now)
            let message = try #require(
                AlertMessage(id: "msg_1", items: [item], links: MessageLinks(base: "https://p.example")) { $0.ascii })
            #expect(check.faults(of: message.json, against: name.schema.json) == [])
        }
    }
}
