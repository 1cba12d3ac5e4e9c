import Testing

@testable import PinwatchCore

@Suite("Coverage") struct CoverageTests {
    private func pinSet(
        _ hosts: String..., id: Int64 = 1, variant: Variant = .release, stack: String = "default",
        expires: Instant? = nil
    ) -> PinSet {
        let policy = GenericPolicy(entries: hosts.map { Lab.entry($0, [Lab.pin(1)], expires: expires) })
        let release = PreflightLab.release([policy], variant: variant, stack: stack)
        return PinSet(id: PinSetID(id), definition: release.definition)
    }

    private func missing(_ pinSets: PinSet..., watched: [String]) -> [String] {
        Coverage(of: pinSets, watched: watched, now: Lab.now).unscanned.map(\.host)
    }

    @Test func `a host is covered by its target, a wildcard by any that it applies to`() {
        let pinned = pinSet("api.example.com", "*.example.com", "*.example.org", "example.net")
        #expect(
            missing(pinned, watched: ["www.example.com", "a.b.example.org", "EXAMPLE.net."]) == [
                "*.example.org", "api.example.com",
            ])
        #expect(missing(pinned, watched: []).count == 4)
    }

    @Test func `debug builds, other stacks and pins that ended ask for no target`() {
        #expect(missing(pinSet("a.test", variant: .debug), pinSet("b.test", stack: "flutter"), watched: []).isEmpty)
        #expect(missing(pinSet("c.test", expires: Lab.now - 1), watched: []).isEmpty)
        #expect(missing(pinSet("c.test", expires: Lab.now), watched: []) == ["c.test"])
    }

    @Test func `pin sets that miss the same host stand together`() {
        let coverage = Coverage(of: [pinSet("a.test"), pinSet("a.test", id: 2)], watched: ["b.test"], now: Lab.now)
        #expect(coverage.unscanned.map { $0.pinSets.map(\.id.rawValue) } == [[1, 2]])
    }

    @Test func `a name's own target is found however many are below it`() {
        let hosts = (0..<500).map { "h\($0).example.com" } + ["example.com"]
        #expect(missing(pinSet("example.com", "h499.example.com"), watched: hosts).isEmpty)
    }

    @Test(.timeLimit(.minutes(5))) func `many targets and many patterns are no product`() {
        let hosts = (0..<20_000).map { "h\($0).example.com" }
        let policy = GenericPolicy(
            entries: (0..<4_000).map { Lab.entry("h\($0 + 18_000).example.com", [Lab.pin(1)]) })
        let pinSet = PinSet(id: PinSetID(1), definition: PreflightLab.release([policy]).definition)
        #expect(Coverage(of: [pinSet], watched: hosts, now: Lab.now).unscanned.count == 2_000)
    }
}
