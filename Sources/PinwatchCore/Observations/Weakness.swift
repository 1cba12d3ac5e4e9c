/// What is weak about what a target serves, under the contract's words and in its order.
package enum Weakness: String, Sendable, CaseIterable {
    case sha1Signature = "sha1_signature"
    case md5Signature = "md5_signature"
    /// An RSA key of fewer than 2,048 bits.
    case rsa1024 = "rsa_1024"
    case dsa
    /// Finite-field Diffie-Hellman over a prime of at most 1,024 bits.
    case dh1024 = "dh_1024"
    case tls10 = "tls1.0"
    case tls11 = "tls1.1"
    /// Only the legacy hello got a certificate. It is of an address and all its hellos, so no observation names it.
    case legacyHello = "legacy_hello"

    /// What the version and the key exchange of a handshake say.
    package static func ofHandshake(tlsVersion: TLSVersion?, diffieHellmanBits: Int?) -> Set<Weakness> {
        var found: Set<Weakness> = []
        if let bits = diffieHellmanBits, bits <= 1_024 { found.insert(.dh1024) }
        switch tlsVersion {
        case .tls10: found.insert(.tls10)
        case .tls11: found.insert(.tls11)
        case .tls12, .tls13, nil: break
        }
        return found
    }
}

extension CertificateSummary {
    /// What is weak in it for those who are sent it. A self-signed certificate's own signature is checked by nobody, so
    /// it cannot be weak.
    package var weaknesses: Set<Weakness> {
        let found = Set(weak.compactMap { Weakness(rawValue: $0) })
        return selfSigned == true ? found.subtracting([.sha1Signature, .md5Signature]) : found
    }
}

extension Sequence<CertificateSummary> {
    /// What is weak in any of them, in the contract's order.
    package var weaknesses: [Weakness] {
        let found = reduce(into: Set<Weakness>()) { $0.formUnion($1.weaknesses) }
        return Weakness.allCases.filter(found.contains)
    }
}

extension Observation {
    /// The contract's `weak`: what is weak about the handshake, beside what is weak in the certificates that it showed.
    package func weaknesses(beside certificates: [Weakness]) -> [Weakness] {
        let found = Weakness.ofHandshake(tlsVersion: tlsVersion, diffieHellmanBits: diffieHellmanBits)
            .union(certificates)
        return Weakness.allCases.filter(found.contains)
    }
}
