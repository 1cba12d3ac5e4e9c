/// What a hello offers. Servers choose certificates by it, so it is recorded with what they answered.
package enum HelloProfile: String, Sendable, CaseIterable {
    /// TLS 1.2 and 1.3, X25519 and P-256, ALPN `h2, http/1.1`: what a current phone sends.
    case phone
    /// `phone`, or `legacy` where only that got through, narrowed to ECDSA certificates.
    case ecdsa
    /// `phone`, or `legacy` where only that got through, narrowed to RSA certificates.
    case rsa
    /// TLS 1.0 and everything OpenSSL can speak at level 0; sent after a failure only.
    case legacy

    /// The narrowed hello that asks for keys of a family; `nil` where there is none.
    package init?(narrowedTo family: KeyFamily?) {
        switch family {
        case .ecdsa: self = .ecdsa
        case .rsa: self = .rsa
        case .ed25519, .ed448, .other, nil: return nil
        }
    }

    package var isNarrowed: Bool { self == .ecdsa || self == .rsa }
}

/// Which hellos a scan sends to each address.
package enum HelloPlan: Sendable, Hashable {
    /// The phone's, and the legacy one where that got no certificate: what every scan sends.
    case phone
    /// These, and those narrowed to one key family each.
    case everyFamily
}

package enum TLSVersion: String, Sendable, CaseIterable {
    case tls10 = "TLSv1.0"
    case tls11 = "TLSv1.1"
    case tls12 = "TLSv1.2"
    case tls13 = "TLSv1.3"
}

/// How a handshake ended: the contract's closed list, with what each case carries in `detail`.
///
/// Whatever the outcome, the chain is kept if the Certificate message arrived.
package enum Outcome: Sendable, Hashable {
    case ok
    case clientCertificateRequired(message: String)
    case resolveFailed(message: String)
    case connectRefused(message: String)
    case connectTimeout(message: String)
    case unreachable(message: String)
    case proxyRefused(message: String)
    case startTLSRefused(message: String)
    case handshakeTimeout(message: String)
    case closed(message: String)
    case reset(message: String)
    /// At most the first 64 bytes that came instead of TLS.
    case notTLS(firstBytes: [UInt8])
    /// A fatal TLS alert with its registered number and name (RFC 8446 section 6).
    case alert(number: UInt8, name: String)
    case noCertificate(message: String)
    case noSuchKeyFamily(message: String)
    case protocolUnsupported(message: String)
    /// The bound in bytes that the Certificate message went over.
    case certificateTooLarge(limit: Int)
    case certificateMalformed(message: String)
    /// The configuration's rule that forbade the connection, such as `deny_addresses 169.254.0.0/16`.
    case blockedByPolicy(rule: String)

    /// The contract's word.
    package var word: String {
        switch self {
        case .ok: "ok"
        case .clientCertificateRequired: "client_certificate_required"
        case .resolveFailed: "resolve_failed"
        case .connectRefused: "connect_refused"
        case .connectTimeout: "connect_timeout"
        case .unreachable: "unreachable"
        case .proxyRefused: "proxy_refused"
        case .startTLSRefused: "starttls_refused"
        case .handshakeTimeout: "handshake_timeout"
        case .closed: "closed"
        case .reset: "reset"
        case .notTLS: "not_tls"
        case .alert: "alert"
        case .noCertificate: "no_certificate"
        case .noSuchKeyFamily: "no_such_key_family"
        case .protocolUnsupported: "protocol_unsupported"
        case .certificateTooLarge: "certificate_too_large"
        case .certificateMalformed: "certificate_malformed"
        case .blockedByPolicy: "blocked_by_policy"
        }
    }

    /// The contract's `detail`: an object, or `null` for `ok`.
    package var detail: JSON {
        switch self {
        case .ok: return .null
        case .notTLS(let bytes):
            let printable = bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }
            return .object([
                ("first_bytes", .string(Hex.text(bytes))),
                ("text", .string(String(decoding: printable, as: UTF8.self))),
            ])
        case .alert(let number, let name):
            return .object([("number", .integer(Int64(number))), ("name", .string(name))])
        case .certificateTooLarge(let limit): return .object([("limit", .integer(Int64(limit)))])
        case .blockedByPolicy(let rule): return .object([("rule", .string(rule))])
        case .clientCertificateRequired(let message), .resolveFailed(let message), .connectRefused(let message),
            .connectTimeout(let message), .unreachable(let message), .proxyRefused(let message),
            .startTLSRefused(let message), .handshakeTimeout(let message), .closed(let message), .reset(let message),
            .noCertificate(let message), .noSuchKeyFamily(let message), .protocolUnsupported(let message),
            .certificateMalformed(let message):
            return .object([("message", .string(message))])
        }
    }
}

/// One handshake's result, or the failure that came instead of one.
package struct Observation: Sendable, Hashable {
    /// When the address's first step began.
    package var at: Instant
    /// `nil` where the name did not resolve.
    package var address: IPAddress?
    package var profile: HelloProfile
    package var outcome: Outcome
    package var tlsVersion: TLSVersion?
    /// The IANA name of the cipher suite, such as `TLS_AES_128_GCM_SHA256`.
    package var cipher: String?
    /// Bits of the prime of a finite-field Diffie-Hellman key exchange before TLS 1.3; `nil` for every other.
    package var diffieHellmanBits: Int?
    /// The protocol chosen by ALPN; `nil` if none was.
    package var alpn: String?
    /// The Certificate message as sent; `nil` if none arrived.
    package var chain: Chain?
    /// From the leaf's SPKI; `nil` without a leaf or where its SPKI cannot be read.
    package var keyFamily: KeyFamily?
    /// DER of the stapled OCSP response, as sent.
    package var stapledOCSP: [UInt8]?
    /// Signed certificate timestamps sent by TLS extension or staple; not those inside the certificate.
    package var scts: Int
    package var durationMilliseconds: Int64

    package init(at: Instant, address: IPAddress?, profile: HelloProfile, outcome: Outcome) {
        self.at = at
        self.address = address
        self.profile = profile
        self.outcome = outcome
        scts = 0
        durationMilliseconds = 0
    }
}

/// One visit to a target: every address with its hellos.
package struct Scan: Sendable {
    package let target: Target
    package let hellos: HelloPlan
    /// When it was due to begin, and when its last address was done.
    package let startedAt: Instant
    package let endedAt: Instant
    /// The addresses that resolution gave and policy let through; `nil` if resolution failed, which says nothing about them.
    package let resolved: [IPAddress]?
    /// By address in the order resolved, then by hello. Never empty.
    package let observations: [Observation]

    package init(
        target: Target, hellos: HelloPlan = .phone, startedAt: Instant, endedAt: Instant, resolved: [IPAddress]?,
        observations: [Observation]
    ) {
        self.target = target
        self.hellos = hellos
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.resolved = resolved
        self.observations = observations
    }
}

extension Scan {
    /// Addresses with an observation that is as asked, in ascending order.
    func addresses(where holds: (Observation) -> Bool = { _ in true }) -> [IPAddress] {
        Set(observations.filter(holds).compactMap(\.address)).sorted()
    }
}
