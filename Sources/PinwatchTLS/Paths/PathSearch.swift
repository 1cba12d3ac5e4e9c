internal import COpenSSL
internal import PinwatchCore

/// One run of X509_verify_cert(3) for a TLS server's chain: what it built, and what it met on the way.
struct PathSearch {
    /// An `X509_V_ERR_…` and the place in the built chain where it arose, 0 for the leaf.
    struct Fault: Hashable {
        let error: Int32
        let depth: Int
    }

    /// From the leaf on; as far as it went where `fault` is set.
    let members: [PathPool.Member]
    /// What ended the search; `nil` if it reached an anchor.
    let fault: Fault?

    /// The longest path, counted as X509_VERIFY_PARAM_set_depth(3) does: certificates between leaf and anchor.
    static let depth: Int32 = 10

    /// The most ways that are told of one chain.
    static let limit = 8

    /// Every way that holds, the one that OpenSSL takes by itself first; alone and with its fault where none does.
    ///
    /// - Parameter checks: Signature checks that are left for this chain; a way that needs more is not tried.
    /// - Returns: `nil` where OpenSSL has no memory.
    static func all(_ pool: PathPool, at time: Instant, checks: Int) -> [PathSearch]? {
        guard let first = run(pool, at: time) else { return nil }
        // OpenSSL may go round by authorities that signed one another; such a way stands for want of a better.
        var found = first.fault == nil && !pool.goesRound(first.members) ? [first] : []
        var left = checks - first.members.count
        for way in PathCandidates.all(pool) {
            guard found.count < limit, left >= way.count else { break }
            guard !found.contains(where: { pool.isSame($0.members, way) }) else { continue }
            left -= way.count
            guard let search = run(pool, at: time, along: way), search.fault == nil, pool.isSame(search.members, way)
            else { continue }
            found.append(search)
        }
        return found.isEmpty ? [first] : found
    }

    /// Dates steer the choice among issuers (a valid one before one that ran out) but do not end the search: they are
    /// judged later, for the time that is asked about. Weak keys and digests end it only if nothing else is wrong.
    ///
    /// - Parameter way: Members that alone may be used, the last of which alone is trusted; `nil` lets OpenSSL choose.
    /// - Returns: `nil` where OpenSSL has no memory.
    private static func run(_ pool: PathPool, at time: Instant, along way: [PathPool.Member]? = nil) -> PathSearch? {
        let untrusted = way.map { $0.dropLast().compactMap(pool.handle) } ?? pool.sent.map(\.handle)
        let trusted = way.flatMap(\.last).flatMap(pool.handle)
        guard let stack = X509Stack(untrusted), let anchors = X509Stack(trusted.map { [$0] } ?? [])
        else { return nil }
        let made = unsafe pool.trustStore.library.withContext { unsafe X509_STORE_CTX_new_ex($0, nil) }
        guard let context = unsafe made else { return nil }
        defer {
            unsafe X509_STORE_CTX_free(context)
            ERR_clear_error()
        }
        let started = unsafe pool.trustStore.withStore {
            unsafe X509_STORE_CTX_init(context, $0, pool.leaf.pointer, stack.pointer)
        }
        guard started == 1, unsafe configure(context, at: time, for: pool.purpose) else { return nil }
        if way != nil { unsafe X509_STORE_CTX_set0_trusted_stack(context, anchors.pointer) }
        let met = FaultLog()
        unsafe X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(met).toOpaque())
        unsafe X509_STORE_CTX_set_verify_cb(context, weighFault)
        let reached = unsafe X509_verify_cert(context) == 1
        var fault = met.fatal ?? met.weak
        if !reached, met.fatal == nil {
            fault = unsafe Fault(
                error: X509_STORE_CTX_get_error(context), depth: Int(X509_STORE_CTX_get_error_depth(context)))
        }
        return withExtendedLifetime((stack, anchors)) {
            PathSearch(members: unsafe members(context, of: pool), fault: fault)
        }
    }

    private static func configure(_ context: OpaquePointer, at time: Instant, for purpose: PathPurpose) -> Bool {
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { return false }
        unsafe X509_VERIFY_PARAM_set_flags(
            parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, depth)
        unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time.unixSeconds))
        switch purpose {
        case .server: return unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) == 1
        case .authority: return unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_ANY) == 1
        }
    }

    private static func members(_ context: OpaquePointer, of pool: PathPool) -> [PathPool.Member] {
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        return unsafe (0..<max(pinwatch_x509_stack_count(chain), 0)).compactMap { place in
            unsafe pool.member(pinwatch_x509_stack_at(chain, place))
        }
    }
}

/// A stack of certificates that others own.
@safe
private final class X509Stack {
    let pointer: OpaquePointer

    /// `nil` without memory.
    init?(_ members: [X509Handle]) {
        guard let made = unsafe pinwatch_x509_stack_new() else { return nil }
        unsafe pointer = made
        for member in members where unsafe pinwatch_x509_stack_push(made, member.pointer) == 0 { return nil }
    }

    deinit { unsafe pinwatch_x509_stack_free(pointer) }
}

/// What the callback met; lives as long as the search.
private final class FaultLog {
    var fatal: PathSearch.Fault?
    var weak: PathSearch.Fault?
}

/// A verify callback (X509_STORE_CTX_set_verify_cb(3)): 1 goes on in spite of the fault, 0 ends the search.
private func weighFault(ok: Int32, context: OpaquePointer?) -> Int32 {
    guard ok == 0, let context = unsafe context, let data = unsafe X509_STORE_CTX_get_ex_data(context, 0) else {
        return ok
    }
    let met = unsafe Unmanaged<FaultLog>.fromOpaque(data).takeUnretainedValue()
    let fault = unsafe PathSearch.Fault(
        error: X509_STORE_CTX_get_error(context), depth: Int(X509_STORE_CTX_get_error_depth(context)))
    switch fault.error {
    case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: break
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
        if met.weak == nil { met.weak = fault }
    default:
        met.fatal = fault
        return 0
    }
    // An error that is left standing becomes the answer where no anchor is met, in place of that.
    unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
}
