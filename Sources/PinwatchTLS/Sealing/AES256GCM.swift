internal import COpenSSL

/// AES-256-GCM with nonces of 96 bits and tags of 128 (NIST SP 800-38D), by OpenSSL's EVP in a library context of its own.
///
/// `@unchecked Sendable`: openssl-threads(7), fetched algorithms may be used by several threads at once.
@safe
final class AES256GCM: @unchecked Sendable {
    static let nonceSize = 12
    static let tagSize = 16

    private let library: X509Library
    private let cipher: OpaquePointer

    init() throws(SealError) {
        OpenSSLErrors.clear()
        do { library = try X509Library() } catch { throw .library(error.description) }
        let fetched = unsafe library.withContext { unsafe EVP_CIPHER_fetch($0, "AES-256-GCM", nil) }
        guard let fetched = unsafe fetched else { throw Self.failure("AES-256-GCM is missing") }
        unsafe cipher = fetched
    }

    deinit { unsafe EVP_CIPHER_free(cipher) }

    /// Twelve bytes of the library's generator, which the operating system's seeds.
    func nonce() throws(SealError) -> [UInt8] {
        OpenSSLErrors.clear()
        var nonce = [UInt8](repeating: 0, count: Self.nonceSize)
        let made = unsafe library.withContext { context in
            // The generator belongs to thread and context; a thread that outlives the context must not hold it still
            // (OPENSSL_thread_stop_ex(3)).
            defer { unsafe OPENSSL_thread_stop_ex(context) }
            return unsafe RAND_bytes_ex(context, &nonce, nonce.count, 0)
        }
        guard made == 1 else { throw Self.failure("no random bytes") }
        return nonce
    }

    /// - Returns: The encrypted text, as long as the text, and the tag behind it.
    func encrypt(
        _ text: [UInt8], key: SealingKey, nonce: [UInt8], associated: [UInt8]
    ) throws(SealError) -> [UInt8] {
        var work = try unsafe CipherWork(cipher, key: key, nonce: nonce, encrypts: true)
        guard work.take(associated), let encrypted = work.turn(text), work.finish(), let tag = work.tag() else {
            throw Self.failure("encrypting failed")
        }
        return encrypted + tag
    }

    /// - Parameter sealed: What ``encrypt(_:key:nonce:associated:)`` gave: at least a tag.
    /// - Throws: ``SealError/tampered`` where any byte of it, the nonce or `associated` is another one.
    func decrypt(
        _ sealed: [UInt8], key: SealingKey, nonce: [UInt8], associated: [UInt8]
    ) throws(SealError) -> [UInt8] {
        guard sealed.count >= Self.tagSize else { throw .malformed }
        var work = try unsafe CipherWork(cipher, key: key, nonce: nonce, encrypts: false)
        guard work.take(associated), let text = work.turn(Array(sealed.dropLast(Self.tagSize))),
            work.expect(tag: Array(sealed.suffix(Self.tagSize)))
        else { throw Self.failure("decrypting failed") }
        // Nothing of the text may be used before this has said so.
        guard work.finish() else {
            OpenSSLErrors.clear()
            throw .tampered
        }
        return text
    }

    fileprivate static func failure(_ what: String) -> SealError {
        let reasons = OpenSSLErrors.drain().map(\.text)
        return .library(reasons.isEmpty ? what : "\(what): \(reasons.joined(separator: "; "))")
    }
}

/// One encryption or decryption under way. Freeing it wipes the key that it holds (EVP_CIPHER_CTX_free(3)).
@safe private struct CipherWork: ~Copyable {
    private let context: OpaquePointer

    init(_ cipher: OpaquePointer, key: SealingKey, nonce: [UInt8], encrypts: Bool) throws(SealError) {
        guard nonce.count == AES256GCM.nonceSize else { throw .malformed }
        OpenSSLErrors.clear()
        guard let made = unsafe EVP_CIPHER_CTX_new() else { throw AES256GCM.failure("no memory") }
        // Twelve bytes are the cipher's own nonce length (EVP_EncryptInit(3), "GCM and OCB modes").
        let isReady = unsafe key.withBytes { unsafe EVP_CipherInit_ex2(made, cipher, $0, nonce, encrypts ? 1 : 0, nil) }
        guard isReady == 1 else {
            unsafe EVP_CIPHER_CTX_free(made)
            throw AES256GCM.failure("the cipher takes no key")
        }
        unsafe context = made
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Associated data: authenticated, not encrypted.
    mutating func take(_ associated: [UInt8]) -> Bool {
        var length: Int32 = 0
        return unsafe EVP_CipherUpdate(context, nil, &length, associated, Int32(clamping: associated.count)) == 1
    }

    /// A stream cipher's output is as long as its input.
    mutating func turn(_ bytes: [UInt8]) -> [UInt8]? {
        var out = [UInt8](repeating: 0, count: bytes.count)
        var length: Int32 = 0
        guard !bytes.isEmpty else { return out }
        guard unsafe EVP_CipherUpdate(context, &out, &length, bytes, Int32(clamping: bytes.count)) == 1,
            Int(length) == bytes.count
        else { return nil }
        return out
    }

    mutating func expect(tag: [UInt8]) -> Bool {
        var tag = tag
        return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }

    mutating func finish() -> Bool {
        var rest = [UInt8](repeating: 0, count: AES256GCM.tagSize)
        var length: Int32 = 0
        return unsafe EVP_CipherFinal_ex(context, &rest, &length) == 1 && length == 0
    }

    mutating func tag() -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: AES256GCM.tagSize)
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
            return nil
        }
        return tag
    }
}
