package import PinwatchCore

/// Why an answer about a certificate says nothing.
package enum RevocationFault: Error, Hashable, CustomStringConvertible {
    /// OpenSSL cannot load the certificate or its issuer's.
    case certificateUnusable
    /// The bytes are no OCSP response, or no list.
    case unreadable(RevocationSource)
    /// The responder refused to answer; the status of RFC 6960 section 4.2.1, as OpenSSL calls it.
    case refused(String)
    /// The signature does not hold, or is by somebody whom the issuer has not charged with it.
    case unverified(RevocationSource, String)
    /// The answer is about other certificates.
    case otherCertificate(RevocationSource)
    /// A time of the answer cannot be read.
    case unreadableTime(RevocationSource)
    /// The answer's time is over, or has not come.
    case outdated(RevocationSource, nextUpdate: Instant?)
    /// The certificate ended before the list was made, which need not name it any longer (RFC 5280 section 3.3).
    case ended
    /// OpenSSL has no memory.
    case libraryUnavailable

    package var description: String {
        switch self {
        case .certificateUnusable: "the certificate or its issuer's cannot be loaded by OpenSSL"
        case .unreadable(let source): "\(source.words) cannot be read"
        case .refused(let status): "the responder refused to answer: \(status)"
        case .unverified(let source, let why): "the signature of \(source.words) does not hold: \(why)"
        case .otherCertificate(let source): "\(source.words) is about other certificates"
        case .unreadableTime(let source): "\(source.words) has a time that cannot be read"
        case .outdated(let source, let end):
            "\(source.words) is out of date"
                + (end.flatMap(\.rfc3339).map { ": a newer one was promised for \($0)" } ?? "")
        case .ended: "the certificate ended before the issuer's revocation list was made, which need not name it"
        case .libraryUnavailable: "OpenSSL is out of memory"
        }
    }
}
