import PinwatchCore
import Testing

struct CertificateRevokedRuleTests {
    private func answer(_ status: RevocationStatus, _ thisUpdate: Instant, ends: Instant? = nil) -> RevocationAnswer {
        RevocationAnswer(
            status: status, thisUpdate: thisUpdate, nextUpdate: ends,
            revokedAt: status == .revoked ? World.now - 86_400 : nil)
    }

    @Test func `an answer holds for its time, and a revocation beyond it`() {
        let now = World.now
        #expect(answer(.good, now, ends: now).holds(at: now))
        #expect(answer(.good, now).holds(at: now + 86_400) && !answer(.good, now).holds(at: now + 86_401))
        #expect(!answer(.good, now - 60, ends: now - 1).holds(at: now))
        #expect(answer(.revoked, now - 60, ends: now - 1).holds(at: now))
        #expect(answer(.good, now + 300).holds(at: now))
        #expect(!answer(.good, now + 301).holds(at: now) && !answer(.revoked, now + 301).holds(at: now))
    }

    @Test func `a revocation outlasts silence and older answers, not a newer one`() {
        let now = World.now
        let revoked = Revocation(answer(.revoked, now), from: .ocsp, at: now)
        #expect(revoked.outlasts(Revocation(without: .unavailable, detail: nil, at: now + 60)))
        #expect(revoked.outlasts(Revocation(answer(.good, now - 1), from: .stapledOCSP, at: now + 60)))
        #expect(revoked.outlasts(Revocation(answer(.unknown, now + 60), from: .ocsp, at: now + 60)))
        #expect(!revoked.outlasts(Revocation(answer(.good, now), from: .stapledOCSP, at: now + 60)))
        #expect(!Revocation(answer(.good, now), from: .ocsp, at: now).outlasts(revoked))
    }

    @Test func `the finding says when, why and by whom, and what to do with the key`() throws {
        var world = World()
        let leaf = try world.certificate("A")
        try world.serve(leaf, on: [1, 2])
        try world.serve(world.certificate("B"), on: [3], family: .rsa)
        #expect(world.findings(.certificateRevoked).isEmpty)
        let at = World.now - 86_400
        for (reason, word, step) in [
            (RevocationReason.keyCompromise, ": its key is in other hands", "new key"),
            (.superseded, ": another has taken its place", "Its key may stay"), (.unspecified, "", "Its key may stay"),
        ] {
            let answer = RevocationAnswer(
                status: .revoked, thisUpdate: World.now, nextUpdate: nil, revokedAt: at, reason: reason)
            world.revoked = [leaf.fingerprint: Revocation(answer, from: .crl, at: World.now)]
            let found = world.findings(.certificateRevoked)
            #expect(found.map(\.severity) == [.critical] && found.map(\.scope) == [Scope(affected: 2, of: 3)])
            #expect(found[0].key == "certificate.revoked/12/\(leaf.fingerprint.hex)")
            let words = "was revoked on 2027-01-14, says the issuer's revocation list\(word). It is"
            #expect(found[0].summary.contains(words))
            #expect(found[0].nextStep.contains(step))
        }
    }
}
