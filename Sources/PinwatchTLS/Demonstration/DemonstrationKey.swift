internal import COpenSSL

/// A P-256 private key made in memory, for hosts that the demonstration runs by itself.
///
/// `@unchecked Sendable`: an EVP_PKEY that is no longer changed may be used by several threads at once
/// (openssl-threads(7)), and nothing changes it after `init`.
@safe
package final class DemonstrationKey: @unchecked Sendable {
    let handle: OpaquePointer

    /// - Throws: ``DemonstrationError`` where OpenSSL gives no key.
    package init() throws(DemonstrationError) {
        guard let key = unsafe EVP_PKEY_Q_keygen_p256() else { throw DemonstrationError("OpenSSL made no P-256 key") }
        unsafe handle = key
    }

    deinit { unsafe EVP_PKEY_free(handle) }
}

/// Why the demonstration could not set up what it shows.
package struct DemonstrationError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
