import PinwatchCore
import Testing

/// Four addresses that move from one chain to another, in scans 300 s apart.
struct RolloutTests {
    private struct Story {
        var driver = SpanDriver()
        var standing: [Rollout] = []
        var told: [String] = []
        private var clock: Int64 = 0

        /// One scan: a letter for each address.
        mutating func scan(_ letters: String) throws {
            let seen = letters.enumerated().map { SpanDriver.Seen(UInt8($0.offset + 1), $0.element) }
            let update = try driver.play(clock, seen)
            clock += 300
            let updates = RolloutBook.updates(
                update.transitions, standing: standing, spans: driver.spans, at: Instant(unixSeconds: clock))
            for update in updates {
                standing.removeAll { $0.from == update.rollout.from && $0.to == update.rollout.to }
                if !update.step.ends { standing.append(update.rollout) }
                let pair = "\(driver.letter(update.rollout.from))>\(driver.letter(update.rollout.to))"
                told.append("\(pair) \(update.step) \(update.rollout.moved)/\(update.rollout.of)")
            }
        }
    }

    @Test(arguments: [
        ("AAAA BBBB", []),
        ("AAAA AAAA BAAA BBAA BBBA BBBB", ["A>B started 1/4", "A>B went 2/4", "A>B went 3/4", "A>B finished 4/4"]),
        ("AAAA BBAA AAAA", ["A>B started 2/4", "A>B wentBack 0/4"]),
        ("AAAA BBAA BAAA AAAA", ["A>B started 2/4", "A>B went 1/4", "A>B wentBack 0/4"]),
        ("AAAA BAAA CCCC", ["A>B started 1/4", "A>B overtaken 0/0"]),
        (
            "AAAA BAAA BCAA BCCC",
            ["A>B started 1/4", "A>B went 1/3", "A>C started 1/3", "A>B finished 1/1", "A>C finished 3/3"]
        ),
        ("AABB AABB", []), ("AABB AACC", []), ("AABB AAAA", []),
    ])
    func `a move of some addresses is one rollout until all moved or went back`(scans: String, told: [String]) throws {
        var story = Story()
        for letters in scans.split(separator: " ") { try story.scan(String(letters)) }
        #expect(story.told == told)
        #expect(story.standing.isEmpty)
    }

    @Test func `nodes that alternate behind one address are no rollout`() throws {
        var story = Story()
        for letter in "ABABABAB" { try story.scan(String(letter)) }
        #expect(story.told.isEmpty)
    }

    @Test func `a rollout that stands still tells nothing`() throws {
        var story = Story()
        for letters in ["AAAA", "BAAA", "BAAA", "BAAA", "BAAA"] { try story.scan(letters) }
        #expect(story.told == ["A>B started 1/4"])
        let digest = story.driver.spans[0].chain
        let updates = [RolloutUpdate.Step.started, .went, .finished, .wentBack, .overtaken].map { step in
            RolloutUpdate(
                rollout: Rollout(from: digest, to: digest, startedAt: Instant(unixSeconds: 0), moved: 1, of: 4),
                step: step)
        }
        let events = RolloutJudge.events(
            for: updates, of: story.driver.target, now: Instant(unixSeconds: 9), assess: { _, _ in nil })
        #expect(events.map(\.kind) == [.rolloutStarted, .rolloutEnded, .rolloutEnded, .rolloutEnded])
        #expect(events[0].summary == "a.test is moving to another certificate: 1 of 4 addresses serve it.")
        #expect(events[1].summary == "a.test has moved to another certificate, now served on 4 addresses.")
    }
}
