internal import COpenSSL
internal import PinwatchCore

/// One run of X509_verify_cert(3) for a TLS server's chain: what it built, and what it met on the way.
struct PathSearch {
    /// A certificate of the built chain by where it came from.
    enum Member: Hashable {
        case sent(Int)
        case anchor(Int)
    }

    /// An `X509_V_ERR_…` and the place in the built chain where it arose, 0 for the leaf.
    struct Fault: Hashable {
        let error: Int32
        let depth: Int
    }

    /// From the leaf on; as far as it went where `fault` is set.
    let members: [Member]
    /// What ended the search; `nil` if it reached an anchor.
    let fault: Fault?

    /// The longest path, counted as X509_VERIFY_PARAM_set_depth(3) does: certificates between leaf and anchor.
    static let depth: Int32 = 10

    /// Dates steer the choice among issuers (a valid one before one that ran out) but do not end the search: they are
    /// judged later, for the time that is asked about. Weak keys and digests end it only if nothing else is wrong.
    ///
    /// - Parameters:
    ///   - sent: The chain's certificates by their place; those that OpenSSL cannot load are missing. The leaf's is 0.
    /// - Returns: `nil` where OpenSSL has no memory.
    static func run(
        leaf: X509Handle, sent: [(index: Int, handle: X509Handle)], trustStore: TrustStore, at time: Instant
    ) -> PathSearch? {
        guard let untrusted = unsafe pinwatch_x509_stack_new() else { return nil }
        defer { unsafe pinwatch_x509_stack_free(untrusted) }
        for certificate in sent { unsafe _ = pinwatch_x509_stack_push(untrusted, certificate.handle.pointer) }
        let made = unsafe trustStore.library.withContext { unsafe X509_STORE_CTX_new_ex($0, nil) }
        guard let context = unsafe made else { return nil }
        defer {
            unsafe X509_STORE_CTX_free(context)
            ERR_clear_error()
        }
        let started = unsafe trustStore.withStore {
            unsafe X509_STORE_CTX_init(context, $0, leaf.pointer, untrusted)
        }
        guard started == 1, unsafe configure(context, at: time) else { return nil }
        let met = FaultLog()
        unsafe X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(met).toOpaque())
        unsafe X509_STORE_CTX_set_verify_cb(context, weighFault)
        let reached = unsafe X509_verify_cert(context) == 1
        var fault = met.fatal ?? met.weak
        if !reached, met.fatal == nil {
            fault = unsafe Fault(
                error: X509_STORE_CTX_get_error(context), depth: Int(X509_STORE_CTX_get_error_depth(context)))
        }
        return PathSearch(members: unsafe members(context, sent: sent, trustStore: trustStore), fault: fault)
    }

    private static func configure(_ context: OpaquePointer, at time: Instant) -> Bool {
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { return false }
        unsafe X509_VERIFY_PARAM_set_flags(
            parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, depth)
        unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time.unixSeconds))
        return unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER) == 1
    }

    /// OpenSSL hands back the very objects it was given, so that they are recognised by address.
    private static func members(
        _ context: OpaquePointer, sent: [(index: Int, handle: X509Handle)], trustStore: TrustStore
    ) -> [Member] {
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        return unsafe (0..<max(pinwatch_x509_stack_count(chain), 0)).compactMap { place -> Member? in
            let member = unsafe pinwatch_x509_stack_at(chain, place)
            if let index = trustStore.handles.firstIndex(where: { unsafe $0.pointer == member }) {
                return .anchor(index)
            }
            return sent.first { unsafe $0.handle.pointer == member }.map { .sent($0.index) }
        }
    }
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
