internal import PinwatchCore

/// Pieces of a `text/event-stream` (HTML Living Standard section 9.2.5).
enum EventFrame {
    /// What a browser waits before it comes back, in milliseconds.
    static let retry = Array("retry: 3000\n\n".utf8)
    /// A comment, which readers pass over: it shows that the other end is there.
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// An event with its cursor. Its JSON is one line, so it is one `data` field.
    static func event(_ record: EventRecord) -> [UInt8] {
        Array("id: \(record.id)\nevent: \(record.event.kind.rawValue)\ndata: ".utf8) + record.json.bytes
            + Array("\n\n".utf8)
    }

    /// What may look different now. Without an id: it is a hint, and leaves the reader's cursor alone.
    static func change(_ topics: Set<Commit.Topic>) -> [UInt8] {
        let names = Commit.Topic.allCases.filter(topics.contains).map(\.rawValue)
        return Array("event: change\ndata: ".utf8) + JSON.object([("what", .strings(names))]).bytes
            + Array("\n\n".utf8)
    }
}
