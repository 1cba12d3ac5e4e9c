import Dispatch
import PinwatchCore
import PinwatchTLS
import Synchronization
import TestSupport
import Testing

@testable import PinwatchScan

/// Servers that send, or begin to send, certificates of megabytes.
@Suite("Long messages", .timeLimit(.minutes(5)))
struct LongMessageTests {
    /// ServerHello of TLS 1.2, and of a Certificate message of 4 MiB all but the last records.
    private static let nearlyWhole: [UInt8] = {
        let hello: [UInt8] = [2, 0, 0, 38, 3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x2F, 0]
        let record: [UInt8] = [22, 3, 3, 0, UInt8(hello.count + 4)] + hello + [11, 0x40, 0, 0]
        return record + (0..<200).flatMap { _ in [22, 3, 3, 0x40, 0] + [UInt8](repeating: 7, count: 0x4000) }
    }()

    private func serve(names: Int, in folder: TestDirectory) throws -> LoopbackOpenSSL {
        let leaf = TestPKI.selfSigned(dns: (0..<names).map { "host-number-\($0).example.test" })
        let files = try folder.writeServer("many", leaf)
        return try LoopbackOpenSSL(["-cert", files.chain, "-key", files.key])
    }

    private func bench(roomFor visits: Int) -> ScanBench {
        var bench = ScanBench(timeoutMilliseconds: 50_000)
        bench.settings.longMessageBytes = visits * LongMessageRoom.bytesPerVisit
        return bench
    }

    private func outcomes(of scanner: Scanner, _ count: Int) async -> [Outcome] {
        var outcomes: [Outcome] = []
        while outcomes.count < count {
            let scans = await scanner.nextScans()
            guard !scans.isEmpty else { break }
            outcomes += scans.flatMap(\.observations).map(\.outcome)
            scanner.release(scans.count)
        }
        return outcomes
    }

    @Test func `who finds no room is put off, and in the end told of as our own shortage; others are not held up`()
        async throws
    {
        let hoarder = try LoopbackServer(.hear, .send(Self.nearlyWhole), .stall)
        let folder = try TestDirectory()
        let live = try serve(names: 10, in: folder)
        var bench = bench(roomFor: 1)
        let scanner = try bench.scanner()
        scanner.submit(ScanBench.target(port: hoarder.port, id: 1), at: TestPKI.now)
        // Its second hello is sent with room.
        while hoarder.heard.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        bench.settings.timeoutMilliseconds = 400
        scanner.use(bench.settings, credentials: ClientCredentials())
        for id in 2...6 { scanner.submit(ScanBench.target(port: hoarder.port, id: Int64(id)), at: TestPKI.now) }
        let putOff = await outcomes(of: scanner, 5)
        #expect(putOff.map(\.word) == Array(repeating: "unreachable", count: 5), "\(putOff)")
        #expect(
            putOff.allSatisfy { "\($0)".contains("more than 100 KiB and was not read, which says nothing about it") })
        #expect(hoarder.heard.count == 2 + 5)
        bench.settings.timeoutMilliseconds = 50_000
        scanner.use(bench.settings, credentials: ClientCredentials())
        scanner.submit(ScanBench.target(port: live.port, id: 7), at: TestPKI.now)
        #expect(await outcomes(of: scanner, 1) == [.ok])
        await scanner.stop(limitMilliseconds: 0)
    }

    @Test("certificates of megabytes are read, one after another where there is room for one", arguments: [1, 8])
    func turns(_ visits: Int) async throws {
        let folder = try TestDirectory()
        let server = try serve(names: 50_000, in: folder)
        var bench = bench(roomFor: visits)
        bench.hellos = .everyFamily
        let targets = (1...8).map { ScanBench.target(port: server.port, id: $0) }
        let scans = try await bench.scanner().scanOnce(targets, hellos: .everyFamily, at: TestPKI.now)
        #expect(scans.count == 8)
        for scan in scans {
            #expect(scan.observations.map(\.outcome.word) == ["ok", "ok", "no_such_key_family"])
            let sizes = scan.observations.compactMap { $0.chain?.certificates.first?.der.count }
            #expect(sizes.count == 2 && sizes.allSatisfy { $0 > 1 << 20 })
        }
    }

    @Test func `what a long message takes on its loop holds up nobody else's scan`() async throws {
        let folder = try TestDirectory()
        let long = try serve(names: 50_000, in: folder)
        let live = try serve(names: 10, in: folder)
        let isHeld = Atomic(false)
        let goOn = DispatchSemaphore(value: 0)
        var settings = bench(roomFor: 1).settings
        settings.loops = 1
        let scanner = try Scanner(
            settings: settings, resolver: FixedResolver(),
            readFamily: { certificate in
                if certificate.der.count > 1 << 20 {
                    isHeld.store(true, ordering: .relaxed)
                    _ = goOn.wait(timeout: .now() + 30)
                    isHeld.store(false, ordering: .relaxed)
                }
                return .ecdsa
            }, judgeServer: { _, _, _ in nil }, wallClock: { TestPKI.now })
        scanner.submit(ScanBench.target(port: long.port, id: 1), at: TestPKI.now)
        while !isHeld.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
        for id in 2...20 { scanner.submit(ScanBench.target(port: live.port, id: Int64(id)), at: TestPKI.now) }
        #expect(await outcomes(of: scanner, 19) == Array(repeating: .ok, count: 19))
        let isStillHeld = isHeld.load(ordering: .relaxed)
        #expect(isStillHeld)
        goOn.signal()
        #expect(await outcomes(of: scanner, 1) == [.ok])
        await scanner.stop(limitMilliseconds: 0)
    }

    @Test func `the loop of long messages gets what others hand on and begins nothing itself`() throws {
        var settings = bench(roomFor: 1).settings
        settings.inFlight = 3
        var state = QueueState(settings: settings, loops: 1)
        for id in 1...4 {
            let target = ScanBench.target(port: 443, id: Int64(id))
            _ = state.submit(DueScan(target: target, hellos: .phone), at: TestPKI.now)
        }
        _ = state.advance(now: TestPKI.now)
        let begun = state.orders(loop: 0, time: .now()).jobs
        #expect(begun.count == 3)
        #expect(state.orders(loop: 1, time: .now()).jobs.isEmpty)
        state.handOn([begun[0]], from: 0)
        #expect(state.advance(now: TestPKI.now).wakes == [1])
        #expect(state.orders(loop: 1, time: .now()).jobs.map(\.scan) == [begun[0].scan])
        #expect(state.load(now: TestPKI.now).inFlight == 3)
        // What it has done makes a place, which is not its own to fill.
        state.finish([AddressResult(scan: begun[0].scan, index: 0, observations: [])], loop: 1, now: TestPKI.now)
        _ = state.advance(now: TestPKI.now, caller: 1)
        #expect(state.orders(loop: 1, time: .now()).jobs.isEmpty)
        #expect(state.orders(loop: 0, time: .now()).jobs.count == 1)
    }

    @Test func `there is always room for one, and what was given back is there again`() {
        var room = LongMessageRoom(bytes: 0)
        let first = [room.take(), room.take()]
        room.giveBack()
        let again = room.take()
        #expect(first + [again] == [true, false, true])
        var two = LongMessageRoom(bytes: 2 * LongMessageRoom.bytesPerVisit)
        let taken = [two.take(), two.take(), two.take()]
        #expect(taken == [true, true, false])
    }
}
