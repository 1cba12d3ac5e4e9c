package import PinwatchCore

/// A server's Certificate message, read from its bytes as they came and before OpenSSL looked at them.
///
/// TLS 1.3 (RFC 8446 section 4.4.2) and older versions (RFC 5246 section 7.4.2) differ in form. Lengths are checked
/// against each other; what was whole before a flaw is kept.
package struct CertificateMessage: Sendable, Hashable {
    /// More certificates than any client follows; what comes after them is not kept.
    package static let entryLimit = 100

    /// DER as sent, leaf first; each one byte long at least.
    package private(set) var entries: [[UInt8]] = []
    /// What is wrong with the message's own form, in words; `nil` for a well-formed one.
    package private(set) var flaw: String?
    /// From the leaf's `status_request` extension; always `nil` before TLS 1.3, where a message of its own carries it.
    private(set) var stapledOCSP: [UInt8]?
    /// From the leaf's `signed_certificate_timestamp` extension; 0 before TLS 1.3, where ServerHello carries it.
    private(set) var timestamps = 0

    /// - Parameters:
    ///   - message: The handshake message with its header of four bytes.
    ///   - isTLS13: Whether TLS 1.3 was negotiated.
    package init(message: [UInt8], isTLS13: Bool) {
        var reader = ByteReader(message.dropFirst(4))
        if isTLS13, reader.vector(1) == nil {
            flaw = "the message ends within its request context"
            return
        }
        guard let length = reader.number(3), let list = reader.bytes(length), reader.isEmpty else {
            flaw = "the list's length does not agree with the message's"
            return
        }
        var rest = ByteReader(list)
        while !rest.isEmpty, flaw == nil { readEntry(&rest, isTLS13: isTLS13) }
    }

    private mutating func readEntry(_ reader: inout ByteReader, isTLS13: Bool) {
        let place = "certificate \(entries.count + 1)"
        guard entries.count < Self.entryLimit else {
            flaw = "there are more than \(Self.entryLimit) certificates"
            return
        }
        guard let der = reader.vector(3) else {
            flaw = "\(place) is longer than the list that holds it"
            return
        }
        guard !der.isEmpty else {
            flaw = "\(place) is empty"
            return
        }
        entries.append(Array(der))
        guard isTLS13 else { return }
        guard let extensions = reader.vector(2) else {
            flaw = "the extensions of \(place) are longer than the list that holds them"
            return
        }
        guard entries.count == 1, !extensions.isEmpty else { return }
        stapledOCSP = TLSExtensions.body(5, in: extensions).flatMap(TLSExtensions.ocspResponse)
        timestamps = TLSExtensions.body(18, in: extensions).map(TLSExtensions.timestamps) ?? 0
    }

    /// The chain as sent; `nil` where no certificate could be kept.
    package var chain: Chain? {
        guard !entries.isEmpty else { return nil }
        let certificates = entries.map { Certificate(der: $0, fingerprint: Digests.sha256($0)) }
        return Chain(id: Digests.chainID(certificates), certificates: certificates)
    }
}
