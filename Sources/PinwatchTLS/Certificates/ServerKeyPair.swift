internal import COpenSSL
package import PinwatchCore

/// The certificate and key that a port is to be served with.
package enum ServerKeyPair {
    /// Reads both as a server would.
    ///
    /// - Parameters:
    ///   - certificate: A file's bytes: certificates in PEM, the server's own first.
    ///   - key: A file's bytes: its private key in PEM, without a passphrase.
    /// - Returns: The server's certificate. Its dates are the caller's to judge: one that has expired can be served.
    /// - Throws: Why the two cannot be used together. No word of the key is shown.
    @discardableResult
    package static func check(certificate: [UInt8], key: [UInt8]) throws(HostProblem) -> CertificateSummary {
        let chain = try certificates(certificate)
        let library: X509Library
        do { library = try X509Library() } catch { throw HostProblem(error.description) }
        let secret = try PrivateKeyHandle(key, library: library)
        guard let leaf = chain.first, let handle = X509Handle(leaf.der, library: library) else {
            throw HostProblem("the certificate's first block cannot be loaded by OpenSSL")
        }
        let summary = CertificateReader.read(leaf)
        guard secret.belongs(to: handle) else {
            let isLater = chain.dropFirst().contains { certificate in
                X509Handle(certificate.der, library: library).map { secret.belongs(to: $0) } ?? false
            }
            throw HostProblem(
                isLater
                    ? "the key belongs to a later certificate of the file; put the server's own first"
                    : "the key does not belong to the certificate, whose subject is \(summary.subject ?? "unreadable"); "
                        + "name the key that its request was signed with")
        }
        return summary
    }

    private static func certificates(_ bytes: [UInt8]) throws(HostProblem) -> [Certificate] {
        let labels = PEMBlocks(bytes).blocks.map(\.label)
        guard labels.contains("CERTIFICATE") else {
            throw HostProblem(
                labels.contains { $0.hasSuffix("PRIVATE KEY") }
                    ? "the certificate's file holds a private key and no certificate; are the two files exchanged?"
                    : "the certificate's file holds no PEM block \"BEGIN CERTIFICATE\"")
        }
        do {
            return try CertificateFile.read(bytes, origin: "the certificate's file")
        } catch {
            throw HostProblem(error.description)
        }
    }
}

/// A private key that OpenSSL could load. Freeing it wipes it (EVP_PKEY_free(3), BN_clear_free(3)).
@safe private struct PrivateKeyHandle: ~Copyable {
    private let pointer: OpaquePointer

    init(_ pem: [UInt8], library: X509Library) throws(HostProblem) {
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
    borrowing func belongs(to certificate: X509Handle) -> Bool {
        defer { OpenSSLErrors.clear() }
        return unsafe X509_check_private_key(certificate.pointer, pointer) == 1
    }
}
