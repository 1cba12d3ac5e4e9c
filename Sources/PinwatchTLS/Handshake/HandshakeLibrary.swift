internal import COpenSSL

/// A private OpenSSL library context with the default provider alone, so that a host's `openssl.cnf` cannot change what
/// is offered or accepted (OSSL_LIB_CTX(3): a new context reads no configuration file).
///
/// One for the life of the process; it outlives every ``HandshakeContext`` made in it, since each holds it.
@safe package final class HandshakeLibrary {
    let context: OpaquePointer
    private let provider: OpaquePointer

    /// - Throws: ``HandshakeSetupError`` where OpenSSL has no memory or no default provider.
    package init() throws(HandshakeSetupError) {
        OpenSSLErrors.clear()
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw .init(step: "OSSL_LIB_CTX_new") }
        guard let provider = unsafe OSSL_PROVIDER_load(context, "default") else {
            unsafe OSSL_LIB_CTX_free(context)
            throw .init(step: "OSSL_PROVIDER_load default")
        }
        unsafe self.provider = unsafe provider
        unsafe self.context = unsafe context
    }

    /// Frees what OpenSSL keeps for the calling thread, its random generator above all.
    ///
    /// To be called by every thread that made a handshake, at its end and before this object is gone: OpenSSL would
    /// otherwise clean up at the thread's exit, in a context that may be freed by then (OPENSSL_thread_stop_ex(3)).
    package func leaveThread() {
        unsafe OPENSSL_thread_stop_ex(context)
    }

    deinit {
        unsafe OSSL_PROVIDER_unload(provider)
        unsafe OSSL_LIB_CTX_free(context)
    }
}

/// openssl-threads(7): library contexts and the objects fetched from them may be used by several threads at once.
extension HandshakeLibrary: LibraryContext, @unchecked Sendable {
    func withContext<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
        try unsafe body(context)
    }
}

/// OpenSSL refused to be set up: a broken installation or no memory, never something that a peer causes.
package struct HandshakeSetupError: Error, Hashable, CustomStringConvertible {
    /// The call that failed, with its argument where that tells more.
    package let step: String
    /// OpenSSL's own reasons, oldest first, separated by semicolons.
    package let reasons: String

    init(step: String) {
        self.step = step
        reasons = OpenSSLErrors.drain().map(\.text).joined(separator: "; ")
    }

    package var description: String {
        "OpenSSL cannot be set up for handshakes: \(step) failed (\(reasons.isEmpty ? "no reason given" : reasons))"
    }
}
