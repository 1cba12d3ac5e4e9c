import PinwatchCore
import Testing

/// Pin sets whose entries name no host.
@Suite struct HostlessPinsTests {
    /// Pins a key that the target does not serve, whatever the host.
    private func everywhere(naming pattern: String = "*") -> StubPolicy {
        var policy = StubPolicy(
            [:], always: Verdict(.rejectPin, code: "no_pin_matched", reason: "the key is another"))
        policy.namesHosts = false
        policy.hosts = [PinnedHost(pattern: pattern, match: "leaf", pins: [], expires: nil)]
        return policy
    }

    private func world() throws -> World {
        var world = World()
        try world.serve(try world.certificate("L"), on: [1])
        return world
    }

    @Test func `a target that nothing ties to the app is not judged by them`() throws {
        var world = try world()
        world.release(everywhere())
        #expect(world.findings(.pinRejected).isEmpty)
        #expect(world.findings(.hostUnpinned).count == 1)
    }

    @Test func `the label app ties a target to its app, and to no other`() throws {
        for (app, count) in [("shop-ios", 1), ("other", 0)] {
            var world = try world()
            world.settings.labels = ["app": app]
            world.release(everywhere())
            #expect(world.findings(.pinRejected).count == count)
        }
    }

    @Test(
        "an entry's own name ties it, a wildcard for one label",
        arguments: [("api.example.com", 1), ("*.example.com", 1), ("*.com", 0), ("example.com", 0)])
    func names(_ pattern: String, _ count: Int) throws {
        var world = try world()
        world.release(everywhere(naming: pattern))
        #expect(world.findings(.pinRejected).count == count)
    }

    @Test func `another layer that speaks of the host ties it`() throws {
        var world = try world()
        world.release(everywhere(), beside: [StubPolicy([world.host: [try World.spki("L")]])])
        #expect(world.findings(.pinRejected).count == 1)
    }

    @Test func `a host that an app's evaluators do not list is not rejected by its pins`() throws {
        var world = try world()
        world.release(
            StubPolicy([:], always: Verdict(.rejectPin, code: "no_evaluator", reason: "no evaluator for the host")))
        #expect(world.findings(.pinRejected).isEmpty && world.findings(.hostUnpinned).count == 1)
    }
}
