import Glibc
import PinwatchCore

@testable import PinwatchHTTP

/// A reader of the events stream on a real socket. It speaks HTTP/1.0, to which a body comes without chunks.
final class StreamPeer {
    struct Event: Equatable {
        var id: String?
        var name: String?
        var data: String?
    }

    private let peer: Peer
    private var raw: [UInt8] = []

    init(_ listen: ListenAddress, receiveBuffer: Int32? = nil) async throws {
        peer = try await Peer(listen, receiveBuffer: receiveBuffer)
    }

    /// Asks for the stream, and waits for its beginning; headers are whole lines.
    func open(_ target: String = "/api/v1/events/stream", _ headers: String = "") async throws {
        try await peer.send("GET \(target) HTTP/1.0\r\nHost: localhost\r\n\(headers)\r\n")
        try await read { $0.body.count >= EventFrame.retry.count }
    }

    /// Reads until `isDone` is content, or the stream ends.
    ///
    /// - Returns: Whether the stream goes on.
    @discardableResult
    func read(until isDone: (StreamPeer) -> Bool) async throws -> Bool {
        while !isDone(self) {
            guard let bytes = try await peer.some() else { return false }
            raw += bytes
        }
        return true
    }

    /// Reads until so many events with an id are there.
    func events(_ count: Int) async throws -> [Event] {
        try await read { $0.numbered.count >= count }
        return numbered
    }

    /// What ends the headers; looked for where they are, however much came after.
    private var gap: Range<Int>? { raw.prefix(4_096).firstRange(of: Array("\r\n\r\n".utf8)) }
    var head: String { String(decoding: raw[..<(gap?.upperBound ?? 0)], as: UTF8.self) }
    /// Everything after the headers.
    var body: ArraySlice<UInt8> { raw[(gap?.upperBound ?? raw.count)...] }
    var text: String { String(decoding: body, as: UTF8.self) }

    var numbered: [Event] { events.filter { $0.id != nil } }
    var changes: [String] { events.filter { $0.name == "change" }.compactMap(\.data) }

    var events: [Event] {
        // The last piece may be half an event still.
        let end = text.hasSuffix("\n\n") ? 0 : 1
        var events: [Event] = []
        var event = Event()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(end) {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            if line.isEmpty {
                if event.name != nil { events.append(event) }
                event = Event()
            }
        }
        return events
    }

    func leave() { peer.leave() }
}

/// An event with this id.
func eventRecord(_ id: Int64, summary: String = "The key changed.") -> EventRecord {
    EventRecord(
        id: id,
        event: Event(
            kind: .keyChanged, at: now, targetID: TargetID(1), subject: "api.example.com", quiet: false,
            summary: summary, evidence: .object([])))
}

/// What a transaction brought.
func commit(_ ids: Range<Int64> = 0..<0, topics: Set<Commit.Topic> = [], summary: String = "x") -> Commit {
    var commit = Commit()
    commit.events = ids.map { eventRecord($0, summary: summary) }
    commit.topics = topics
    return commit
}
