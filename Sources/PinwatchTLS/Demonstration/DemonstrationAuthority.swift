internal import COpenSSL
package import PinwatchCore

/// A private authority for the demonstration: it lives as long as the process and signs for loopback hosts only.
///
/// `@unchecked Sendable`: its X509 is never changed after `init`, and such objects may be shared between threads
/// (openssl-threads(7)).
@safe
package final class DemonstrationAuthority: @unchecked Sendable {
    private let key: DemonstrationKey
    private let certificate: OpaquePointer
    /// The authority's certificate, for a trust store.
    package let der: [UInt8]

    package init(name: String, now: Instant) throws(DemonstrationError) {
        key = try DemonstrationKey()
        let root = unsafe try DemonstrationAuthority.blank(
            subject: name, key: key, from: now - 3_600, to: now + 365 * 86_400)
        unsafe X509_set_issuer_name(root, X509_get_subject_name(root))
        unsafe certificate = root
        let extensions = [
            (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
            (NID_subject_key_identifier, "hash"),
        ]
        do {
            unsafe try DemonstrationAuthority.add(extensions, to: root, issuer: root)
            unsafe try DemonstrationAuthority.sign(root, by: key)
            der = unsafe try DemonstrationAuthority.encode(root)
        } catch {
            unsafe X509_free(root)
            throw error
        }
    }

    deinit { unsafe X509_free(certificate) }

    /// A server certificate for `host` over `key`, valid from an hour before `now` for `lifetimeSeconds`.
    package func issue(
        host: String, key subjectKey: DemonstrationKey, now: Instant, lifetimeSeconds: Int64 = 90 * 86_400
    ) throws(DemonstrationError) -> DemonstrationIdentity {
        let leaf = unsafe try DemonstrationAuthority.blank(
            subject: host, key: subjectKey, from: now - 3_600, to: now - 3_600 + lifetimeSeconds)
        defer { unsafe X509_free(leaf) }
        unsafe X509_set_issuer_name(leaf, X509_get_subject_name(certificate))
        let extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_ext_key_usage, "serverAuth"),
            (NID_subject_alt_name, "DNS:" + host), (NID_authority_key_identifier, "keyid:always"),
        ]
        unsafe try DemonstrationAuthority.add(extensions, to: leaf, issuer: certificate)
        unsafe try DemonstrationAuthority.sign(leaf, by: key)
        return DemonstrationIdentity(key: subjectKey, der: unsafe try DemonstrationAuthority.encode(leaf))
    }

    /// An unsigned version 3 certificate, owned by the caller.
    private static func blank(
        subject: String, key: DemonstrationKey, from: Instant, to: Instant
    ) throws(DemonstrationError) -> OpaquePointer {
        guard let x509 = unsafe X509_new() else { throw DemonstrationError("OpenSSL has no memory for a certificate") }
        let serial = (0..<16).map { _ in UInt8.random(in: 1...0x7F) }
        let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil)
        defer { unsafe BN_free(number) }
        unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509))
        unsafe X509_set_version(x509, 2)
        unsafe ASN1_TIME_set(X509_getm_notBefore(x509), time_t(from.unixSeconds))
        unsafe ASN1_TIME_set(X509_getm_notAfter(x509), time_t(to.unixSeconds))
        unsafe X509_set_pubkey(x509, key.handle)
        let name = unsafe X509_get_subject_name(x509)
        unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_FLAG | 0, Array(subject.utf8), -1, -1, 0)
        return unsafe x509
    }

    private static func add(
        _ extensions: [(Int32, String)], to x509: OpaquePointer, issuer: OpaquePointer
    ) throws(DemonstrationError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx_plain(&context, issuer, x509)
        for (kind, value) in extensions {
            guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value) else {
                throw DemonstrationError("OpenSSL refused the certificate extension \(value)")
            }
            unsafe X509_add_ext(x509, made, -1)
            unsafe X509_EXTENSION_free(made)
        }
    }

    private static func sign(_ x509: OpaquePointer, by key: DemonstrationKey) throws(DemonstrationError) {
        guard unsafe X509_sign(x509, key.handle, EVP_sha256()) > 0 else {
            throw DemonstrationError("OpenSSL could not sign a certificate")
        }
    }

    private static func encode(_ x509: OpaquePointer) throws(DemonstrationError) -> [UInt8] {
        let length = unsafe i2d_X509(x509, nil)
        guard length > 0 else { throw DemonstrationError("OpenSSL could not encode a certificate") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var end = buffer.baseAddress
            count = unsafe Int(i2d_X509(x509, &end))
        }
    }
}

/// A certificate with its key, as a demonstration host serves it.
package struct DemonstrationIdentity: Sendable {
    package let key: DemonstrationKey
    /// The certificate that vouches for `key`.
    package let der: [UInt8]
}
