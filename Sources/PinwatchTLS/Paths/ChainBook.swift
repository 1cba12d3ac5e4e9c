package import PinwatchCore
internal import Synchronization

/// Assessments by chain and trust store, so that a chain that is served again costs a look-up.
package final class ChainBook: ChainAssessor {
    private struct Key: Hashable {
        let chain: ChainID
        let trustStore: String
    }

    private struct Entry {
        let assessment: ChainAssessment
        let assessedAt: Instant
        let size: Int
        /// Issuers that were remembered when it was made.
        let issuers: Int
        /// When the use of a younger entry makes this one the older.
        var used: UInt64
    }

    private struct Shelf {
        /// By the names of the configuration.
        var trustStores: [String: TrustStore]
        /// Counts replacements of the trust stores.
        var generation = 0
        var entries: [Key: Entry] = [:]
        /// The sum of the entries' sizes.
        var bytes = 0
        var clock: UInt64 = 0
    }

    /// Seconds for which an assessment that does not suit the time stands before paths are built again.
    package static let patience: Int64 = 3_600

    private let capacity: Int
    private let byteCapacity: Int
    private let shelf: Mutex<Shelf>
    private let issuers = IssuerMemory()

    /// - Parameters:
    ///   - trustStores: By the names of the configuration.
    ///   - capacity: The most assessments kept; those unused for the longest go first.
    ///   - byteCapacity: The most bytes of DER in the chains whose assessments are kept; an assessment holds their texts.
    package init(trustStores: [String: TrustStore], capacity: Int = 20_000, byteCapacity: Int = 256 << 20) {
        shelf = Mutex(Shelf(trustStores: trustStores))
        self.capacity = max(capacity, 1)
        self.byteCapacity = byteCapacity
    }

    /// From now on judges by other trust stores. What was assessed by one whose anchors stay is kept.
    package func use(_ trustStores: [String: TrustStore]) {
        shelf.withLock { shelf in
            let kept = trustStores.filter { name, store in
                shelf.trustStores[name]?.anchors.map(\.fingerprint) == store.anchors.map(\.fingerprint)
            }
            for (key, entry) in shelf.entries where kept[key.trustStore] == nil {
                shelf.entries[key] = nil
                shelf.bytes -= entry.size
            }
            shelf.trustStores = trustStores
            shelf.generation += 1
        }
    }

    /// The assessment of a chain in hand; `nil` if the trust store has no such name.
    package func assess(_ chain: Chain, trustStore: String, now: Instant) -> ChainAssessment? {
        assessment(of: chain.id, trustStore: trustStore, now: now) { chain }
    }

    package func assessment(
        of chain: ChainID, trustStore: String, now: Instant, load: () throws -> Chain?
    ) rethrows -> ChainAssessment? {
        let key = Key(chain: chain, trustStore: trustStore)
        let (found, known, generation) = shelf.withLock {
            ($0.trustStores[trustStore], Self.take(key, from: &$0), $0.generation)
        }
        guard let store = found else { return nil }
        if let known, !isWorthAnother(known, now: now) { return known.assessment }
        guard let loaded = try load() else { return known?.assessment }
        let remembered = issuers.count
        var made = PathBuilder.assess(chain: loaded, trustStore: store, at: now)
        if made.code == .missingIssuer {
            made.missingIssuer?.known = issuers.completion(of: loaded, by: store, at: now)
        }
        let onPath = Set(made.paths.flatMap { $0.certificates.dropFirst() }.map(\.fingerprint))
        issuers.remember(
            loaded.certificates.filter { onPath.contains($0.fingerprint) }, library: store.library)
        shelf.withLock { shelf in
            // Made by a trust store that was replaced meanwhile, it is good for this answer and no other.
            guard shelf.generation == generation else { return }
            put(made, of: loaded, key, now: now, issuers: remembered, in: &shelf)
        }
        return made
    }

    /// Remembers issuers that were served at some time, as those of a history that is taken up again; those on a path of
    /// a chain that is assessed are remembered by themselves.
    package func remember(_ issuers: [Certificate]) {
        guard let library = trustStores.values.first?.library else { return }
        self.issuers.remember(issuers, library: library)
    }

    /// Those in use, by name.
    package var trustStores: [String: TrustStore] { shelf.withLock(\.trustStores) }

    /// How many assessments are kept now.
    package var count: Int { shelf.withLock { $0.entries.count } }

    private static func take(_ key: Key, from shelf: inout Shelf) -> Entry? {
        shelf.clock += 1
        shelf.entries[key]?.used = shelf.clock
        return shelf.entries[key]
    }

    /// Whether the best path is outside its dates, though another might not be, and the last try is not fresh. Where the
    /// leaf itself is outside them no path can hold. One that lacks an issuer is, once more issuers are remembered.
    private func isWorthAnother(_ entry: Entry, now: Instant) -> Bool {
        if let missing = entry.assessment.missingIssuer, missing.known.isEmpty { return issuers.count > entry.issuers }
        guard let path = entry.assessment.paths.first, path.validity?.contains(now) != true,
            let leaf = entry.assessment.leaf, let start = leaf.notBefore, let end = leaf.notAfter,
            start <= now, now <= end
        else { return false }
        let age = now.seconds(since: entry.assessedAt)
        return age >= Self.patience || age <= -Self.patience
    }

    private func put(
        _ assessment: ChainAssessment, of chain: Chain, _ key: Key, now: Instant, issuers: Int, in shelf: inout Shelf
    ) {
        shelf.clock += 1
        let size = chain.certificates.reduce(0) { $0 + $1.der.count }
        let former = shelf.entries.updateValue(
            Entry(assessment: assessment, assessedAt: now, size: size, issuers: issuers, used: shelf.clock),
            forKey: key)
        shelf.bytes += size - (former?.size ?? 0)
        guard shelf.entries.count > capacity || shelf.bytes > byteCapacity else { return }
        // An eighth at a time, so that the sorting is paid for by many insertions.
        let count = shelf.entries.count > capacity ? shelf.entries.count - max(capacity / 8, 1) : capacity
        let bytes = shelf.bytes > byteCapacity ? byteCapacity - byteCapacity / 8 : byteCapacity
        for entry in shelf.entries.sorted(by: { $0.value.used < $1.value.used }) {
            guard shelf.entries.count > count || shelf.bytes > bytes else { return }
            shelf.entries[entry.key] = nil
            shelf.bytes -= entry.value.size
        }
    }
}
