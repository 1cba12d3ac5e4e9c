/// One pin as its file wrote it.
package enum Pin: Sendable, Hashable {
    /// `sha256/TEXT` or bare `TEXT`: an SPKI SHA-256, its text as written, judged with the client's own strictness.
    case spki(text: String)
    /// `sha1/TEXT`: an SPKI SHA-1.
    case spkiSHA1(text: String)
    /// `cert-sha256:HEX`: SHA-256 over a whole certificate.
    case certificate(SHA256Digest)
    /// `file:PATH`, with what the file held.
    case file(path: String, PinFile)

    /// The pin as a person would write it again.
    package var text: String {
        switch self {
        case .spki(let text): "sha256/" + text
        case .spkiSHA1(let text): "sha1/" + text
        case .certificate(let digest): "cert-sha256:" + digest.hex
        case .file(let path, _): "file:" + path
        }
    }
}
