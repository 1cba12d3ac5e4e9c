internal import FoundationEssentials
internal import Synchronization

/// A webhook's body, as far as the demonstration reads it.
struct DemoMessage: Decodable, Sendable {
    struct Payload: Decodable, Sendable {
        struct Finding: Decodable, Sendable {
            let kind: String
            let severity: String
            let summary: String
        }
        struct Event: Decodable, Sendable {
            let `class`: String?
            let summary: String
        }
        struct Subject: Decodable, Sendable {
            let host: String
        }
        let finding: Finding?
        let event: Event?
        let subjects: [Subject]
    }
    let id: String
    let type: String
    let data: Payload
}

/// What the demonstration's receiver was sent, each message once.
final class DemoInbox: Sendable {
    private struct Contents {
        var messages: [DemoMessage] = []
        var refused = 0
    }

    private let contents = Mutex(Contents())

    func take(_ body: [UInt8], verified: Bool) {
        guard verified, let message = try? JSONDecoder().decode(DemoMessage.self, from: Data(body)) else {
            return contents.withLock { $0.refused += 1 }
        }
        contents.withLock { contents in
            if !contents.messages.contains(where: { $0.id == message.id }) { contents.messages.append(message) }
        }
    }

    /// Those about one host, in the order in which they came.
    func messages(about host: String) -> [DemoMessage] {
        contents.withLock { $0.messages.filter { $0.data.subjects.contains { $0.host == host } } }
    }

    /// Messages whose signature did not hold, or that could not be read.
    var refused: Int { contents.withLock(\.refused) }
}
