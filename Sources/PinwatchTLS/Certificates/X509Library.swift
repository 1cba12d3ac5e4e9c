internal import COpenSSL

/// What certificates and keys are loaded in: OpenSSL asks that those of one handshake be of its own.
protocol LibraryContext: AnyObject, Sendable {
    /// Lends the OSSL_LIB_CTX for the length of the call.
    func withContext<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value
}

/// A private library context with the default provider alone, so that no `openssl.cnf` of the host changes what
/// certificates are found to be.
///
/// `@unchecked Sendable`: openssl-threads(7), "Objects are thread-safe as long as the API's being invoked don't modify the
/// object"; after `init` the context is only looked things up in.
@safe
final class X509Library: LibraryContext, @unchecked Sendable {
    fileprivate let context: OpaquePointer
    private let provider: OpaquePointer

    init() throws(CertificateError) {
        guard let made = unsafe OSSL_LIB_CTX_new() else { throw .libraryUnavailable }
        guard let loaded = unsafe OSSL_PROVIDER_load(made, "default") else {
            unsafe OSSL_LIB_CTX_free(made)
            ERR_clear_error()
            throw .libraryUnavailable
        }
        unsafe provider = loaded
        unsafe context = made
    }

    deinit {
        unsafe OSSL_PROVIDER_unload(provider)
        unsafe OSSL_LIB_CTX_free(context)
    }

    func withContext<Value>(_ body: (OpaquePointer) throws -> Value) rethrows -> Value {
        try unsafe body(context)
    }
}

/// A certificate that OpenSSL could load.
///
/// `@unchecked Sendable`: openssl-threads(7), "Another instance of thread-safety is when updates to an object's internal
/// state, such as cached values, are done with locks"; nothing here changes a certificate otherwise.
@safe
final class X509Handle: @unchecked Sendable {
    let pointer: OpaquePointer
    private let library: any LibraryContext

    /// `nil` where the bytes are no certificate to OpenSSL. Bytes after the certificate are passed over.
    init?(_ der: [UInt8], library: any LibraryContext) {
        var target = unsafe library.withContext { unsafe X509_new_ex($0, nil) }
        guard unsafe target != nil else { return nil }
        let read = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            // On failure this frees what it was given.
            return unsafe d2i_X509(&target, &start, buffer.count)
        }
        guard let read = unsafe read else {
            ERR_clear_error()
            return nil
        }
        self.library = library
        unsafe pointer = read
    }

    deinit { unsafe X509_free(pointer) }

    /// Whether the certificate's own key made its signature.
    ///
    /// A server chooses the key's parameters freely, and OpenSSL takes RSA keys of 16,384 and DSA keys of 10,000 bits,
    /// which cost tens of milliseconds each; larger ones than are in use are not tried.
    var selfSignature: SelfSignature {
        defer { ERR_clear_error() }
        guard let key = unsafe X509_get0_pubkey(pointer) else { return .keyUnusable }
        let bits = unsafe Int(EVP_PKEY_get_bits(key))
        let limit = unsafe EVP_PKEY_is_a(key, "DSA") == 1 ? SelfSignature.dsaLimit : SelfSignature.keyLimit
        guard bits <= limit else { return .keyTooLarge(bits: bits, limit: limit) }
        return unsafe X509_verify(pointer, key) == 1 ? .holds : .fails
    }
}
