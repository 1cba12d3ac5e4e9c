import Testing

@testable import PinwatchCore

@Suite("Hosts whose keys others rotate") struct ThirdPartyTests {
    private func world(_ owner: Owner) throws -> World {
        var world = World()
        world.settings.owner = owner
        try world.serve(world.certificate("A", days: (-88, 1)), on: [1])
        return world
    }

    @Test(arguments: [(Owner.ours, 1), (.thirdParty, 0)])
    func `are not to be pinned, so that they are not is not told`(owner: Owner, count: Int) throws {
        #expect(try world(owner).findings(.hostUnpinned).count == count)
    }

    @Test(arguments: [(Owner.ours, "Serve a certificate", "Renew"), (.thirdParty, "Others rotate", "Tell whoever")])
    func `are mended by nobody here: the advice is what can be done`(owner: Owner, pin: String, date: String) throws {
        var world = try world(owner)
        try world.release(pinning: "Z")
        #expect(world.findings(.pinRejected).map { $0.nextStep.hasPrefix(pin) } == [true])
        #expect(world.findings(.certificateExpiry).map { $0.nextStep.hasPrefix(date) } == [true])
    }

    @Test func `have no backup pins to wait for`() throws {
        var world = try world(.thirdParty)
        try world.release(pinning: "A")
        #expect(world.findings(.pinNoBackup).map { $0.nextStep.hasPrefix("Others rotate") } == [true])
    }

    @Test func `cut off no user of a debug build`() throws {
        var world = try world(.thirdParty)
        try world.release(pinning: "Z", variant: .debug)
        #expect(world.findings(.pinRejected).map { $0.nextStep.hasPrefix("No user") } == [true])
    }
}
