/// `crypto.weak`: keys, signatures, versions and key exchanges that are out of date, each cause by itself.
///
/// It goes by what is served, and by what a phone was given or, where phones get nothing, the legacy hello. That a
/// server would also speak older versions is not asked, so nothing is said of it. The scope counts addresses.
enum CryptoWeakRule {
    static func findings(_ view: TargetView) -> [Finding] {
        let serving = Set(view.chains.flatMap(\.addresses))
        let handshakes = view.state.handshakes.filter { serving.contains($0.address) && counts($0, in: view) }
        return Weakness.allCases.compactMap { cause in
            let members = view.chains.compactMap { Member(of: $0, cause) }
            let weak = handshakes.filter { $0.weaknesses.contains(cause) }
            let addresses = Set(members.flatMap(\.chain.addresses) + weak.map(\.address))
            return addresses.isEmpty ? nil : finding(cause, members, weak, addresses.sorted(), in: view)
        }
    }

    /// A chain with the first of its certificates that has a weakness.
    private struct Member {
        let chain: ServedChain
        let certificate: CertificateSummary

        init?(of chain: ServedChain, _ cause: Weakness) {
            let sent = chain.assessment?.certificates ?? []
            guard let certificate = sent.first(where: { $0.weaknesses.contains(cause) }) else { return nil }
            self.chain = chain
            self.certificate = certificate
        }
    }

    /// Whether a handshake is what clients get. A phone's connection that broke off may have been an accident, and the
    /// legacy hello an answer to that alone: then it takes as many scans as failures do to be believed.
    private static func counts(_ handshake: ServedHandshake, in view: TargetView) -> Bool {
        guard handshake.profile == .legacy, let phone = phone(of: handshake, in: view) else { return true }
        guard phone.outcome == "closed" || phone.outcome == "reset", let failures = phone.failures else { return true }
        return failures >= max(view.thresholds.failingAfter, 1)
    }

    private static func phone(of handshake: ServedHandshake, in view: TargetView) -> AddressStatus? {
        view.state.addresses.first { $0.address == handshake.address && $0.profile == .phone && !$0.hadChain }
    }

    private static func finding(
        _ cause: Weakness, _ members: [Member], _ handshakes: [ServedHandshake], _ addresses: [IPAddress],
        in view: TargetView
    ) -> Finding {
        let who = members.first.map { $0.certificate.shortName } ?? ""
        let places = view.addresses(addresses.count)
        var finding = view.finding(
            .cryptoWeak, part: cause.rawValue, severity: .warning,
            summary: cause.summary(view.label, places, certificate: who), nextStep: cause.nextStep,
            evidence: .object([
                ("cause", .string(cause.rawValue)), ("addresses", .addresses(addresses)),
                ("certificates", .few(members.map { evidence($0) })),
                ("handshakes", .few(handshakes.map { evidence($0, phone: phone(of: $0, in: view)) })),
            ]))
        finding.scope = Scope(affected: addresses.count, of: view.addressCount)
        return finding
    }

    private static func evidence(_ member: Member) -> JSON {
        let certificate = member.certificate
        return .object([
            ("sha256", .string(certificate.fingerprint.hex)), ("subject", .text(certificate.subject)),
            ("key", certificate.key?.json ?? .null), ("signature", .text(certificate.signature)),
            ("served", member.chain.evidence),
        ])
    }

    private static func evidence(_ handshake: ServedHandshake, phone: AddressStatus?) -> JSON {
        .object([
            ("address", .string(handshake.address.description)), ("profile", .string(handshake.profile.rawValue)),
            ("tls_version", .text(handshake.tlsVersion?.rawValue)), ("dh_bits", .whole(handshake.diffieHellmanBits)),
            ("phone_outcome", .text(phone?.outcome)), ("phone_message", .text(phone?.message)),
        ])
    }
}

extension ServedHandshake {
    fileprivate var weaknesses: Set<Weakness> {
        let found = Weakness.ofHandshake(tlsVersion: tlsVersion, diffieHellmanBits: diffieHellmanBits)
        return profile == .legacy ? found.union([.legacyHello]) : found
    }
}

extension Weakness {
    fileprivate func summary(_ label: String, _ places: String, certificate: String) -> String {
        switch self {
        case .sha1Signature: "\(label) serves a certificate that is signed over SHA-1, \(places): \(certificate)."
        case .md5Signature: "\(label) serves a certificate that is signed over MD5, \(places): \(certificate)."
        case .rsa1024:
            "\(label) serves a certificate with an RSA key of fewer than 2,048 bits, \(places): \(certificate)."
        case .dsa: "\(label) serves a certificate with a DSA key, \(places): \(certificate)."
        case .dh1024:
            "\(label) exchanges keys by Diffie-Hellman over a prime of at most 1,024 bits, \(places). Whoever breaks "
                + "that prime once can read every connection."
        case .tls10: "\(label) speaks nothing newer than TLS 1.0, \(places)."
        case .tls11: "\(label) speaks nothing newer than TLS 1.1, \(places)."
        case .legacyHello:
            "\(label) refuses what current phones offer, \(places). Only a hello of old versions, suites or keys "
                + "gets in."
        }
    }

    fileprivate var nextStep: String {
        switch self {
        case .sha1Signature, .md5Signature:
            "Have the certificate issued again over SHA-256, or stop sending it if no path leads over it."
        case .rsa1024, .dsa:
            "Have a certificate issued over a new key, ECDSA P-256 or RSA of 2,048 bits or more, once every release "
                + "pins it."
        case .dh1024: "Offer ECDHE suites, and Diffie-Hellman only over primes of 2,048 bits or more."
        case .tls10, .tls11: "Turn on TLS 1.2 and 1.3 on the server."
        case .legacyHello:
            "Turn on TLS 1.2 and 1.3 with ECDHE suites, and serve a certificate over an ECDSA P-256 or RSA key."
        }
    }
}
