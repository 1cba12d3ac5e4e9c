internal import PinwatchCore
internal import PinwatchTLS

/// Certificates, public keys and signing requests that stand alone: pins for a client and a host that the caller names.
enum KeyFiles {
    static func draft(_ found: [FoundKey], context: ImportContext) -> Draft {
        let file = found.map(\.file).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .joined(separator: ", ")
        var draft = Draft(.keyFiles, file: file)
        let isCertificatePinned = ClientPins.comparesCertificates(context.client)
        let pins = found.compactMap { key -> Node? in
            if case .certificate = key.material, isCertificatePinned, let summary = key.summary {
                return .text("cert-sha256:" + summary.fingerprint.hex, .start)
            }
            return key.spki.map { .text($0.pin, .start) }
        }
        for key in found { note(key, &draft) }
        draft.layers = ClientPins.layers(pins, at: nil, context: context, &draft)
        return draft
    }

    private static func note(_ key: FoundKey, _ draft: inout Draft) {
        switch key.material {
        case .certificate:
            guard let summary = key.summary, summary.spki == nil else { return }
            draft.remark(nil, "the key of a certificate in \(key.file) cannot be read, so it is no pin")
        case .publicKey: return
        case .request:
            draft.remark(
                nil, "\(key.file) is a signing request: its key is in no chain until the certificate is issued")
        }
    }
}
