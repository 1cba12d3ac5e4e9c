internal import PinwatchCore
internal import PinwatchTLS

/// The certificates that an app carries, as Apple's clients load them: DER alone, anything else is dropped without a word.
struct CertificateBundle {
    private let loaded: [(file: String, summary: CertificateSummary)]
    /// Names of files that the app would drop.
    private let dropped: [String]

    var count: Int { loaded.count }

    init(_ found: [FoundKey]) {
        var (loaded, dropped): ([(file: String, summary: CertificateSummary)], [String]) = ([], [])
        for key in found {
            switch key.material {
            case .certificate(_, isDER: true): if let summary = key.summary { loaded.append((key.file, summary)) }
            case .certificate(_, isDER: false), .publicKey, .request:
                if !dropped.contains(key.file) { dropped.append(key.file) }
            }
        }
        self.loaded = loaded
        self.dropped = dropped
    }

    /// Pins of the certificates' keys.
    func keys(at mark: Mark, _ draft: inout Draft) -> Node {
        note(at: mark, &draft)
        return .list(loaded.compactMap { $0.summary.spki.map { .text($0.pin, mark) } }, mark)
    }

    /// Pins of the certificates themselves.
    func certificates(at mark: Mark, _ draft: inout Draft) -> Node {
        note(at: mark, &draft)
        return .list(loaded.map { .text("cert-sha256:" + $0.summary.fingerprint.hex, mark) }, mark)
    }

    private func note(at mark: Mark, _ draft: inout Draft) {
        for file in dropped {
            draft.remark(
                nil,
                "\(file) is no DER certificate: the app drops it without an error, so it is no pin. Convert it by "
                    + "`openssl x509 -in FILE -outform der -out FILE.cer`")
        }
        draft.ask(
            "bundle",
            loaded.isEmpty
                ? "Which certificate files (.cer, .crt, .der) are in the app's bundle? Hand them over beside the source."
                : "Are these all the certificate files in the app's bundle: "
                    + loaded.map(\.file).joined(separator: ", ") + "?",
            key: "policy", at: mark, mustAnswer: loaded.isEmpty && dropped.isEmpty)
    }
}
