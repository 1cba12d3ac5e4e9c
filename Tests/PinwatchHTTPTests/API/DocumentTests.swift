import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct DocumentTests {
    private let fixture = ManagedFixture()

    private func document() async -> JSON { await fixture.answer("GET", "/api/v1/openapi.json").json }

    @Test func `The document is open to all, and has an entity tag`() async throws {
        var contents = StubReadingStore.Contents.sample
        contents.tokens = [
            digest(0): TokenRecord(id: 1, name: "a", role: .admin, createdAt: now, expiresAt: nil, revokedAt: nil)
        ]
        let fixture = ManagedFixture(contents)
        let answer = await fixture.answer("GET", "/api/v1/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.json["openapi"] == .string("3.1.0"))
        let tag = try #require(answer.header("ETag"))
        #expect(await fixture.answer("GET", "/api/v1/openapi.json", nil, [("If-None-Match", tag)]).status == 304)
        #expect(await fixture.answer("GET", "/api/v1/targets").status == 401)
    }

    @Test func `Every route is an operation, with a name of its own`() async {
        let document = await document()
        for route in fixture.routes {
            let operation = document["paths"]?[route.pattern]?[route.method.rawValue.lowercased()]
            #expect(operation?["operationId"] == .string(route.operation.id), "\(route.method) \(route.pattern)")
            #expect(operation?["summary"]?.string?.hasSuffix(".") == true)
        }
        let ids = fixture.routes.map(\.operation.id)
        #expect(Set(ids).count == ids.count)
        let operations = document["paths"]?.members.flatMap { $0.1.members.filter { $0.0 != "parameters" } } ?? []
        #expect(operations.count == fixture.routes.count)
    }

    @Test func `A route's body rule and its document agree`() {
        for route in fixture.routes {
            #expect((route.body == .none) == (route.operation.body == nil), "\(route.method) \(route.pattern)")
            #expect(route.method != .get || route.body == .none)
        }
    }

    @Test func `Every reference leads somewhere, and every component is used`() async {
        let document = await document()
        var used: Set<String> = []
        func walk(_ value: JSON) {
            if let reference = value["$ref"]?.string {
                #expect(SchemaCheck(document: document).resolve(reference) != nil, "\(reference)")
                used.insert(reference)
            }
            value.members.forEach { walk($0.1) }
            value.items.forEach(walk)
        }
        walk(document)
        for name in SchemaName.allCases { #expect(used.contains("#/components/schemas/" + name.rawValue), "\(name)") }
        for refusal in Refusal.allCases { #expect(used.contains("#/components/responses/" + refusal.name)) }
    }

    @Test(arguments: [
        (
            "/api/v1/targets",
            [
                "readTarget", "changeTarget", "deleteTarget", "scanTarget", "listTargetSpans",
                "listTargetObservations", "listTargetVerdicts", "exportTarget", "readTargetMatrix",
            ], #"{"host":"new.example.com"}"#
        ),
        (
            "/api/v1/silences", ["readSilence", "changeSilence", "deleteSilence"],
            #"{"matchers":{"host":"a.example"},"ends_at":"2099-01-01T00:00:00Z"}"#
        ),
        (
            "/api/v1/channels", ["readChannel", "changeChannel", "deleteChannel", "testChannel"],
            #"{"name":"new","type":"webhook","url":"https://a.example/x"}"#
        ),
        ("/api/v1/routes", ["readRoute", "changeRoute", "deleteRoute"], #"{"channels":["ops"]}"#),
        ("/api/v1/tokens", ["readToken", "revokeToken"], #"{"name":"CI","role":"viewer"}"#),
    ])
    func `What was made leads on to what can be done with it, by the id that is in its body and its path`(
        path: String, operations: [String], body: String
    ) async {
        let links = await document()["paths"]?[path]?["post"]?["responses"]?["201"]?["links"]
        #expect(links?.members.map(\.0) == operations)
        for (name, link) in links?.members ?? [] {
            #expect(link["operationId"] == .string(name))
            #expect(link["parameters"] == .object([("id", .string("$response.body#/id"))]))
        }
        let made = await fixture.answer("POST", path, body)
        #expect(made.status == 201)
        #expect(made.header("Location") == made.json["id"]?.string.map { path + "/" + $0 })
    }

    @Test func `Every example is one that its schema allows`() async {
        let document = await document()
        let check = SchemaCheck(document: document)
        var count = 0
        func walk(_ value: JSON) {
            for example in value["examples"]?.items ?? [] {
                #expect(check.faults(of: example, against: value) == [])
                count += 1
            }
            value.members.forEach { walk($0.1) }
            value.items.forEach(walk)
        }
        walk(document)
        #expect(count > 10)
    }

    @Test func `The bottom of the API names what there is to read`() async {
        let answer = await fixture.answer("GET", "/api/v1")
        let links = answer.json["resources"]?.items.compactMap { $0["href"]?.string } ?? []
        #expect(links.contains("/api/v1/targets") && links.contains("/api/v1/audit"))
        #expect(!links.contains { $0.contains("{") })
        for link in links where !link.hasSuffix("stream") {
            #expect(await fixture.answer("GET", link).status == 200, "\(link)")
        }
    }

    @Test(arguments: [
        ("GET", "/api/v1/nothing", 404), ("PUT", "/api/v1/targets", 405), ("POST", "/api/v1/targets/1", 405),
        ("DELETE", "/api/v1", 405), ("GET", "/api/v1/targets/preview", 405), ("PATCH", "/api/v1/openapi.json", 405),
    ])
    func `What is no route answers with a problem`(method: String, path: String, status: Int) async {
        let answer = await fixture.answer(method, path)
        #expect(answer.status == status)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect((answer.header("Allow") != nil) == (status == 405))
        let check = SchemaCheck(document: await document())
        #expect(check.faults(of: answer.json, against: SchemaName.problem.schema.json) == [])
    }
}
