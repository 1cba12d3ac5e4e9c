import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchScan

/// Scans that nobody takes or records must not fill memory.
struct HeldBytesTests {
    private func result(_ job: AddressJob, bytes: Int) -> AddressResult {
        var observation = Observation(at: TestPKI.now, address: job.address, profile: .phone, outcome: .ok)
        observation.chain = TestPKI.chain(der: [[UInt8](repeating: 0, count: bytes)])
        return AddressResult(scan: job.scan, index: job.index, observations: [observation])
    }

    @Test("finished scans beyond the budget in bytes stop what is new until they are released, not what is open")
    func budget() {
        var settings = ScannerSettings(Configuration.ScanSettings(), loops: 1)
        settings.inFlight = 2
        settings.heldBytes = 1_000
        var state = QueueState(settings: settings, loops: 1)
        for id in 1...6 {
            let target = ScanBench.target(port: 443, id: Int64(id))
            _ = state.submit(DueScan(target: target, hellos: .phone), at: TestPKI.now)
        }
        func jobs() -> [AddressJob] {
            _ = state.advance(now: TestPKI.now)
            return state.orders(loop: 0, time: .now()).jobs
        }
        let first = jobs()
        #expect(first.count == 2)
        state.finish([result(first[0], bytes: 999)], loop: 0, now: TestPKI.now)
        let next = jobs()
        #expect(next.count == 1)
        state.finish([result(next[0], bytes: 1)], loop: 0, now: TestPKI.now)
        #expect(jobs().isEmpty)
        state.finish([result(first[1], bytes: 10)], loop: 0, now: TestPKI.now)
        #expect(jobs().isEmpty)
        state.release(1)
        #expect(jobs().count == 2)
    }
}
