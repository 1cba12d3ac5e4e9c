internal import PinwatchCore
internal import PinwatchTLS

extension CandidateKey {
    /// The key of a signing request, with the request's subject, or one by itself.
    init(_ kind: PinnableKey.Kind, subject: String?, _ hashes: KeyHashes) {
        self.init(
            kind: kind, subject: subject, spki: hashes.spki, spkiSHA1: hashes.spkiSHA1, rawKey: hashes.rawKey,
            key: hashes.key, family: hashes.family)
    }
}
