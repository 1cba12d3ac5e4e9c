internal import COpenSSL
internal import PinwatchCore

/// A failed search in the contract's words.
struct PathFault {
    let code: VerificationCode
    let reason: String

    /// - Parameters:
    ///   - error: An `X509_V_ERR_…`, see X509_STORE_CTX_get_error(3).
    ///   - at: The certificate where it arose, with its place among those built, 0 for the leaf.
    init(error: Int32, at certificate: CertificateSummary, depth: Int) {
        let name = (depth == 0 ? "the leaf " : "the certificate ") + certificate.shortName
        let code = Self.code(error)
        self.code = code
        // OpenSSL goes by names and key identifiers; where there are none, a namesake of its issuer looks like one that
        // signed itself, and is refused by every client that is built on OpenSSL.
        let isNamesake = code == .selfSigned && certificate.selfSigned == false
        reason =
            (isNamesake
            ? "\(name) has its issuer's own name and no key identifier that tells them apart, so it is taken for its own "
                + "issuer."
            : Self.sentence(code, error: error, name: name, issuer: certificate.issuer)).capitalizedFirst
    }

    private static func code(_ error: Int32) -> VerificationCode {
        switch error {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            .missingIssuer
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_CHAIN_TOO_LONG:
            .untrustedRoot
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .badSignature
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK,
            X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
            .weak
        case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA,
            X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_CERT_REJECTED,
            X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX, X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX:
            .wrongPurpose
        default: .unreadable
        }
    }

    private static func sentence(_ code: VerificationCode, error: Int32, name: String, issuer: String?) -> String {
        let words =
            unsafe X509_verify_cert_error_string(Int(error)).map { unsafe String(cString: $0) } ?? "unknown error"
        switch code {
        case .missingIssuer:
            let wanted = issuer.map { "\"\($0.prefix(120))\"" } ?? "an unreadable name"
            return "\(name) was issued by \(wanted), which the server does not send and the trust store does not hold."
        case .selfSigned: return "\(name) is its own issuer and no trust anchor."
        case .untrustedRoot:
            return error == X509_V_ERR_CERT_CHAIN_TOO_LONG
                ? "no trust anchor was met within \(PathSearch.depth) certificates above the leaf; the last was \(name)."
                : "the chain ends in \(name), which is no anchor of the trust store."
        case .badSignature: return "the signature of \(name) is not by the key of its issuer."
        case .weak:
            return error == X509_V_ERR_CA_MD_TOO_WEAK
                ? "\(name) is signed over a digest that is too weak." : "\(name) has a key that is too weak."
        case .wrongPurpose: return "\(name) does not serve its purpose: \(words)."
        case .unreadable: return "\(name) cannot be judged: \(words)."
        case .ok, .expired, .notYetValid: return "\(name): \(words)."
        }
    }
}
