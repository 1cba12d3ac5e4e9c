import PinwatchCore
import Testing

struct SpanRetirementTests {
    typealias Seen = SpanDriver.Seen
    private let day: Int64 = 86_400

    private func resolved(_ times: [UInt8: Int64]) throws -> [IPAddress: Instant] {
        var resolved: [IPAddress: Instant] = [:]
        for (address, at) in times { resolved[try SpanDriver.address(address)] = Instant(unixSeconds: at) }
        return resolved
    }

    @Test(arguments: [(Int64(86_399), "A B"), (86_400, "B")])
    func `an address that DNS has not given for a day retires, and its chain with it`(gap: Int64, open: String) throws {
        var driver = SpanDriver()
        try driver.play(0, [Seen(1, "A"), Seen(2, "B")])
        driver.retire(resolved: try resolved([1: 0, 2: gap]), now: gap)
        #expect(driver.picture == open)
    }

    @Test func `a chain with another address left stays open`() throws {
        var driver = SpanDriver()
        try driver.play(0, [Seen(1, "A"), Seen(2, "A")])
        let update = driver.retire(resolved: try resolved([1: 0, 2: day]), now: day)
        #expect(update.entries.map(\.change) == [.servingsChanged])
        #expect(driver.open[0].servings.map(\.current) == [false, true])
        #expect(driver.retire(resolved: try resolved([1: 0, 2: day]), now: day).entries.isEmpty)
    }

    @Test func `a resolver that fails for days retires nothing`() throws {
        var driver = SpanDriver()
        try driver.play(0, [Seen(1, "A"), Seen(2, "A")])
        #expect(driver.retire(resolved: try resolved([1: 0, 2: 0]), now: 9 * day).entries.isEmpty)
        #expect(driver.retire(resolved: [:], now: 9 * day).entries.isEmpty)
        #expect(driver.picture == "A")
    }

    @Test func `a flapped chain whose target went silent stays, since nothing else was seen`() throws {
        var driver = SpanDriver()
        for (index, letter) in "ABA".enumerated() { try driver.play(Int64(index) * 300, letter) }
        driver.retire(resolved: try resolved([1: 50_000]), now: 50_000)
        #expect(driver.picture == "A*")
    }

    @Test func `a flapped chain that another has outlived closes`() throws {
        var driver = SpanDriver()
        for (index, letter) in "ABABB".enumerated() { try driver.play(Int64(index) * 300, letter) }
        #expect(driver.picture == "A* B*")
        driver.retire(resolved: try resolved([1: 1_200]), now: 600 + 3_600)
        #expect(driver.picture == "A* B*")
        driver.retire(resolved: try resolved([1: 1_200]), now: 600 + 3_601)
        #expect(driver.picture == "B*")
    }
}
