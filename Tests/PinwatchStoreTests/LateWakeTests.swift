import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("A machine that slept")
struct LateWakeTests {
    @Test(arguments: [
        (false, ["scan.stale/1", "scan.stale/2", "scan.stale/installation"]), (true, ["scan.stale/installation"]),
    ])
    func `the installation is stale, and its targets have their time again`(isTold: Bool, keys: [String]) async throws {
        let fixture = try await StoreFixture()
        let targets = try await fixture.targets("a.example", "b.example")
        let served = chain(1, key: 1)
        try await fixture.store.record(
            targets.map { scan($0, at: noon, [("192.0.2.1", served)]) }, assessor: NumberAssessor(), now: noon)
        let woken = noon + 86_400
        if isTold { await fixture.store.scanningResumes(at: woken) }
        _ = try await fixture.store.evaluateDue(assessor: NumberAssessor(), now: woken)
        let found = try await fixture.store.writer.statement(
            "SELECT key FROM finding WHERE kind = 'scan.stale' ORDER BY key")
        #expect(found.map { $0.first } == keys.map { Value.text($0) })
        #expect(try await fixture.store.hasStaleScans())
        try await fixture.store.record(
            targets.map { scan($0, at: woken, [("192.0.2.1", served)]) }, assessor: NumberAssessor(), now: woken)
        #expect(try await fixture.store.hasStaleScans() == false)
        #expect(try await fixture.count("SELECT count(*) FROM finding WHERE kind = 'scan.stale'") == 0)
    }
}
