import PinwatchCore
import Synchronization
import Testing

@testable import PinwatchHTTP

/// The hub and its readers without a socket.
@Suite struct EventHubTests {
    private func reader(_ hub: EventHub, after: Int64? = nil) throws -> EventReader {
        try EventReader(
            EventReader.Source(hub: hub, events: { _, _ in [] }, isAllowed: { true }, failed: { _ in }), after: after)
    }

    private func drain(_ reader: EventReader) -> (text: String, last: StreamPiece) {
        var bytes: [UInt8] = []
        while true {
            let piece = reader.next(1_000)
            guard case .bytes(let more) = piece else { return (String(decoding: bytes, as: UTF8.self), piece) }
            #expect(!more.isEmpty && more.count <= 1_000)
            bytes += more
        }
    }

    @Test func `A reader that falls a whole ring behind is at its end`() throws {
        let hub = EventHub(capacity: 10)
        let (slow, slower) = (try reader(hub), try reader(hub))
        #expect(drain(slow).last == .nothing && drain(slower).last == .nothing)
        hub.publish(commit(1..<11))
        #expect(drain(slow).last == .nothing)
        hub.publish(commit(11..<12))
        #expect(drain(slow).last == .nothing)
        let end = drain(slower)
        #expect(end.last == .end && end.text.isEmpty)
        #expect(hub.counts.dropped == 1)
    }

    @Test func `Only so many readers are let in, and a reader that is gone makes place`() throws {
        let hub = EventHub(maximumReaders: 2)
        var readers = [try reader(hub), try reader(hub)]
        let problem = #expect(throws: PinwatchHTTP.Problem.self) { try reader(hub) }
        #expect(problem?.status == 503 && problem?.headers.map(\.name) == ["Retry-After"])
        #expect(drain(readers[0]).last == .nothing)
        readers[0].closed()
        readers.removeFirst()
        #expect(hub.counts == (1, 0, 1))
        #expect(throws: Never.self) { try reader(hub) }
    }

    @Test func `A wake comes for every reader that had nothing, and once`() throws {
        let hub = EventHub()
        let wakes = Mutex(0)
        let reader = try reader(hub)
        reader.begin { wakes.withLock { $0 += 1 } }
        #expect(drain(reader).text == "retry: 3000\n\n")
        hub.publish(commit(1..<3))
        hub.publish(commit(3..<4))
        #expect(wakes.withLock { $0 } == 1)
        #expect(drain(reader).text.matches(of: /id: \d\n/).count == 3)
        hub.publish(commit(topics: [.alerts]))
        #expect(wakes.withLock { $0 } == 1)
        reader.tick()
        #expect(wakes.withLock { $0 } == 2)
        #expect(drain(reader).text == "event: change\ndata: {\"what\":[\"alerts\"]}\n\n")
        reader.tick()
        #expect(drain(reader) == ("", .nothing))
    }

    @Test func `Hostile text in an event stays in its line`() throws {
        let hub = EventHub()
        let reader = try reader(hub)
        _ = drain(reader)
        hub.publish(commit(1..<2, summary: "a\n\nevent: x\r\ndata: y\u{2028}"))
        let lines = drain(reader).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5 && lines[1] == "event: key.changed" && lines[2].hasPrefix("data: {"))
    }
}
