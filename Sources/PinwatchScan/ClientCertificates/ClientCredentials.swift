internal import PinwatchCore
internal import PinwatchTLS

/// The client certificates of targets, loaded for a ``Scanner``.
package struct ClientCredentials: Sendable {
    private let byTarget: [TargetIdentity: ClientCredential]

    /// None at all.
    package init() { byTarget = [:] }

    init(_ byTarget: [TargetIdentity: ClientCredential]) { self.byTarget = byTarget }

    /// What a target may be shown, and what its server must prove before.
    func offer(to settings: TargetSettings) -> ClientOffer? {
        byTarget[settings.identity].map {
            ClientOffer(credential: $0, trustStore: settings.trustStore, reference: settings.identity.reference)
        }
    }
}

/// A client certificate for one address, and who the server must be to see it.
struct ClientOffer: Sendable {
    let credential: ClientCredential
    let trustStore: String
    let reference: ReferenceIdentity
}

/// What a server that asks for a client certificate gets.
enum ClientCertificateAnswer: Hashable, Sendable {
    /// There is none for the target.
    case none
    /// There is one, and the server was not shown it; the reason completes "The target's was not shown: ".
    case withheld(why: String)
    /// The server is who it should be.
    case shown

    static let legacy = withheld(why: "a legacy hello never shows it.")
    static let unsigned = withheld(
        why: "by this cipher suite the server proves its key only after the certificate was shown.")

    /// - Parameter verification: What became of the server's chain; `nil` where its trust store is not known.
    init(_ verification: Verification?, for offer: ClientOffer) {
        guard let verification else {
            self = .withheld(why: "there is no trust store \(offer.trustStore) to verify the server by.")
            return
        }
        if !verification.valid {
            self = .withheld(why: "the server is not verified, for \(verification.reason)")
        } else if !verification.hostMatches {
            self = .withheld(
                why: "the server is not verified, for its certificate does not name \(offer.reference.text).")
        } else {
            self = .shown
        }
    }
}

extension ReferenceIdentity {
    fileprivate var text: String {
        switch self {
        case .dns(let name): name.ascii
        case .ip(let address): address.description
        }
    }
}
