internal import COpenSSL
package import PinwatchCore

/// A list of revoked certificates, read once for all that it is asked about (RFC 5280 section 5).
///
/// `@unchecked Sendable`: X509_CRL_get0_by_cert(3) looks up under the list's lock, and nothing here changes it otherwise;
/// openssl-threads(7), "updates to an object's internal state, such as cached values, are done with locks".
@safe
package final class RevocationList: @unchecked Sendable {
    /// Lists of authorities that do not divide theirs come to several MiB.
    package static let limit = 16 << 20

    fileprivate let pointer: OpaquePointer
    /// Bytes as sent.
    package let size: Int
    package let thisUpdate: Instant
    package let nextUpdate: Instant?

    /// - Parameter bytes: DER, or PEM as some servers send it; at most ``limit``.
    package init(_ bytes: [UInt8]) throws(RevocationFault) {
        guard bytes.count <= Self.limit else { throw .unreadable(.crl) }
        defer { ERR_clear_error() }
        let der = bytes.first == 0x2D ? PEMBlocks(bytes).blocks.first { $0.label == "X509 CRL" }?.bytes ?? [] : bytes
        let read = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509_CRL(nil, &start, buffer.count)
        }
        guard let list = unsafe read else { throw .unreadable(.crl) }
        let next = unsafe X509_CRL_get0_nextUpdate(list)
        guard let this = unsafe Instant(openSSL: X509_CRL_get0_lastUpdate(list)),
            unsafe next == nil || Instant(openSSL: next) != nil
        else {
            unsafe X509_CRL_free(list)
            throw .unreadableTime(.crl)
        }
        unsafe pointer = list
        size = bytes.count
        thisUpdate = this
        nextUpdate = unsafe Instant(openSSL: next)
    }

    deinit { unsafe X509_CRL_free(pointer) }
}

extension RevocationSubject {
    /// What a list says of the certificate.
    ///
    /// OpenSSL decides whether the list is the issuer's, signed by it and about this kind of certificate: a list of one
    /// distribution point says nothing of certificates of another.
    package func answer(_ list: RevocationList, at now: Instant) throws(RevocationFault) -> RevocationAnswer {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // Whether the list is out of date is asked below, and the certificate's own end is another finding.
        let store = try IssuerStore(issuer, at: nil, flags: UInt(X509_V_FLAG_CRL_CHECK))
        guard let context = unsafe X509_STORE_CTX_new() else { throw .libraryUnavailable }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store.pointer, leaf.pointer, nil) == 1 else {
            throw .libraryUnavailable
        }
        let isGood = unsafe pinwatch_x509_verify_with_list(context, list.pointer) == 1
        let error = unsafe X509_STORE_CTX_get_error(context)
        let answer: RevocationAnswer
        if isGood {
            if let end = unsafe Instant(openSSL: X509_get0_notAfter(leaf.pointer)), end < list.thisUpdate {
                throw .ended
            }
            answer = RevocationAnswer(status: .good, thisUpdate: list.thisUpdate, nextUpdate: list.nextUpdate)
        } else if error == X509_V_ERR_CERT_REVOKED {
            answer = revoked(by: list)
        } else if error == X509_V_ERR_UNABLE_TO_GET_CRL || error == X509_V_ERR_DIFFERENT_CRL_SCOPE {
            throw .otherCertificate(.crl)
        } else {
            throw .unverified(.crl, unsafe String(cString: X509_verify_cert_error_string(Int(error))))
        }
        guard answer.holds(at: now) else { throw .outdated(.crl, nextUpdate: answer.nextUpdate) }
        return answer
    }

    private func revoked(by list: RevocationList) -> RevocationAnswer {
        var entry: OpaquePointer?
        var (at, reason) = (Instant?.none, RevocationReason?.none)
        if unsafe X509_CRL_get0_by_cert(list.pointer, &entry, leaf.pointer) == 1 {
            at = unsafe Instant(openSSL: X509_REVOKED_get0_revocationDate(entry))
            if let value = unsafe X509_REVOKED_get_ext_d2i(entry, NID_crl_reason, nil, nil) {
                let number = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
                defer { unsafe ASN1_ENUMERATED_free(number) }
                reason = unsafe RevocationReason(rawValue: Int(ASN1_ENUMERATED_get(number)))
            }
        }
        return RevocationAnswer(
            status: .revoked, thisUpdate: list.thisUpdate, nextUpdate: list.nextUpdate, revokedAt: at, reason: reason)
    }
}
