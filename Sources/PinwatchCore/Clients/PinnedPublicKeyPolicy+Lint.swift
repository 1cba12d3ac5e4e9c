extension PinnedPublicKeyPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        switch value {
        case .list(let list):
            var seen: Set<String> = []
            return Program.splitters(release.clientVersion).flatMap { $0.splitter.notes(on: list) }
                .filter { seen.insert($0).inserted }
                .map { note in
                    PolicyTrap(
                        .pinList, .error, message: Wording.sentence(note),
                        advice: "Write sha256//PIN;sha256//PIN, without blanks and with nothing after the last pin.")
                }
        case .unusable(let path, let why):
            return [
                PolicyTrap(
                    .noPins, .error,
                    message: "\(path) is no key to compare with, so every connection is refused: \(why).",
                    advice: "Name a public key's file, PEM or DER.")
            ]
        case .file(.file(_, .publicKey)): return []
        case .file(let pin):
            return [
                PolicyTrap(
                    .noPins, .error, pin: pin,
                    message: "\(pin.text) holds no public key to compare with, so every connection is refused.",
                    advice: "Name a public key's file: openssl x509 -in certificate.pem -pubkey -noout")
            ]
        }
    }
}
