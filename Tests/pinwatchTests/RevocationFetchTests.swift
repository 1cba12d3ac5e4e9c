import PinwatchAlert
import PinwatchCore
import Synchronization
import Testing

@testable import pinwatch

@Suite("Fetching answers about revocation") struct RevocationFetchTests {
    private final class Web: Sendable {
        let requests = Mutex<[HTTPRequest]>([])
        let answers: [String: HTTPAnswer]

        init(_ answers: [String: HTTPAnswer]) { self.answers = answers }

        func send(_ request: HTTPRequest) -> HTTPExchange {
            requests.withLock { $0.append(request) }
            let answer = answers[request.url.revealed].map { Result<HTTPAnswer, AttemptFailure>.success($0) }
            return HTTPExchange(outcome: answer ?? .failure(.transport("refused")), milliseconds: 0)
        }
    }

    private func fetch(_ web: Web) -> RevocationFetch {
        RevocationFetch(http: { web.send($0) }, denied: { [IPNetwork("192.0.2.0/24")].compactMap { $0 } })
    }

    @Test(arguments: [true, false])
    func `each hop keeps to the addresses that its authority may have`(isPublic: Bool) async throws {
        let web = Web([
            "http://a.test/": HTTPAnswer(status: 302, location: "http://b.test/"),
            "http://b.test/": HTTPAnswer(status: 200, body: [1, 2]),
        ])
        #expect(try await fetch(web).body(of: "http://a.test/", posting: [7], isPublic: isPublic, limit: 9) == [1, 2])
        let sent = web.requests.withLock(\.self)
        #expect(sent.map(\.url.revealed) == ["http://a.test/", "http://b.test/"])
        for request in sent {
            #expect(request.addresses.allowPrivate == !isPublic && request.keptBytes == 9)
            #expect(request.addresses.denied.map(\.description) == ["192.0.2.0/24"])
            #expect(request.body == [7] && request.method == .post)
        }
    }

    @Test(
        arguments: [
            (HTTPAnswer(status: 404), "answered by 404"),
            (HTTPAnswer(status: 200, body: [1], isWhole: false), "more than 9 bytes came, or they broke off"),
            (HTTPAnswer(status: 301, location: "http://a.test/"), "more than 3 redirects"),
            (HTTPAnswer(status: 304), "answered by 304"),
        ])
    func `what gives no answer says why, and is left alone`(answer: HTTPAnswer, words: String) async throws {
        let web = Web(["http://a.test/": answer])
        let error = await #expect(throws: RevocationTrouble.self) {
            try await fetch(web).body(of: "http://a.test/", posting: nil, isPublic: true, limit: 9)
        }
        #expect(error?.message == words && error?.isOfPlace == true)
        #expect(web.requests.withLock(\.count) <= 4)
    }
}
