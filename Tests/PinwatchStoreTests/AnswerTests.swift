import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("What addresses last answered") struct AnswerTests {
    private let stamped = chain(77, key: 1)
    private let bare = chain(2, key: 1)

    private struct Answer {
        var profile = HelloProfile.phone
        var chain: Chain?
        var scts = 0
        var version = TLSVersion.tls12
        var bits: Int?
    }

    private func record(_ answers: [Answer], _ target: Target, at now: Instant, in store: Store) async throws {
        let observations = answers.map { answer in
            var observation = Observation(
                at: now, address: address("192.0.2.1"), profile: answer.profile,
                outcome: answer.chain == nil ? .alert(number: 40, name: "handshake_failure") : .ok)
            guard let chain = answer.chain else { return observation }
            (observation.chain, observation.keyFamily) = (chain, .ecdsa)
            (observation.scts, observation.tlsVersion) = (answer.scts, answer.version)
            observation.diffieHellmanBits = answer.bits
            return observation
        }
        let scan = Scan(
            target: target, startedAt: now, endedAt: now, resolved: [address("192.0.2.1")], observations: observations)
        try await store.record([scan], assessor: NumberAssessor(), now: now)
        let (known, stored) = try await store.writer.memories(of: target.id, now: now)
        #expect(known == stored)
    }

    private func drops(in store: Store) async throws -> [Bool] {
        try await store.events(PageRequest(filters: ["kind": ["sct.dropped"]])).items.map(\.event.quiet).reversed()
    }

    private func weak(in store: Store) async throws -> [String] {
        let found = try await store.findings(PageRequest(filters: ["kind": ["crypto.weak"]])).items
        return found.map { String($0.key.split(separator: "/").last ?? "") }.sorted()
    }

    @Test func `timestamps that go are told once for each drop, though scans failed between`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let steps: [(minutes: Int64, chain: Chain?, scts: Int, told: [Bool])] = [
            (0, bare, 0, []), (5, stamped, 0, []), (10, nil, 0, []), (15, bare, 0, []), (80, bare, 0, []),
            (85, bare, 1, []), (90, nil, 0, []), (95, bare, 0, [false]), (100, bare, 0, [false]),
            (105, bare, 2, [false]), (110, bare, 0, [false, true]), (200, stamped, 0, [false, true]),
            (300, bare, 0, [false, true, false]), (305, bare, 0, [false, true, false]),
        ]
        for step in steps {
            let answer = Answer(chain: step.chain, scts: step.scts)
            try await record([answer], target, at: noon + step.minutes * 60, in: fixture.store)
            #expect(try await drops(in: fixture.store) == step.told, "after \(step.minutes) minutes")
        }
    }

    @Test func `a restart between a chain with timestamps and one without loses nothing`() async throws {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        try await record([Answer(chain: bare, scts: 1)], target, at: noon, in: fixture.store)
        try await fixture.store.close()
        let store = try await Store.open(path: fixture.path, now: noon)
        try await record([Answer(chain: bare)], target, at: noon + 300, in: store)
        #expect(try await drops(in: store) == [false])
        try await store.close()
    }

    @Test func `a weak exchange is found, kept while nothing answers, and gone when the server is mended`() async throws
    {
        let fixture = try await StoreFixture()
        let target = try #require(try await fixture.targets("api.example.com").first)
        let refused = Answer()
        let old = Answer(profile: .legacy, chain: bare, version: .tls10, bits: 1_024)
        let steps: [([Answer], [String])] = [
            ([refused, old], ["dh_1024", "legacy_hello", "tls1.0"]),
            ([refused], ["dh_1024", "legacy_hello", "tls1.0"]),
            ([refused, old], ["dh_1024", "legacy_hello", "tls1.0"]),
            ([refused, Answer(profile: .legacy, chain: bare, bits: 1_024)], ["dh_1024", "legacy_hello"]),
            ([refused, Answer(profile: .legacy, chain: bare, bits: 2_048)], ["legacy_hello"]),
            ([refused], ["legacy_hello"]), ([Answer(chain: bare)], []), ([refused], []),
        ]
        for (number, step) in steps.enumerated() {
            try await record(step.0, target, at: noon + Int64(number) * 300, in: fixture.store)
            #expect(try await weak(in: fixture.store) == step.1, "step \(number)")
        }
        let runs = try await fixture.store.observations(of: target.id, PageRequest()).items
        #expect(runs.map(\.observation.diffieHellmanBits).contains(1_024))
        #expect(runs.contains { $0.weak == [.dh1024, .tls10] } && runs.contains { $0.weak == [.dh1024] })
    }
}
