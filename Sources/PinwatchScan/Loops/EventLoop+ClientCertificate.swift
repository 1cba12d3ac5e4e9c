internal import PinwatchTLS

extension EventLoop {
    /// What the present hello may show to its server: never anything in a legacy one.
    func credential(for visit: Visit) -> ClientCredential? {
        guard let offer = visit.job.client else { return nil }
        visit.clientCertificate = visit.hello.isLegacy ? .legacy : .none
        return visit.hello.isLegacy ? nil : offer.credential
    }

    /// Has the server judged by its chain as it came in this handshake, before it is shown the client certificate.
    func judgeServer(_ visit: Visit, slot: Int) {
        guard let offer = visit.job.client, let handshake = visit.handshake,
            let chain = handshake.certificateMessage?.chain
        else { return decide(.none, visit, slot: slot) }
        guard handshake.serverSignedFirst else { return decide(.unsigned, visit, slot: slot) }
        visit.phase = .awaitingVerdict
        verifier.ask(
            .init(chain: chain, offer: offer, loop: index, token: token(of: slot), deadline: visit.deadline))
    }

    /// Goes on with the handshakes whose servers were judged.
    func hearVerdicts() {
        for (token, answer) in verifier.answers(for: index) {
            guard let (visit, slot) = visit(of: token), case .awaitingVerdict = visit.phase else { continue }
            visit.phase = .handshaking
            decide(answer, visit, slot: slot)
        }
    }

    private func decide(_ answer: ClientCertificateAnswer, _ visit: Visit, slot: Int) {
        visit.clientCertificate = answer
        visit.handshake?.decide(showsCertificate: answer == .shown)
        shake(visit, slot: slot)
    }
}
