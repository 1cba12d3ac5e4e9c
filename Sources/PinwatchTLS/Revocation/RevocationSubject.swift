internal import COpenSSL
package import PinwatchCore

/// A certificate and the issuer by whose key answers about it must be signed.
@safe
package struct RevocationSubject: Sendable {
    let leaf: X509Handle
    let issuer: X509Handle
    /// Where the certificate says that answers are: `http` and `https` alone, in its order, at most ``placeLimit`` each.
    package let responders: [String]
    package let lists: [String]

    /// More places than this are not asked.
    package static let placeLimit = 4

    /// - Throws: ``RevocationFault/certificateUnusable``, ``RevocationFault/libraryUnavailable``.
    package init(_ certificate: Certificate, issuer: Certificate) throws(RevocationFault) {
        let library: X509Library
        do throws(CertificateError) { library = try X509Library() } catch { throw .libraryUnavailable }
        guard let leaf = X509Handle(certificate.der, library: library),
            let issuer = X509Handle(issuer.der, library: library)
        else { throw .certificateUnusable }
        (self.leaf, self.issuer) = (leaf, issuer)
        let urls = RevocationPlaces(certificate.der)
        responders = Self.usable(urls.responders)
        lists = Self.usable(urls.lists)
    }

    private static func usable(_ urls: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(
            urls.filter { url in
                let scheme = url.prefix(8).lowercased()
                return (scheme.hasPrefix("http://") || scheme.hasPrefix("https://")) && url.utf8.count <= 2_048
                    && seen.insert(url).inserted
            }.prefix(placeLimit))
    }

    /// DER of a request about the certificate (RFC 6960 section 4.1), named by SHA-1 as RFC 5019 section 2.1.1 has it.
    package func request() throws(RevocationFault) -> [UInt8] {
        guard let request = unsafe OCSP_REQUEST_new() else { throw .libraryUnavailable }
        defer { unsafe OCSP_REQUEST_free(request) }
        guard let name = unsafe OCSP_cert_to_id(EVP_sha1(), leaf.pointer, issuer.pointer) else {
            ERR_clear_error()
            throw .certificateUnusable
        }
        guard unsafe OCSP_request_add0_id(request, name) != nil else {
            unsafe OCSP_CERTID_free(name)
            throw .libraryUnavailable
        }
        var start: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_OCSP_REQUEST(request, &start)
        guard length > 0, let bytes = unsafe start else { throw .libraryUnavailable }
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}

/// A store whose one anchor is the issuer: what it makes good needs no way beyond.
@safe
struct IssuerStore: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter now: The time of verification; `nil` asks for no times.
    init(_ issuer: X509Handle, at now: Instant?, flags: UInt = 0) throws(RevocationFault) {
        guard let store = unsafe X509_STORE_new() else { throw .libraryUnavailable }
        guard unsafe X509_STORE_add_cert(store, issuer.pointer) == 1, let rules = unsafe X509_STORE_get0_param(store)
        else {
            unsafe X509_STORE_free(store)
            throw .libraryUnavailable
        }
        // A time that was set is asked for whatever X509_V_FLAG_NO_CHECK_TIME says.
        if let now { unsafe X509_VERIFY_PARAM_set_time(rules, Int(now.unixSeconds)) }
        let times = now == nil ? UInt(X509_V_FLAG_NO_CHECK_TIME) : 0
        unsafe X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_PARTIAL_CHAIN) | times | flags)
        unsafe pointer = store
    }

    deinit { unsafe X509_STORE_free(pointer) }
}

extension Instant {
    /// OpenSSL's time of either form; `nil` where it is none.
    init?(openSSL time: UnsafePointer<ASN1_STRING>?) {
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        var (days, seconds) = (Int32(0), Int32(0))
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            ERR_clear_error()
            return nil
        }
        self = Instant(unixSeconds: Int64(days) * 86_400 + Int64(seconds))
    }
}
