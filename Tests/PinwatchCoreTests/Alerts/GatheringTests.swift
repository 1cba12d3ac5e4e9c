import PinwatchCore
import Testing

struct GatheringTests {
    typealias Book = BookDriver

    private func holds(_ changes: BookChanges, _ book: BookDriver) -> [Int64] {
        changes.outbox.filter { $0.channel == "ops" }.map { $0.holdUntil.seconds(since: book.now) }
    }

    @Test func `the first leaves at once, the rest of a burst together`() {
        var book = BookDriver()
        #expect(holds(book.play([Book.finding("a"), Book.finding("b"), Book.finding("c")]), book) == [0, 10, 10])
        let more = ["a", "b", "c", "d"].map { Book.finding($0) }
        #expect(holds(book.play(more, after: 4), book) == [6])
        #expect(holds(book.play(more + [Book.finding("e")], after: 6), book) == [0])
        #expect(book.windows.ends.count == 2)
    }

    @Test func `kinds and channels gather apart`() {
        var book = BookDriver()
        let changes = book.play([Book.finding("a"), Book.finding("b", kind: .chainInvalid)])
        #expect(changes.outbox.map { $0.holdUntil.seconds(since: book.now) } == [0, 0, 0, 0])
    }

    @Test func `a warning's window does not hold up the first critical one`() {
        var book = BookDriver()
        let warning = Book.finding("a", severity: .warning)
        #expect(holds(book.play([warning]), book) == [0])
        #expect(holds(book.play([warning, Book.finding("b")], after: 2), book) == [0])
    }

    @Test func `what ends or worsens waits for its own group only`() {
        var book = BookDriver()
        let warnings = ["a", "b"].map { Book.finding($0, severity: .warning) }
        _ = book.play(warnings)
        let escalated = book.play([warnings[0], Book.finding("b")], after: 1)
        #expect(escalated.told == ["ops alert.escalated", "chat alert.escalated"])
        #expect(holds(escalated, book) == [0])
        let resolved = book.play([warnings[0]], after: 1)
        #expect(resolved.told.first == "ops alert.resolved")
        #expect(holds(resolved, book) == [0])
        _ = book.play([], after: 300)
        #expect(book.windows.ends.values.allSatisfy { $0 > book.now })
    }
}
