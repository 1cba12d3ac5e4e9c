internal import PinwatchCore

/// The parts of a SubjectPublicKeyInfo, read without loading the key, so that keys which no library loads still have a
/// type and a size.
struct PublicKeyLayout {
    let algorithm: ObjectIdentifier
    let parameters: DERElement?
    /// The BIT STRING without its count of unused bits: PKCS #1 RSAPublicKey, or the EC point.
    let keyBytes: ArraySlice<UInt8>

    init(_ spki: DERElement) throws(DERFault) {
        var parts = spki.children
        var identifier = try parts.next(DERTag.sequence).children
        algorithm = try ObjectIdentifier(try identifier.next())
        parameters = identifier.isAtEnd ? nil : try identifier.next()
        let bits = try parts.next(DERTag.bitString)
        guard !bits.content.isEmpty else { throw .endsEarly }
        keyBytes = bits.content.dropFirst()
    }

    var family: KeyFamily {
        switch algorithm {
        case .rsaEncryption, .rsassaPSS: .rsa
        case .ecPublicKey: .ecdsa
        case .ed25519: .ed25519
        case .ed448: .ed448
        default: .other
        }
    }

    /// - Throws: where the type has no dotted text, or the size cannot be found where that type keeps it.
    func summary() throws(DERFault) -> PublicKeySummary {
        switch algorithm {
        case .rsaEncryption: return PublicKeySummary(type: "RSA", bits: try modulusBits(), curve: nil)
        case .rsassaPSS: return PublicKeySummary(type: "RSA-PSS", bits: try modulusBits(), curve: nil)
        case .ecPublicKey: return try curveSummary()
        case .ed25519: return PublicKeySummary(type: "Ed25519", bits: 256, curve: nil)
        case .ed448: return PublicKeySummary(type: "Ed448", bits: 456, curve: nil)
        case .dsa: return PublicKeySummary(type: "DSA", bits: try primeBits(), curve: nil)
        default:
            guard let dotted = algorithm.dotted else { throw .badObjectIdentifier }
            return PublicKeySummary(type: dotted, bits: nil, curve: nil)
        }
    }

    /// RSAPublicKey ::= SEQUENCE { modulus, publicExponent } (RFC 8017 appendix A.1.1).
    private func modulusBits() throws(DERFault) -> Int {
        var key = DERCursor(keyBytes)
        var numbers = try key.next(DERTag.sequence).children
        return Self.bits(of: try numbers.next(DERTag.integer))
    }

    /// Dss-Parms ::= SEQUENCE { p, q, g } (RFC 3279 section 2.3.2); they may be inherited, and so be missing.
    private func primeBits() throws(DERFault) -> Int? {
        guard let parameters, parameters.tag == DERTag.sequence else { return nil }
        var numbers = parameters.children
        return Self.bits(of: try numbers.next(DERTag.integer))
    }

    /// A named curve, or explicit parameters (SEC 1 appendix C.2), the fifth field of which is the group's order.
    private func curveSummary() throws(DERFault) -> PublicKeySummary {
        guard let parameters else { throw .endsEarly }
        if parameters.tag == DERTag.sequence {
            var fields = parameters.children
            for _ in 0..<4 { _ = try fields.next() }
            return PublicKeySummary(type: "EC", bits: Self.bits(of: try fields.next(DERTag.integer)), curve: nil)
        }
        let identifier = try ObjectIdentifier(parameters)
        if let curve = ObjectIdentifier.curves[identifier] {
            return PublicKeySummary(type: "EC", bits: curve.bits, curve: curve.name)
        }
        guard let dotted = identifier.dotted else { throw .badObjectIdentifier }
        return PublicKeySummary(type: "EC", bits: nil, curve: dotted)
    }

    private static func bits(of integer: DERElement) -> Int {
        let significant = integer.content.drop { $0 == 0 }
        return significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
    }
}
