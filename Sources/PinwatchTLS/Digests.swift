internal import COpenSSL
package import PinwatchCore

/// Hashes and message authentication codes over whole byte arrays, by OpenSSL.
package enum Digests {
    /// SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: [UInt8]) -> SHA256Digest {
        var out = [UInt8](repeating: 0, count: 32)
        unsafe bytes.withUnsafeBufferPointer { input in
            _ = unsafe SHA256(input.baseAddress, input.count, &out)
        }
        guard let digest = SHA256Digest(out) else { preconditionFailure("SHA-256 gives 32 bytes") }
        return digest
    }

    /// SHA-1, 20 bytes: only for pins that are written so.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        unsafe bytes.withUnsafeBufferPointer { input in
            _ = unsafe SHA1(input.baseAddress, input.count, &out)
        }
        return out
    }

    /// HMAC-SHA256 (RFC 2104), 32 bytes.
    package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &out, &length)
        return out
    }

    /// The identity of a chain: SHA-256 over its fingerprints in the order sent.
    package static func chainID(_ certificates: [Certificate]) -> ChainID {
        ChainID(digest: sha256(certificates.flatMap(\.fingerprint.bytes)))
    }
}
