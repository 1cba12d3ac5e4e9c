import Glibc
import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchScan

/// What this machine lacks is no observation of a server.
@Suite("Shortage", .timeLimit(.minutes(5)))
struct ShortageTests {
    /// Fails a number of times with an errno before it connects.
    private final class Scarcity: Sendable {
        private let left: Mutex<Int>
        private let number: Int32
        init(_ number: Int32, times: Int) {
            self.number = number
            left = Mutex(times)
        }

        func connect(_ address: IPAddress, _ port: UInt16) -> (descriptor: Int32, number: Int32) {
            let isScarce = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isScarce ? (-1, number) : StreamSocket.connect(to: address, port: port)
        }
    }

    private func observe(_ bench: ScanBench, _ scarcity: Scarcity, port: UInt16) async throws -> [Outcome] {
        let scanner = try Scanner(
            settings: bench.settings, resolver: bench.resolver, readFamily: { _ in .ecdsa },
            judgeServer: { _, _, _ in nil }, wallClock: { TestPKI.now }, descriptors: 4_096, connect: scarcity.connect)
        return await scanner.scanOnce([ScanBench.target(port: port)], at: TestPKI.now).flatMap(\.observations)
            .map(\.outcome)
    }

    @Test(
        "an address is tried again until there are descriptors and memory",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func recovers(_ number: Int32) async throws {
        let server = try LoopbackServer(.hear, .send([1]), .close)
        let outcomes = try await observe(
            ScanBench(timeoutMilliseconds: 50_000), Scarcity(number, times: 3), port: server.port)
        #expect(outcomes == [.notTLS(firstBytes: [1])])
    }

    @Test("a shortage that outlasts the visit ends it with words that blame this machine")
    func lasts() async throws {
        let bench = ScanBench(timeoutMilliseconds: 250)
        let outcomes = try await observe(bench, Scarcity(EMFILE, times: .max), port: 443)
        #expect(outcomes.map(\.word) == ["unreachable"])
        #expect("\(outcomes)".contains("this machine lacked the means"))
    }

    @Test("a failure of the network is told at once")
    func network() async throws {
        let outcomes = try await observe(
            ScanBench(timeoutMilliseconds: 50_000), Scarcity(ENETUNREACH, times: 1), port: 443)
        #expect(outcomes.map(\.word) == ["unreachable"])
    }

    @Test("more in flight than there are descriptors for is refused, with both numbers")
    func refusal() throws {
        let bench = ScanBench(inFlight: 900)
        func make(_ descriptors: Int) throws(ScanError) -> Scanner {
            try Scanner(
                settings: bench.settings, resolver: bench.resolver, readFamily: { _ in nil },
                judgeServer: { _, _, _ in nil }, wallClock: { TestPKI.now },
                descriptors: descriptors, connect: StreamSocket.connect)
        }
        #expect(throws: ScanError.tooManyInFlight(inFlight: 900, descriptors: 1_024)) { try make(1_024) }
        #expect(throws: Never.self) { try make(1_028) }
        let words = ScanError.tooManyInFlight(inFlight: 900, descriptors: 1_024).description
        #expect(words.contains("900") && words.contains("1024") && words.contains("LimitNOFILE"))
    }

    @Test("raising the limit reaches the hard one, and again changes nothing")
    func raising() {
        let before = DescriptorLimit.current
        let raised = DescriptorLimit.raise()
        #expect(raised >= before)
        #expect(DescriptorLimit.current == raised)
        #expect(DescriptorLimit.raise() == raised)
    }
}
