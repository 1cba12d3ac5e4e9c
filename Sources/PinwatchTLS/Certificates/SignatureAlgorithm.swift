/// An AlgorithmIdentifier of a signature.
struct SignatureAlgorithm {
    let identifier: ObjectIdentifier
    private let parameters: DERElement?

    init(_ element: DERElement) throws(DERFault) {
        var parts = element.children
        identifier = try ObjectIdentifier(try parts.next())
        parameters = parts.isAtEnd ? nil : try? parts.next()
    }

    /// OpenSSL's long name, or the dotted identifier.
    func name() throws(DERFault) -> String {
        guard let name = identifier.longName ?? identifier.dotted else { throw .badObjectIdentifier }
        return name
    }

    /// `md5_signature` or `sha1_signature`, or `nil` for digests that hold.
    var weakness: String? {
        if ObjectIdentifier.md5Signatures.contains(identifier) { return "md5_signature" }
        if ObjectIdentifier.sha1Signatures.contains(identifier) { return "sha1_signature" }
        return identifier == .rsassaPSS && pssDigestIsSHA1 ? "sha1_signature" : nil
    }

    /// RSASSA-PSS-params' hashAlgorithm, which is SHA-1 where it is left out (RFC 4055 section 3.1).
    private var pssDigestIsSHA1: Bool {
        guard var fields = parameters?.children, fields.tag == 0xA0 else { return true }
        do throws(DERFault) {
            var digest = try fields.next().children
            var algorithm = try digest.next(DERTag.sequence).children
            return try ObjectIdentifier(try algorithm.next()) == .sha1
        } catch {
            return false
        }
    }
}
