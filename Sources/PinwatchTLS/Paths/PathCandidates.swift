internal import COpenSSL
internal import PinwatchCore

/// Every way up from a leaf that names, key identifiers and key usage allow (X509_check_issued(3)); whether signatures,
/// purposes and strengths hold is for ``PathSearch``.
///
/// At each step the trust store's certificates come before those sent, in their own orders. A way ends at an anchor, and
/// goes on above it as a further way where the anchor was issued by another: clients differ in where they stop.
struct PathCandidates {
    /// Ways that are found of one chain.
    static let limit = 32
    /// Steps that are taken in search of them.
    static let stepLimit = 2_000

    private let pool: PathPool
    private var steps = 0
    private var found: [[PathPool.Member]] = []

    static func all(_ pool: PathPool) -> [[PathPool.Member]] {
        var search = PathCandidates(pool)
        search.climb([.sent(0)])
        return search.found
    }

    /// Of entries that repeat one another, or an anchor, one counts.
    private init(_ pool: PathPool) {
        var seen = pool.trustStore.handles
        let sent = pool.sent.filter { entry in
            guard entry.index != 0 else { return true }
            guard !seen.contains(where: { $0.isSame(as: entry.handle) }) else { return false }
            seen.append(entry.handle)
            return true
        }
        self.pool = PathPool(sent: sent, leaf: pool.leaf, trustStore: pool.trustStore, purpose: pool.purpose)
    }

    private mutating func climb(_ way: [PathPool.Member]) {
        steps += 1
        guard steps <= Self.stepLimit, found.count < Self.limit, let last = way.last, let handle = pool.handle(last)
        else {
            return
        }
        if case .anchor = last { found.append(way) }
        // The depth counts what lies between leaf and anchor.
        guard way.count < Int(PathSearch.depth) + 2, !handle.isSelfIssued else { return }
        let members = way.compactMap(pool.handle)
        for issuer in issuers(of: handle) {
            guard let candidate = pool.handle(issuer), !members.contains(where: { $0.isSameEntity(as: candidate) })
            else {
                continue
            }
            climb(way + [issuer])
        }
    }

    private func issuers(of subject: X509Handle) -> [PathPool.Member] {
        let anchors = pool.trustStore.anchors(named: subject.issuerHash)
            .filter { pool.trustStore.handles[$0].mayHaveIssued(subject) }
        let others = pool.sent.filter { $0.index != 0 && $0.handle.mayHaveIssued(subject) }
        return anchors.map { .anchor($0) } + others.map { .sent($0.index) }
    }
}

extension X509Handle {
    /// X509_NAME_hash_ex(3) of the issuer's name, by which a trust store is asked for it.
    var issuerHash: UInt { unsafe X509_issuer_name_hash(pointer) }
    /// The same of the subject's name.
    var subjectHash: UInt { unsafe X509_subject_name_hash(pointer) }

    fileprivate var isSelfIssued: Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
    }

    func mayHaveIssued(_ subject: X509Handle) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_issued(pointer, subject.pointer) == X509_V_OK
    }

    /// Equal bytes.
    func isSame(as other: X509Handle) -> Bool { unsafe X509_cmp(pointer, other.pointer) == 0 }

    /// Equal name and key: a way that meets the same authority twice leads nowhere new (RFC 4158 section 5.2).
    func isSameEntity(as other: X509Handle) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_subject_name(other.pointer)) == 0
            && X509_PUBKEY_eq(X509_get_X509_PUBKEY(pointer), X509_get_X509_PUBKEY(other.pointer)) == 1
    }
}
