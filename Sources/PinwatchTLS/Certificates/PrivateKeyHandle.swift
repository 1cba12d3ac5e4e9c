internal import COpenSSL
internal import PinwatchCore

/// A private key that OpenSSL could load. Freeing it wipes it (EVP_PKEY_free(3), BN_clear_free(3)).
///
/// `@unchecked Sendable`: openssl-threads(7), "Objects are thread-safe as long as the API's being invoked don't modify the
/// object"; a key is only asked, counted and signed with.
@safe final class PrivateKeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    private let library: any LibraryContext

    /// - Throws: Why the bytes are no key that can be used. No word of it is shown.
    init(_ pem: [UInt8], library: any LibraryContext) throws(HostProblem) {
        guard PEMBlocks(pem).blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw HostProblem("the key's file holds no PEM block \"BEGIN PRIVATE KEY\"")
        }
        // Both PKCS #8 and the older form (RFC 1421 section 4.6.1.1) say so in this word.
        guard pem.firstRange(of: Array("ENCRYPTED".utf8)) == nil else {
            throw HostProblem(
                "the key is encrypted, and nobody is there to type its passphrase; write it without one: "
                    + "openssl pkey -in KEY -out NEW")
        }
        defer { OpenSSLErrors.clear() }
        let read = unsafe pem.withUnsafeBufferPointer { bytes in
            unsafe library.withContext { unsafe Self.read(bytes, $0) }
        }
        guard let read = unsafe read else {
            throw HostProblem("the key cannot be loaded by OpenSSL; look at it with `openssl pkey -in KEY -noout`")
        }
        self.library = library
        unsafe pointer = read
    }

    /// The memory BIO points into `bytes`, so it ends with the call.
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer) -> OpaquePointer? {
        guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
        defer { unsafe BIO_free(memory) }
        // Without a callback OpenSSL would ask for a passphrase at the terminal.
        return unsafe PEM_read_bio_PrivateKey_ex(memory, nil, { _, _, _, _ in -1 }, nil, context, nil)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Whether the certificate holds this key's public half.
    func belongs(to certificate: X509Handle) -> Bool {
        defer { OpenSSLErrors.clear() }
        return unsafe X509_check_private_key(certificate.pointer, pointer) == 1
    }
}
