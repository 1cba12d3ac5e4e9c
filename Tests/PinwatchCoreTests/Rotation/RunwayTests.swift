import Testing

@testable import PinwatchCore

@Suite("The runway of releases") struct RunwayTests {
    private func ends(_ world: World) -> [Upcoming] { world.evaluate().upcoming.filter { $0.kind == .release } }

    /// Leaf `A` (60 days), issuer `I` (900), root `R` (3,000).
    private func world(pinning pins: [Pin]) throws -> World {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        world.release(StubPolicy([world.host: pins]))
        return world
    }

    @Test func `a pinned leaf ends with its certificate, its key does not`() throws {
        let pinned = try world(pinning: [.certificate(try World.digest("A"))])
        let end = try #require(ends(pinned).first)
        #expect(end.endsAt == World.now + 60 * World.day && end.share == 0.31)
        #expect(end.subject == "shop-ios 5.3 on api.example.com")
        #expect(end.summary == "rejected: its pinned certificate ends")
        #expect(end.targetID == TargetID(12) && end.pinSetID == PinSetID(3))
        #expect(ends(try world(pinning: [try World.spki("A")])).isEmpty)
    }

    @Test func `pinned intermediates end with their certificates, the latest of all that match, and anchors do not`()
        throws
    {
        #expect(ends(try world(pinning: [try World.spki("I")])).map(\.endsAt) == [World.now + 900 * World.day])
        #expect(ends(try world(pinning: [try World.spki("R")])).isEmpty)
        let both = try world(pinning: [try World.spki("I"), .certificate(try World.digest("A")), try World.spki("Z")])
        #expect(ends(both).map(\.endsAt) == [World.now + 900 * World.day])
        #expect(ends(both).map(\.summary) == [#"rejected: the pinned intermediate "CN=I" ends"#])
        #expect(ends(try world(pinning: [try World.spki("I"), try World.spki("A")])).isEmpty)
    }

    @Test func `of layers the earliest, of chains the earliest`() throws {
        var world = World()
        try world.serve(world.certificate("A", days: (-30, 60)), on: [1])
        try world.serve(world.certificate("B", days: (-30, 40)), on: [2])
        let certificates = try ["A", "B"].map { Pin.certificate(try World.digest($0)) }
        world.release(
            StubPolicy([world.host: [try World.spki("R")]]), beside: [StubPolicy([world.host: certificates])])
        #expect(ends(world).map(\.endsAt) == [World.now + 40 * World.day])
    }

    @Test func `of paths those that still stand decide`() throws {
        var world = World()
        let leaf = try world.certificate("A")
        let (issuer, root) = (try world.issuer(), try world.root())
        let cross = try world.certificate("C", days: (-900, 300), names: [])
        try world.serve(
            leaf, sent: [leaf, issuer, cross],
            paths: [
                Path(certificates: [leaf, issuer], anchor: root), Path(certificates: [leaf, cross], anchor: root),
            ], on: [1])
        world.release(StubPolicy([world.host: [try World.spki("I"), try World.spki("C")]]))
        #expect(ends(world).map(\.endsAt) == [World.now + 900 * World.day])
    }

    @Test func `a pin set that expires turns pinning off, without a word from the certificate`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        let until = world.now + 20 * World.day
        let policy = GenericPolicy(entries: [
            Lab.entry(world.host, [try World.spki("A")], expires: until),
            Lab.entry("other.test", [try World.spki("A")], expires: until - 5),
        ])
        let definition = PreflightLab.release([policy], app: "shop-ios", share: 0.5).definition
        world.policy.pinSets = [PinSet(id: PinSetID(3), definition: definition)]
        let end = try #require(ends(world).first)
        #expect(end.endsAt == until && end.summary == "unpinned: its pinning ends")
        let finding = try #require(world.findings(.pinAtRisk).first)
        #expect(finding.severity == .warning && finding.summary.contains("will no longer pin"))
    }

    @Test func `at risk is information until the lead time, and flips by itself`() throws {
        var world = try world(pinning: [.certificate(try World.digest("A"))])
        let finding = try #require(world.findings(.pinAtRisk).first)
        #expect(finding.key == "pin.at_risk/12/3" && finding.severity == .info && finding.affectedShare == 0.31)
        #expect(finding.evidence.text.contains("its pinned certificate"))
        let flips = World.now + 30 * World.day
        #expect(world.evaluate().nextChange.map { $0 <= flips } == true)
        world.now = flips
        #expect(world.findings(.pinAtRisk).map(\.severity) == [.warning])
        world.now = flips - 1
        #expect(world.findings(.pinAtRisk).map(\.severity) == [.info])
        #expect(world.evaluate().nextChange == flips)
    }

    @Test func `what is rejected already, debug builds and reports are not at risk`() throws {
        var rejected = try world(pinning: [.certificate(try World.digest("A"))])
        try rejected.serve(rejected.certificate("X"), on: [2])
        #expect(rejected.findings(.pinRejected).count == 1 && rejected.findings(.pinAtRisk).isEmpty)
        #expect(ends(rejected).isEmpty)
        var debug = World()
        try debug.serve(debug.certificate("A"), on: [1])
        debug.release(StubPolicy([debug.host: [.certificate(try World.digest("A"))]]), variant: .debug)
        #expect(ends(debug).isEmpty)
    }

    @Test func `the matrix shows every verdict, accept too, and when it ends`() throws {
        var world = try world(pinning: [.certificate(try World.digest("A"))])
        try world.serve(world.certificate("X"), on: [2], family: .rsa)
        world.release(StubPolicy(["other.test": [try World.spki("A")]]), id: 4)
        try world.release(pinning: "AX", id: 5)
        let matrix = ReleaseMatrix(of: world.state, policy: world.policy, now: world.now) { chain, _ in
            world.assessments[chain]
        }
        #expect(matrix.columns.map(\.addresses.count) == [1, 1])
        #expect(matrix.rows.map(\.pinSet.id) == [PinSetID(3), PinSetID(5)])
        #expect(matrix.rows.map { $0.cells.map(\.deciding.kind) } == [[.accept, .rejectPin], [.accept, .accept]])
        let text = matrix.json(now: world.now).text
        #expect(text.contains(#""runs_out":null"#) && text.contains(#""key_family":"rsa""#))
    }
}
