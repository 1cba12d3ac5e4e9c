import PinwatchCore
import Testing

/// Two certificates behind one name, for hellos that ask for each key family.
struct SpanFamilyTests {
    typealias Seen = SpanDriver.Seen

    private static let noRSA = Outcome.noSuchKeyFamily(message: "no RSA key")

    @Test func `each family's chain is a span, and scans without narrowed hellos leave both open`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "E"), Seen(1, "E", .ecdsa), Seen(1, "R", .rsa, family: .rsa)])
        #expect(driver.picture == "E R")
        for round in 1...5 { #expect(try driver.play(100 + Int64(round) * 300, "E").isSteady) }
        #expect(driver.picture == "E R")
        #expect(driver.open.map(\.family) == [.ecdsa, .rsa])
    }

    @Test func `a family that is refused has gone, at the addresses that refuse it`() throws {
        var driver = SpanDriver()
        let both: [Seen] = [1, 2].flatMap { [Seen($0, "E"), Seen($0, "E", .ecdsa), Seen($0, "R", .rsa, family: .rsa)] }
        try driver.play(100, both)
        try driver.play(
            400,
            [
                Seen(1, "E"), Seen(1, "E", .ecdsa), Seen(1, nil, .rsa, outcome: Self.noRSA), Seen(2, "E"),
                Seen(2, "E", .ecdsa), Seen(2, "R", .rsa, family: .rsa),
            ])
        #expect(driver.picture == "E R")
        #expect(driver.open[1].servings.filter(\.current).map(\.address) == [try SpanDriver.address(2)])
        let update = try driver.play(700, [Seen(2, "E"), Seen(2, nil, .rsa, outcome: Self.noRSA)])
        #expect(driver.picture == "E")
        #expect(update.transitions.isEmpty)
    }

    @Test(arguments: [
        Outcome.handshakeTimeout(message: "slow"), .connectRefused(message: "down"), .reset(message: "cut"),
    ])
    func `a narrowed hello that fails otherwise says nothing`(outcome: Outcome) throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "E"), Seen(1, "R", .rsa, family: .rsa)])
        try driver.play(400, [Seen(1, "E"), Seen(1, nil, .rsa, outcome: outcome)])
        #expect(driver.picture == "E R")
    }

    @Test func `what a phone newly gets ends what the hello of its family got, and is told once`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "E"), Seen(1, "E", .ecdsa), Seen(1, "R", .rsa, family: .rsa)])
        #expect(try driver.play(400, "F").transitions.map(\.picture) == ["E>F 1/1"])
        #expect(driver.picture == "R F")
        let narrowed = try driver.play(401, [Seen(1, "F"), Seen(1, "F", .ecdsa), Seen(1, "R", .rsa, family: .rsa)])
        #expect(narrowed.transitions.isEmpty)
        #expect(driver.picture == "R F")
    }

    @Test func `a change after a return is told once, by the phone's scan and not by the narrowed one after it`() throws
    {
        var driver = SpanDriver()
        var told: [[String]] = []
        for (round, letter) in "ABAC".enumerated() {
            let at = Int64(round) * 300
            told.append(try driver.play(at, letter).transitions.map(\.picture))
            told.append(try driver.play(at + 1, [Seen(1, letter), Seen(1, letter, .ecdsa)]).transitions.map(\.picture))
        }
        #expect(told.map(\.count) == [0, 0, 1, 0, 1, 0, 1, 0], "\(told)")
    }

    @Test func `a change of the key that phones do not get is a transition of its own`() throws {
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "E"), Seen(1, "E", .ecdsa), Seen(1, "R", .rsa, family: .rsa)])
        let update = try driver.play(400, [Seen(1, "E"), Seen(1, "E", .ecdsa), Seen(1, "S", .rsa, family: .rsa)])
        #expect(update.transitions.map(\.picture) == ["R>S 1/1"])
        #expect(driver.picture == "E S")
    }

    @Test func `nodes that alternate stay two open spans whatever hello meets which`() throws {
        var driver = SpanDriver()
        for (round, letter) in "ABABAB".enumerated() {
            try driver.play(Int64(round) * 300, [Seen(1, letter), Seen(1, letter == "A" ? "B" : "A", .ecdsa)])
        }
        try driver.play(1_800, "A")
        #expect(Set(driver.open.map { driver.letter($0.chain) }) == ["A", "B"])
    }

    @Test(arguments: [KeyFamily.ecdsa, .rsa])
    func `a family appears only where it was refused before, and disappears only where it is refused`(
        family: KeyFamily
    ) throws {
        let profile = try #require(HelloProfile(narrowedTo: family))
        let other: KeyFamily = family == .rsa ? .ecdsa : .rsa
        var driver = SpanDriver()
        try driver.play(100, [Seen(1, "O", family: other)])
        let before = driver.spans
        let scan = try driver.scan(400, [Seen(1, "O", family: other), Seen(1, "N", profile, family: family)])
        try driver.play(400, [Seen(1, "O", family: other), Seen(1, "N", profile, family: family)])
        func events(wasRefused: Bool) -> [Event] {
            FamilyJudge.events(of: scan, before: before, after: driver.spans) { _, asked in
                wasRefused && asked == profile
            }
        }
        #expect(events(wasRefused: false).isEmpty)
        let appeared = try #require(events(wasRefused: true).first)
        #expect(appeared.kind == .familyAppeared)
        #expect(
            appeared.summary.contains(
                family == .rsa ? "an RSA key beside an ECDSA one" : "an ECDSA key beside an RSA one"))

        let full = driver.spans
        let refusing: [Seen] = [
            Seen(1, "O", family: other), Seen(1, nil, profile, outcome: .noSuchKeyFamily(message: "none")),
        ]
        let last = try driver.scan(700, refusing)
        try driver.play(700, refusing)
        let gone = FamilyJudge.events(of: last, before: full, after: driver.spans) { _, _ in false }
        #expect(gone.map(\.kind) == [.familyDisappeared])
        #expect(gone.first?.summary.hasSuffix("on its only address.") ?? false, "\(gone)")
    }
}
