import PinwatchCore
import Synchronization

@testable import PinwatchHTTP

/// Answers every preflight by one release that accepts, and every matrix by an empty one.
final class StubRotationDesk: RotationDesk {
    private let asked = Mutex<[PreflightRequest]>([])
    private let refusal = Mutex<PinFilesRefusal?>(nil)
    var requests: [PreflightRequest] { asked.withLock { $0 } }
    func refuse(_ why: PinFilesRefusal) { refusal.withLock { $0 = why } }

    func preflight(_ request: PreflightRequest, now: Instant) async throws -> PreflightAnswer {
        if let refusal = refusal.withLock(\.self) { throw refusal }
        asked.withLock { $0.append(request) }
        let release = PreflightRelease(id: PinSetID(1), definition: definition())
        let good = Verdict(.accept, code: "ok", reason: "a pin matches")
        let verdict = ReleaseVerdict(layers: [.init(client: .generic, verdict: good)], deciding: good)
        let preflight = Preflight(
            host: request.host, rows: [.init(release: release, verdict: verdict, now: .accept)], assumed: ["Much."])
        return PreflightAnswer(preflight: preflight, candidate: request.candidate, leaf: nil)
    }

    func matrix(of target: TargetID, now: Instant) async throws -> ReleaseMatrix? {
        if let refusal = refusal.withLock(\.self) { throw refusal }
        guard target == TargetID(1) else { return nil }
        let state = TargetState(
            target: targetRecord(id: 1).target, addedAt: now, lastScanAt: nil, lastChainAt: nil, failures: 0,
            failingSince: nil, addresses: [], openSpans: [])
        let policy = EvaluationPolicy(
            thresholds: Configuration.Thresholds(), periodSeconds: 300, routes: [], channels: [], pinSets: [],
            timeZones: StubAdministration.Zones(), scanningSince: now)
        return ReleaseMatrix(of: state, policy: policy, now: now) { _, _ in nil }
    }
}
