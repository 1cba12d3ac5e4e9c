internal import PinwatchCore

/// Which hello an address is sent next, and what is made of the answers together.
///
/// The phone's comes first, for it is what apps get. Where it got no certificate a legacy hello may, and then the narrowed
/// ones are narrowed from that: a server of old versions would refuse a new one whatever its keys.
struct HelloSequence: Sendable {
    struct Hello: Hashable, Sendable {
        let profile: HelloProfile
        /// Whether it is offered with all that ``HelloOffer/legacy`` has.
        let isLegacy: Bool
    }

    let plan: HelloPlan
    private(set) var observations: [Observation] = []
    private var legacyCounts = false

    init(plan: HelloPlan) {
        self.plan = plan
    }

    static let first = Hello(profile: .phone, isLegacy: false)

    /// Keeps the answer to a hello.
    ///
    /// - Parameter wasSent: Whether the connection came as far as a hello.
    /// - Returns: What is to be sent next; `nil` if that was all.
    mutating func next(after answer: Observation, wasSent: Bool) -> Hello? {
        observations.append(answer)
        guard wasSent else { return nil }
        switch answer.profile {
        case .phone:
            if answer.chain == nil, answer.outcome.isRefusal { return Hello(profile: .legacy, isLegacy: true) }
        case .legacy: legacyCounts = answer.chain != nil
        case .ecdsa: break
        case .rsa: return nil
        }
        guard plan == .everyFamily, answer.outcome.isAnswerToHello || answer.chain != nil else { return nil }
        return Hello(profile: answer.profile == .ecdsa ? .rsa : .ecdsa, isLegacy: legacyCounts)
    }

    /// All answers in the order of ``HelloProfile``. A narrowed hello that was refused where another one got a certificate
    /// says that there is no key of its family.
    func judged() -> [Observation] {
        let hasChain = observations.contains { $0.chain != nil }
        return HelloProfile.allCases.compactMap { profile in
            guard let observation = observations.first(where: { $0.profile == profile }) else { return nil }
            guard hasChain, profile.isNarrowed, observation.chain == nil, observation.outcome.isRefusal
            else { return observation }
            var judged = observation
            judged.outcome = .noSuchKeyFamily(asked: profile, answer: observation.outcome)
            return judged
        }
    }
}

extension Outcome {
    /// Whether TLS was refused or broke off rather than was never reached, so that another hello may get further.
    var isRefusal: Bool {
        switch self {
        case .alert, .protocolUnsupported, .closed, .reset, .noCertificate: true
        case .ok, .clientCertificateRequired, .resolveFailed, .connectRefused, .connectTimeout, .unreachable,
            .proxyRefused, .startTLSRefused, .handshakeTimeout, .notTLS, .noSuchKeyFamily, .certificateTooLarge,
            .certificateMalformed, .blockedByPolicy:
            false
        }
    }

    /// Whether the server heard a hello and answered it in TLS, or broke off: one that is not there, stalls or speaks
    /// something else would do so again.
    fileprivate var isAnswerToHello: Bool {
        switch self {
        case .ok, .clientCertificateRequired, .alert, .protocolUnsupported, .closed, .reset, .noCertificate,
            .noSuchKeyFamily, .certificateTooLarge, .certificateMalformed:
            true
        case .resolveFailed, .connectRefused, .connectTimeout, .unreachable, .proxyRefused, .startTLSRefused,
            .handshakeTimeout, .notTLS, .blockedByPolicy:
            false
        }
    }

    fileprivate static func noSuchKeyFamily(asked profile: HelloProfile, answer: Outcome) -> Outcome {
        let family = profile == .rsa ? "an RSA" : "an ECDSA"
        let how =
            switch answer {
            case .alert(let number, let name): "by alert \(number) (\(name))"
            case .closed: "by closing the connection"
            case .reset: "by resetting the connection"
            default: "in its way"
            }
        return .noSuchKeyFamily(
            message:
                "The server has no certificate with \(family) key: it refused a hello that takes only those, \(how).")
    }
}
