import Glibc
import PinwatchCore

@testable import PinwatchHTTP

/// A reader of the events stream on a real socket.
final class StreamPeer {
    struct Event: Equatable {
        var id: String?
        var name: String?
        var data: String?
    }

    private let peer: Peer
    /// Everything that came after the headers, without its chunks' frames.
    private(set) var text = ""
    private var raw: [UInt8] = []
    private(set) var head = ""

    init(_ listen: ListenAddress) async throws { peer = try await Peer(listen) }

    /// Asks for the stream; headers are whole lines.
    func open(_ target: String = "/api/v1/events/stream", _ headers: String = "") async throws {
        try await peer.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    }

    /// Reads until `isDone` is content with the text, or the stream ends.
    ///
    /// - Returns: Whether the stream goes on.
    @discardableResult
    func read(until isDone: (StreamPeer) -> Bool) async throws -> Bool {
        while true {
            decode()
            if isDone(self) { return true }
            guard let bytes = try await peer.some() else { return false }
            raw += bytes
        }
    }

    /// Reads until so many events with an id are there.
    func events(_ count: Int) async throws -> [Event] {
        try await read { $0.numbered.count >= count }
        return numbered
    }

    var numbered: [Event] { events.filter { $0.id != nil } }
    var changes: [String] { events.filter { $0.name == "change" }.compactMap(\.data) }

    var events: [Event] {
        // The last piece may be half an event still.
        text.components(separatedBy: "\n\n").dropLast().compactMap { block in
            var event = Event()
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            return event.name == nil ? nil : event
        }
    }

    func leave() { peer.leave() }

    private func decode() {
        if head.isEmpty {
            guard let gap = raw.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            head = String(decoding: raw[..<gap.upperBound], as: UTF8.self)
            raw.removeSubrange(..<gap.upperBound)
        }
        while let line = raw.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: raw[..<line.lowerBound], as: UTF8.self), radix: 16),
            raw.count >= line.upperBound + size + 2
        {
            text += String(decoding: raw[line.upperBound..<line.upperBound + size], as: UTF8.self)
            raw.removeSubrange(..<(line.upperBound + size + 2))
        }
    }
}

extension String {
    fileprivate func components(separatedBy mark: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        while let range = rest.firstRange(of: mark) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
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
