internal import PinwatchCore
internal import PinwatchTLS

/// The contexts of the hellos that are sent, shared by all loops.
struct HelloContexts: Sendable {
    /// A hello as it is, and narrowed to each key family.
    private struct Family: Sendable {
        let wide: HandshakeContext
        let ecdsa: HandshakeContext
        let rsa: HandshakeContext

        init(_ offer: HelloOffer, _ library: HandshakeLibrary) throws(HandshakeSetupError) {
            wide = try HandshakeContext(offer: offer, library: library)
            ecdsa = try HandshakeContext(offer: offer.narrowed(to: .ecdsa), library: library)
            rsa = try HandshakeContext(offer: offer.narrowed(to: .rsa), library: library)
        }
    }

    private let phone: Family
    private let legacy: Family
    private let library: HandshakeLibrary

    init() throws(ScanError) {
        do throws(HandshakeSetupError) {
            library = try HandshakeLibrary()
            phone = try Family(.phone, library)
            legacy = try Family(.legacy, library)
        } catch {
            throw .handshakes(error.description)
        }
    }

    /// A client certificate for handshakes of these.
    func credential(_ certificate: ClientCertificate) throws(HostProblem) -> ClientCredential {
        try ClientCredential(certificate, library: library)
    }

    /// To be called by each loop's thread when its last handshake is gone.
    func leaveThread() { library.leaveThread() }

    subscript(hello: HelloSequence.Hello) -> HandshakeContext {
        let family = hello.isLegacy ? legacy : phone
        switch hello.profile {
        case .phone, .legacy: return family.wide
        case .ecdsa: return family.ecdsa
        case .rsa: return family.rsa
        }
    }
}
