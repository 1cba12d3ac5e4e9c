internal import PinwatchCore

/// What recording needs of a target, kept so that an unchanged scan reads nothing.
struct TargetMemory: Hashable {
    /// One observed result that repeats.
    struct Run: Hashable {
        var id: Int64
        /// The newest in the run, which may differ from the first in its words.
        var outcome: Outcome
        var chain: ChainID?
        var tlsVersion: TLSVersion?
        var diffieHellmanBits: Int?
        var details: Details
        var since: Instant
        var lastAt: Instant
        var times: Int64
        /// Scans in a row that got no chain here by this hello, over runs of different failures.
        var failures: Int64
    }

    /// What may change within a run: the row is brought up to date, and no new one written.
    struct Details: Hashable {
        var cipher: String?
        var alpn: String?
        var family: KeyFamily?
        var scts: Int
        /// The staple's hash value; a staple is up to kilobytes and changes every few hours.
        var staple: Int

        init(_ observation: Observation) {
            cipher = observation.cipher
            alpn = observation.alpn
            family = observation.keyFamily
            scts = observation.scts
            staple = observation.stapledOCSP.hashValue
        }
    }

    struct Lane: Hashable {
        var address: IPAddress?
        var profile: HelloProfile
    }

    struct Status: Hashable {
        var addedAt: Instant
        var lastScanAt: Instant?
        var lastChainAt: Instant?
        var failures: Int64
        var failingSince: Instant?
    }

    var host: String
    var status: Status
    /// Open spans, and closed ones for as long as they can reopen. Of their servings, which pile up where addresses
    /// rotate, the current ones and those that count as a flap if they return.
    var spans: [Span]
    /// The results of the last scan that resolved, and of a failed resolution since.
    var runs: [Lane: Run]
    /// Rollouts that have begun and not ended.
    var rollouts: [Rollout]
    /// When resolution last gave each address, to ten minutes; for ``resolutionSeconds``.
    var resolved: [IPAddress: Instant]
    /// Whether a finding says that knowledge of the target is old, which the next scan must take back.
    var isCalledStale: Bool

    /// How long it is known when resolution gave an address: longer than retirement asks for.
    static let resolutionSeconds = 2 * SpanBook.addressRetirementSeconds

    /// Drops what no later scan will ask for; the database keeps it.
    mutating func forget(before instant: Instant, flapWindowSeconds: Int64) {
        let recent = instant - flapWindowSeconds
        spans.removeAll { span in span.closedAt.map { $0 < recent } ?? false }
        for index in spans.indices { spans[index].servings.removeAll { !$0.current && $0.lastSeen < recent } }
        let resolution = instant - Self.resolutionSeconds
        if resolved.values.contains(where: { $0 < resolution }) {
            resolved = resolved.filter { $0.value >= resolution }
        }
    }
}

/// What is remembered of all targets. A reference, so that a transaction can look without copying the dictionary.
final class TargetMemories {
    var known: [TargetID: TargetMemory] = [:]
}
