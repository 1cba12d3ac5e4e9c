import Synchronization
import Testing

@testable import PinwatchCore

@Suite("Pin sets by host") struct PinSetIndexTests {
    /// Counts how often it is asked for a verdict.
    private struct CountedPolicy: PinPolicy {
        final class Count: Sendable {
            let value = Mutex(0)
        }

        let host: String
        let count: Count

        init(host: String, count: Count) {
            self.host = host
            self.count = count
        }

        init?(from node: Node, reader: inout NodeReader) { nil }
        func concerns(host: String) -> Bool { host == self.host }
        var hosts: [PinnedHost] { [PinnedHost(pattern: host, match: "leaf", pins: [], expires: nil)] }
        var allPins: [Pin] { [] }
        var expiries: [PinExpiry] { [] }
        func pins(for host: String, now: Instant) -> [Pin] { [] }
        func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
        func verdict(for presentation: Presentation) -> Verdict {
            count.value.withLock { $0 += 1 }
            return Verdict(.unpinned, by: .design, code: "host_not_listed", reason: "no entry")
        }
    }

    @Test func `a thousand pin sets of other hosts are not asked`() throws {
        var world = World()
        try world.serve(world.certificate("A"), on: [1])
        let count = CountedPolicy.Count()
        world.policy.pinSets = (0..<1_000).map { number in
            let policy = CountedPolicy(host: "h\(number).other.test", count: count)
            return PinSet(
                id: PinSetID(Int64(number)), definition: PreflightLab.release([policy], app: "app\(number)").definition)
        }
        let finding = try #require(world.findings(.hostUnpinned).first)
        #expect(finding.summary.contains("none of the 1000 releases"))
        #expect(count.value.withLock(\.self) == 0)
        let own = CountedPolicy(host: world.host, count: count)
        world.policy.pinSets.append(
            PinSet(id: PinSetID(5_000), definition: PreflightLab.release([own], app: "own").definition))
        _ = world.evaluate()
        #expect(count.value.withLock(\.self) == 1)
    }

    private static let patterns = [
        "example.com", "api.example.com", "*.example.com", "**.example.com", "Api.Example.com", "example.com.",
        "*.com", "a.b.example.com", "x*.example.com", "münchen.test", "192.0.2.1", "example.org", "*.api.example.com",
        "*.0.2.1", "**.2.1",
    ]
    private static let hosts = [
        "example.com", "api.example.com", "a.b.example.com", "other.test", "com", "192.0.2.1", "xy.example.com",
        "example.com.", "API.example.com", "xn--mnchen-3ya.test", "deep.a.b.example.com", "example.org",
    ]

    private static func policies(_ patterns: [String]) -> [(String, any PinPolicy)] {
        let pins = [Lab.pin(1), Lab.pin(2)]
        let bundle = BundledPins(pins, as: .keys)
        return [
            ("generic", GenericPolicy(entries: patterns.map { Lab.entry($0.lowercased(), pins) })),
            (
                "alamofire",
                AlamofirePolicy(
                    entries: patterns.map { .init(host: $0, evaluator: .keys(bundle, .init())) },
                    allHostsMustBeEvaluated: false)
            ),
            ("alamofire, all hosts", AlamofirePolicy(entries: [])),
            (
                "urlsession",
                URLSessionPolicy(
                    entries: patterns.map {
                        .init(host: $0, compare: .spki, match: .leaf, pins: pins, assumptions: [])
                    })
            ),
            (
                "apple",
                ApplePinnedDomainsPolicy(
                    entries: patterns.map {
                        .init(domain: $0, includesSubdomains: .boolean(true), leaves: pins, authorities: nil)
                    })
            ),
            ("okhttp", OkHttpPolicy<ModernOkHttp>(entries: patterns.map(okHttp), idna: Lab.resources().idna)),
            ("okhttp3", OkHttpPolicy<LegacyOkHttp>(entries: patterns.map(okHttp), idna: Lab.resources().idna)),
            ("curl", CurlPolicy(.list("sha256//" + Lab.digest(2, 1).base64))),
        ]
    }

    private static func okHttp(_ pattern: String) -> OkHttpEntry {
        OkHttpEntry(pattern: pattern, pins: [Lab.pin(1)], idna: Lab.resources().idna)
    }

    @Test func `whatever a policy concerns is found, and what is not found finds nothing`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            let patterns = Array(Self.patterns.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
            for (name, policy) in Self.policies(patterns) {
                let pinSet = PinSet(id: PinSetID(3), definition: PreflightLab.release([policy]).definition)
                let index = PinSetIndex([pinSet])
                for host in Self.hosts
                where policy.concerns(host: host) || !policy.pins(for: host, now: Lab.now).isEmpty {
                    #expect(index.about(host) == [0], "\(name) of \(patterns) concerns \(host)")
                }
                for host in Self.hosts where index.about(host).isEmpty {
                    let verdict = policy.verdict(for: Lab.presentation(host: host))
                    #expect(verdict.kind == .unpinned && verdict.by == .design, "\(name) of \(patterns): \(host)")
                }
            }
        }
    }
}

/// The same numbers in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
