internal import PinwatchCore
internal import Synchronization

/// Issuers that were served at some time, by which a chain that lacks one is completed: to tell the operator which
/// certificate is missing, never to make such a chain good.
final class IssuerMemory: Sendable {
    /// More are not remembered; there are some thousands of public intermediates.
    static let limit = 4_000
    /// Issuers of one name that are tried, and how many are put on top of one another.
    private static let namesakes = 4
    private static let height = 4

    private struct Entry {
        let certificate: Certificate
        let handle: X509Handle
    }

    private struct State {
        var entries: [UInt: [Entry]] = [:]
        var known: Set<SHA256Digest> = []
    }

    private let state = Mutex(State())

    /// How many are remembered: grows whenever another answer may be had.
    var count: Int { state.withLock(\.known.count) }

    /// - Parameter library: What the certificates are loaded with that are not known yet.
    func remember(_ certificates: some Sequence<Certificate>, library: X509Library) {
        for certificate in certificates {
            let isNew = state.withLock { $0.known.count < Self.limit && !$0.known.contains(certificate.fingerprint) }
            guard isNew, let handle = X509Handle(certificate.der, library: library) else { continue }
            state.withLock { state in
                guard state.known.insert(certificate.fingerprint).inserted else { return }
                state.entries[handle.subjectHash, default: []].append(Entry(certificate: certificate, handle: handle))
            }
        }
    }

    /// What a chain lacks on its way to an anchor, the nearest to the leaf first; empty where it is not known.
    func completion(of chain: Chain, by store: TrustStore, at now: Instant) -> [SHA256Digest] {
        var certificates = Array(chain.certificates.prefix(PathBuilder.entryLimit - Self.height * Self.namesakes))
        var added: Set<SHA256Digest> = []
        for _ in 0..<Self.height {
            let wanted = issuers(of: certificates, library: store.library)
            guard !wanted.isEmpty else { return [] }
            certificates += wanted
            added.formUnion(wanted.map(\.fingerprint))
            let made = PathBuilder.assess(
                chain: Chain(id: chain.id, certificates: certificates), trustStore: store, at: now)
            if let path = made.paths.first {
                return path.certificates.map(\.fingerprint).filter { added.contains($0) }
            }
            guard made.code == .missingIssuer else { return [] }
        }
        return []
    }

    /// Those that are not among the certificates themselves.
    private func issuers(of certificates: [Certificate], library: X509Library) -> [Certificate] {
        var found: [Certificate] = []
        for certificate in certificates {
            guard let child = X509Handle(certificate.der, library: library) else { continue }
            let namesakes = state.withLock { $0.entries[child.issuerHash] ?? [] }
            found += namesakes.filter { $0.handle.mayHaveIssued(child) }.prefix(Self.namesakes).map(\.certificate)
        }
        var seen = Set(certificates.map(\.fingerprint))
        return Array(found.filter { seen.insert($0.fingerprint).inserted }.prefix(Self.namesakes))
    }
}
