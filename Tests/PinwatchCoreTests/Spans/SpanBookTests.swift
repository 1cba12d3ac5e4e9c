import PinwatchCore
import Testing

struct SpanBookTests {
    typealias Seen = SpanDriver.Seen

    @Test func `the first scan opens a span for each chain and is no transition`() throws {
        var driver = SpanDriver()
        let update = try driver.play(100, [Seen(1, "A"), Seen(2, "B", family: .rsa)])
        #expect(update.entries.map(\.change) == [.opened, .opened])
        #expect(update.transitions.isEmpty)
        #expect(driver.open.map(\.family) == [.ecdsa, .rsa])
        #expect(driver.open.allSatisfy { $0.scans == 1 && $0.firstSeen.unixSeconds == 100 })
    }

    @Test func `an unchanged scan moves times and counts only`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "A"), Seen(2, "A")])
        let update = try driver.play(400, [Seen(1, "A"), Seen(2, "A")])
        #expect(update.isSteady)
        #expect(driver.spans.count == 1)
        #expect(driver.spans[0].scans == 2)
        #expect(driver.spans[0].lastSeen.unixSeconds == 400)
        #expect(driver.spans[0].servings.map(\.lastSeen.unixSeconds) == [400, 400])
    }

    @Test func `what is not seen is not absent: failures and failed resolution change nothing`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "A"), Seen(2, "A")])
        let before = driver.spans
        #expect(try driver.play(400, [Seen(1, nil), Seen(2, nil)]).entries.isEmpty)
        #expect(try driver.play(700, [], resolves: false).entries.isEmpty)
        #expect(driver.spans == before)
        // One dead address beside a live one keeps its serving.
        #expect(try driver.play(1_000, [Seen(1, "A"), Seen(2, nil)]).isSteady)
        #expect(driver.spans[0].servings.map(\.current) == [true, true])
    }

    @Test func `a chain that ends handshakes in an alert is seen all the same`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "A", outcome: .alert(number: 40, name: "handshake_failure"))])
        #expect(driver.picture == "A")
    }

    @Test(
        "sequences at one address, 300 s apart",
        arguments: [
            ("AB", "B", ["A>B 1/1"]),
            ("ABA", "A*", ["A>B 1/1", "B>A 1/1 returned unsettled"]),
            ("ABABAB", "A* B*", ["A>B 1/1", "B>A 1/1 returned unsettled", "A>B 1/1 returned unsettled"]),
            ("ABC", "C", ["A>B 1/1", "B>C 1/1 unsettled"]),
            ("AAAABBBB", "B", ["A>B 1/1"]),
            ("A..A", "A", []),
            ("A.B.A", "A*", ["A>B 1/1", "B>A 1/1 returned unsettled"]),
        ])
    func sequence(letters: String, open: String, transitions: [String]) throws {
        var driver = SpanDriver()
        var told: [String] = []
        for (index, letter) in letters.enumerated() {
            let update = try driver.play(Int64(index) * 300, letter == "." ? nil : letter)
            told += update.transitions.map(\.picture)
        }
        #expect(driver.picture == open)
        #expect(told == transitions)
        #expect(driver.spans.count == Set(letters).subtracting(["."]).count)
    }

    @Test func `nodes that alternate are two open spans for ever, without a row or an event per flip`() throws {
        var driver = SpanDriver()
        for step in 0..<5 { try driver.play(Int64(step) * 300, step.isMultiple(of: 2) ? "A" : "B") }
        for step in 5..<200 {
            let update = try driver.play(Int64(step) * 300, step.isMultiple(of: 2) ? "A" : "B")
            #expect(update.isSteady, "at step \(step)")
        }
        #expect(driver.spans.count == 2)
        #expect(driver.picture == "A* B*")
    }

    @Test func `when alternation ends, the chain that is gone closes after the flap window, untold`() throws {
        var driver = SpanDriver()
        for step in 0..<6 { try driver.play(Int64(step) * 300, step.isMultiple(of: 2) ? "A" : "B") }
        var told: [ChainTransition] = []
        for step in 6..<30 { told += try driver.play(Int64(step) * 300, "B").transitions }
        #expect(told.isEmpty)
        #expect(driver.picture == "B*")
        let closed = try #require(driver.spans.first { $0.closedAt != nil }?.closedAt)
        #expect(closed.unixSeconds == 5_100)  // last seen at 1,200; the window is 3,600
    }

    @Test func `an old flap does not hold a chain open when it is replaced much later`() throws {
        var driver = SpanDriver()
        for (index, letter) in "ABA".enumerated() { try driver.play(Int64(index) * 300, letter) }
        for step in 1..<40 { try driver.play(600 + Int64(step) * 300, "A") }
        #expect(try driver.play(600 + 40 * 300, "C").transitions.map(\.picture) == ["A>C 1/1"])
        #expect(driver.picture == "C")
    }

    @Test(arguments: [(Int64(3_600), 2, "A*"), (3_601, 3, "A")])
    func `a closed chain reopens within the flap window and is a new span after it`(
        gap: Int64, rows: Int, open: String
    ) throws {
        var driver = SpanDriver()
        try driver.play(0, "A")
        try driver.play(300, "B")
        let update = try driver.play(300 + gap, "A")
        #expect(driver.spans.count == rows)
        #expect(driver.picture == open)
        #expect(update.entries.contains { $0.change == (rows == 2 ? .reopened : .opened) })
        #expect(update.transitions.map(\.returned) == [rows == 2])
    }

    @Test func `a rollout over addresses is told once, and its further addresses are spread`() throws {
        var driver = SpanDriver()
        try driver.play(0, (1...3).map { Seen($0, "A") })
        #expect(
            try driver.play(300, [Seen(1, "B"), Seen(2, "A"), Seen(3, "A")]).transitions.map(\.picture)
                == ["A>B 1/3"])
        #expect(driver.picture == "A B")
        #expect(
            try driver.play(9_000, [Seen(1, "B"), Seen(2, "B"), Seen(3, "A")]).transitions.map(\.picture)
                == ["A>B 2/3 spread"])
        let last = try driver.play(18_000, (1...3).map { Seen($0, "B") })
        #expect(last.transitions.map(\.picture) == ["A>B 3/3 spread"])
        #expect(last.entries.map(\.change) == [.closed, .servingsChanged])
    }

    @Test func `a rollback of a rollout is a return, told once`() throws {
        var driver = SpanDriver()
        try driver.play(0, (1...3).map { Seen($0, "A") })
        try driver.play(300, [Seen(1, "B"), Seen(2, "B"), Seen(3, "A")])
        #expect(
            try driver.play(600, [Seen(1, "A"), Seen(2, "B"), Seen(3, "A")]).transitions.map(\.picture)
                == ["B>A 1/3 returned unsettled"])
        #expect(
            try driver.play(900, (1...3).map { Seen($0, "A") }).transitions.map(\.picture)
                == ["B>A 2/3 returned unsettled spread"])
        #expect(driver.picture == "A**")
    }

    @Test func `a third chain beside a rollout is unsettled and no part of it`() throws {
        var driver = SpanDriver()
        try driver.play(0, (1...3).map { Seen($0, "A") })
        try driver.play(300, [Seen(1, "B"), Seen(2, "A"), Seen(3, "A")])
        #expect(
            try driver.play(600, [Seen(1, "B"), Seen(2, "C"), Seen(3, "A")]).transitions.map(\.picture)
                == ["A>C 2/3 unsettled"])
    }

    @Test func `a new address with a chain unseen so far is a change from what the others serve`() throws {
        var driver = SpanDriver()
        try driver.play(0, [Seen(1, "A"), Seen(2, "A"), Seen(3, "D", family: .rsa)])
        #expect(try driver.play(300, [Seen(4, "B")]).transitions.map(\.picture) == ["A>B 4/4"])
        #expect(try driver.play(600, [Seen(5, "B")]).transitions.isEmpty)
        #expect(
            try driver.play(900, [Seen(6, "E", family: .rsa)]).transitions.map(\.picture).first?.hasPrefix("D>E")
                == true)
    }

    @Test func `a phone hello that succeeds ends what only the legacy hello was shown`() throws {
        var driver = SpanDriver()
        let failed = Seen(1, nil, .phone, outcome: .alert(number: 70, name: "protocol_version"))
        #expect(try driver.play(0, [failed, Seen(1, "L", .legacy)]).transitions.isEmpty)
        let update = try driver.play(300, [Seen(1, "P")])
        #expect(driver.picture == "P")
        #expect(update.transitions.isEmpty)
    }

    @Test func `hellos of one scan that are shown different chains stay side by side`() throws {
        var driver = SpanDriver()
        let refused = Seen(1, "P", .phone, outcome: .alert(number: 40, name: "handshake_failure"))
        for step in 0..<4 { try driver.play(Int64(step) * 300, [refused, Seen(1, "L", .legacy)]) }
        #expect(driver.picture == "P L")
        #expect(driver.open.allSatisfy { $0.scans == 4 })
    }
}
