import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct PreflightRouteTests {
    private let fixture = ManagedFixture()

    private func ask(_ members: String) async -> Response {
        await fixture.answer("POST", "/api/v1/preflight", #"{"host":"API.example.com.",\#(members)}"#)
    }

    @Test func `The host is asked about as the app spells it, and compared without its dot`() async throws {
        let answer = await ask(#""candidate":"MAA=","app":"shop","pin_set_ids":["1","7"]"#)
        #expect(answer.status == 200 && answer.json["go"] == .bool(true), "\(answer.text)")
        let request = try #require(fixture.rotation.requests.first)
        #expect(request.host == "API.example.com.")
        guard case .dns(let name) = request.reference else { throw try #require(nil as (any Error)?) }
        #expect(name.ascii == "api.example.com")
        #expect(request.app == "shop" && request.pinSets == [PinSetID(1), PinSetID(7)] && !request.isWhole)
        #expect(fixture.managing.now.changes.isEmpty)
    }

    @Test func `A member says what its content must be`() async {
        #expect(await ask(#""csr":"MAA=""#).status == 200)
        #expect(await ask(#""public_key":"MAA=""#).error("public_key") != nil)
        #expect(await ask(#""chain":"MAA=""#).error("chain") != nil)
        fixture.files.set { $0.candidate = .success(.chain([ChainSample.certificate])) }
        #expect(await ask(#""chain":"-----BEGIN CERTIFICATE-----""#).status == 200)
        #expect(fixture.rotation.requests.last?.isWhole == true)
    }

    @Test(arguments: [
        (#""candidate":"no base64!""#, "candidate"), (#""csr":"MAA=","chain":"MAA=""#, "csr"),
        (#""app":"a""#, "candidate"),
        (#""candidate":"MAA=","pin_set_ids":[1]"#, "pin_set_ids[0]"),
    ])
    func `What cannot be asked is refused at its place`(members: String, field: String) async {
        let answer = await ask(members)
        #expect(answer.status == 422 && answer.error(field) != nil, "\(answer.text)")
    }

    @Test func `A busy service says when to come back`() async {
        fixture.rotation.refuse(.busy)
        #expect(await ask(#""candidate":"MAA=""#).header("Retry-After") == "5")
        #expect(await fixture.answer("GET", "/api/v1/targets/1/matrix").status == 503)
    }
}
