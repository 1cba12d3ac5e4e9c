import COpenSSL
import PinwatchCore
import TestSupport
import Testing

/// The certificates that all tests rest on, read back by OpenSSL.
struct TestPKITests {
    @Test(arguments: TestKey.Kind.allCases)
    func `a certificate over every kind of key is one that OpenSSL reads back`(kind: TestKey.Kind) throws {
        let key = TestKey(kind)
        let leaf = TestCA.root().leaf(dns: ["a.test"], ip: ["127.0.0.1"], key: key, timestamps: 2)
        let own = TestPKI.selfSigned(dns: ["a.test"], key: key)
        #expect(readBack(leaf.der, "a.test") == [true, false])
        #expect(readBack(own.der, "a.test") == [true, true])
        #expect(own.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    /// Whether the name matches, and whether the certificate's own key verifies it; empty if it cannot be read.
    private func readBack(_ der: [UInt8], _ host: String) -> [Bool] {
        unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let read = unsafe d2i_X509(nil, &start, buffer.count) else { return [] }
            defer { unsafe X509_free(read) }
            let matches = unsafe X509_check_host(read, host, host.utf8.count, 0, nil) == 1
            return unsafe [matches, X509_verify(read, X509_get0_pubkey(read)) == 1]
        }
    }
}
