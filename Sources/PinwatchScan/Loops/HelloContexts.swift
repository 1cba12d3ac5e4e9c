internal import PinwatchCore
internal import PinwatchTLS

/// The contexts of the hellos that are sent, shared by all loops.
struct HelloContexts: Sendable {
    private let phone: HandshakeContext
    private let legacy: HandshakeContext
    private let library: HandshakeLibrary

    init() throws(ScanError) {
        do throws(HandshakeSetupError) {
            library = try HandshakeLibrary()
            phone = try HandshakeContext(offer: .phone, library: library)
            legacy = try HandshakeContext(offer: .legacy, library: library)
        } catch {
            throw .handshakes(error.description)
        }
    }

    /// To be called by each loop's thread when its last handshake is gone.
    func leaveThread() { library.leaveThread() }

    /// The narrowed hellos are not sent yet; they would begin from the phone's.
    subscript(profile: HelloProfile) -> HandshakeContext {
        switch profile {
        case .phone, .ecdsa, .rsa: phone
        case .legacy: legacy
        }
    }
}
