internal import COpenSSL
package import PinwatchCore

extension RevocationSubject {
    /// More bytes than an answer about one certificate has.
    package static let responseLimit = 256 << 10
    /// Answers of one response that are looked through: responders send one, and some a handful.
    private static let answerLimit: Int32 = 64

    /// What an OCSP response says of the certificate (RFC 6960 section 4.2), stapled or asked for.
    ///
    /// It must be signed by the issuer, or by a responder whom the issuer's own certificate charges with that (section
    /// 4.2.2.2). Serial numbers are compared as integers.
    ///
    /// - Parameter response: DER, at most ``responseLimit`` bytes.
    package func answer(
        ocsp response: [UInt8], from source: RevocationSource, at now: Instant
    ) throws(RevocationFault) -> RevocationAnswer {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let basic = try BasicResponse(response, from: source)
        try basic.verify(by: issuer, at: now)
        for index in 0..<min(basic.count, Self.answerLimit) {
            guard let single = unsafe OCSP_resp_get0(basic.pointer, index), unsafe isAboutLeaf(single) else { continue }
            let answer = try unsafe read(single, from: source)
            guard answer.holds(at: now) else { throw .outdated(source, nextUpdate: answer.nextUpdate) }
            return answer
        }
        throw .otherCertificate(source)
    }

    /// The certificate is named by its serial and hashes of its issuer's name and key, with a digest that the responder
    /// chose.
    private func isAboutLeaf(_ single: OpaquePointer) -> Bool {
        guard let id = unsafe OCSP_SINGLERESP_get0_id(single) else { return false }
        var algorithm: OpaquePointer?
        guard unsafe OCSP_id_get0_info(nil, &algorithm, nil, nil, id) == 1,
            let digest = unsafe EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(algorithm))),
            let own = unsafe OCSP_cert_to_id(digest, leaf.pointer, issuer.pointer)
        else { return false }
        defer { unsafe OCSP_CERTID_free(own) }
        return unsafe OCSP_id_cmp(own, id) == 0
    }

    private func read(
        _ single: OpaquePointer, from source: RevocationSource
    ) throws(RevocationFault) -> RevocationAnswer {
        var reason: Int32 = 0
        var revoked: UnsafeMutablePointer<ASN1_STRING>?
        var this: UnsafeMutablePointer<ASN1_STRING>?
        var next: UnsafeMutablePointer<ASN1_STRING>?
        let word = unsafe OCSP_single_get0_status(single, &reason, &revoked, &this, &next)
        let status: RevocationStatus
        switch word {
        case V_OCSP_CERTSTATUS_GOOD: status = .good
        case V_OCSP_CERTSTATUS_REVOKED: status = .revoked
        default: status = .unknown
        }
        guard let thisUpdate = unsafe Instant(openSSL: this) else { throw .unreadableTime(source) }
        let nextUpdate = unsafe Instant(openSSL: next)
        guard unsafe next == nil || nextUpdate != nil else { throw .unreadableTime(source) }
        return RevocationAnswer(
            status: status, thisUpdate: thisUpdate, nextUpdate: nextUpdate,
            revokedAt: status == .revoked ? unsafe Instant(openSSL: revoked) : nil,
            reason: status == .revoked ? RevocationReason(rawValue: Int(reason)) : nil)
    }
}

/// The signed part of an OCSP response.
@safe
private struct BasicResponse: ~Copyable {
    let pointer: OpaquePointer
    private let source: RevocationSource

    init(_ der: [UInt8], from source: RevocationSource) throws(RevocationFault) {
        guard der.count <= RevocationSubject.responseLimit else { throw .unreadable(source) }
        let read = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_OCSP_RESPONSE(nil, &start, buffer.count)
        }
        guard let response = unsafe read else { throw .unreadable(source) }
        defer { unsafe OCSP_RESPONSE_free(response) }
        let status = unsafe OCSP_response_status(response)
        guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else {
            let words = unsafe OCSP_response_status_str(Int(status)).map { unsafe String(cString: $0) }
            throw .refused(words ?? String(status))
        }
        guard let basic = unsafe OCSP_response_get1_basic(response) else { throw .unreadable(source) }
        unsafe pointer = basic
        self.source = source
    }

    deinit { unsafe OCSP_BASICRESP_free(pointer) }

    var count: Int32 { unsafe OCSP_resp_count(pointer) }

    func verify(by issuer: X509Handle, at now: Instant) throws(RevocationFault) {
        let store = try IssuerStore(issuer, at: now)
        guard let known = unsafe pinwatch_x509_stack_new() else { throw .libraryUnavailable }
        defer { unsafe pinwatch_x509_stack_free(known) }
        guard unsafe pinwatch_x509_stack_push(known, issuer.pointer) == 1 else { throw .libraryUnavailable }
        guard unsafe OCSP_basic_verify(pointer, known, store.pointer, UInt(OCSP_PARTIAL_CHAIN)) == 1 else {
            throw .unverified(source, OpenSSLErrors.drain().last?.text ?? "no reason is given")
        }
    }
}
