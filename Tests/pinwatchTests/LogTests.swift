import PinwatchCore
import Testing

@testable import pinwatch

@Suite struct LogTests {
    private let now = Instant(unixSeconds: 1_796_040_000)

    @Test func `a line for a person begins with the time and says what went wrong`() {
        #expect(
            Log.line(.error, .monitor, "cannot record", at: now, asJSON: false)
                == "2026-11-30T12:00:00Z error monitor: cannot record")
        #expect(Log.line(.info, .http, "up", at: now, asJSON: false) == "2026-11-30T12:00:00Z http: up")
    }

    @Test(arguments: [true, false]) func `no text forges a line`(_ asJSON: Bool) {
        let line = Log.line(.info, .service, "a\nb\u{1B}[2J\u{202E}", at: now, asJSON: asJSON)
        #expect(!line.utf8.contains(0x0A))
        #expect(!line.utf8.contains(0x1B))
    }

    @Test func `a line for a machine is one JSON object`() {
        #expect(
            Log.line(.warning, .courier, "paused \"ops\"", at: now, asJSON: true)
                == #"{"time":"2026-11-30T12:00:00Z","level":"warning","part":"courier","message":"paused \"ops\""}"#)
    }
}
