import PinwatchCore
import Testing

struct ChangeJudgeTests {
    private func events(
        _ world: World, from: Character = "A", to: Character = "B", returned: Bool = false, unsettled: Bool = false,
        spread: Bool = false, servedAgo: [Character: Int64] = [:]
    ) throws -> [Event] {
        let transition = ChainTransition(
            from: try World.chain(from), to: try World.chain(to),
            addresses: try [1, 2, 3].map { try World.address($0) },
            of: 8, returned: returned, unsettled: unsettled, spread: spread)
        let served = try Dictionary(
            uniqueKeysWithValues: servedAgo.map { (try World.digest($0.key), world.now - $0.value) })
        return ChangeJudge.events(
            for: [transition], of: world.target, policy: world.policy, now: world.now, servedBefore: { served[$0] },
            assess: { chain, _ in world.assessments[chain] })
    }

    private func world(pins: [String]) throws -> World {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        try world.serve(world.certificate("B"), on: [1])
        try world.serve(world.certificate("N", key: "A"), on: [1])
        for (index, letters) in pins.enumerated() { try world.release(pinning: letters, id: Int64(index) + 1) }
        return world
    }

    @Test(
        "releases' pins, and the class of a move from key A to key B",
        arguments: [
            (["AB", "BC"], false, KeyChangeClass.toPinOfAll, "to a key that all 2 releases that pin it accept"),
            (["AB"], false, .toPinOfAll, "to a key that the release that pins it accepts"),
            (["AB", "AC"], false, .toPinOfSome, "to a key that 1 of 2 releases that pin it accept"),
            (["AC", "AD"], false, .toPinOfNone, "to a key that no release pins"),
            (["AC"], true, .unknownThird, "to a third key soon after another change"),
            (["AB"], true, .toPinOfAll, "to a key that the release"),
            ([], false, .unpinned, "No release pins this host"),
            ([], true, .unknownThird, "third key"),
        ])
    func classes(pins: [String], unsettled: Bool, expected: KeyChangeClass, words: String) throws {
        let event = try #require(try events(try world(pins: pins), unsettled: unsettled).first)
        #expect(event.kind == .keyChanged)
        #expect(event.keyChange == expected)
        #expect(!event.quiet)
        #expect(event.summary.contains(words))
        #expect(event.summary.contains("on 3 of 8 addresses"))
        #expect(event.evidence.text.contains(try World.digest("B").pin))
    }

    @Test func `a renewal over the same key is quiet unless a release pins the certificate`() throws {
        var world = try world(pins: ["AB"])
        let quiet = try #require(try events(world, to: "N").first)
        #expect(quiet.keyChange == .sameKeyRenewed)
        #expect(quiet.quiet)
        world.release(StubPolicy([world.host: [.certificate(try World.digest("A"))]]), id: 9)
        let loud = try #require(try events(world, to: "N").first)
        #expect(loud.keyChange == .sameKeyRenewed)
        #expect(!loud.quiet)
    }

    @Test(arguments: [(true, Int64?.none, true), (false, 3_600, true), (false, 3_601, false), (true, 9_999, true)])
    func `a key that comes back is quiet within the flap window`(returned: Bool, ago: Int64?, quiet: Bool) throws {
        let event = try #require(
            try events(
                try world(pins: ["AC"]), returned: returned, unsettled: true, servedAgo: ago.map { ["B": $0] } ?? [:]
            ).first)
        #expect(event.keyChange == .returned)
        #expect(event.quiet == quiet)
    }

    @Test func `the spread of a rollout is not told again`() throws {
        #expect(try events(try world(pins: ["AB"]), spread: true).isEmpty)
    }

    @Test func `other certificates above the same leaf are a change of the chain`() throws {
        var world = try world(pins: ["AB"])
        let leaf = try world.certificate("A")
        let other = ChainID(digest: try World.digest("Z"))
        world.assessments[other] = ChainAssessment(
            chain: other, trustStore: "system", certificates: [leaf], paths: [], code: .missingIssuer, reason: "",
            stray: [], missingIssuer: nil)
        let event = try #require(try events(world, to: "Z").first)
        #expect(event.kind == .chainChanged)
        #expect(event.keyChange == nil)
        #expect(!event.quiet)
    }

    @Test func `a chain that cannot be judged is told as one, not as a key`() throws {
        var world = try world(pins: ["AB"])
        world.assessments[try World.chain("B")] = nil
        let event = try #require(try events(world).first)
        #expect(event.kind == .chainChanged)
        #expect(event.summary.contains("could not be read"))
    }
}
