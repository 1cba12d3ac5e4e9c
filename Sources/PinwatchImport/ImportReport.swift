internal import PinwatchCore
internal import PinwatchTLS

/// What was understood of files, as a native file with comments.
package enum ImportReport {
    /// Comments of what was recognised, remarks, questions and the certificates' hashes, then the native files.
    package static func text(_ imported: Imported) -> String {
        var lines = ["\(imported.origin): \(imported.format.words)"]
        lines += imported.remarks.map { "remark: " + $0.description }
        lines += imported.questions.map { question in
            "question (\(question.id), answered by \(question.key)\(question.mustAnswer ? ", needed" : "")): \(question.words)"
        }
        lines += imported.found.flatMap { hashes($0) }
        let comments = lines.map { "# " + $0.visible() + "\n" }.joined()
        return comments + imported.files.map { NativePinFile.text(of: $0) }.joined(separator: "---\n")
    }

    /// A certificate's, key's or request's hashes, one a line.
    private static func hashes(_ key: FoundKey) -> [String] {
        let title: String =
            switch key.material {
            case .certificate: "certificate \(key.summary?.subject ?? "of an unreadable subject")"
            case .publicKey: "public key"
            case .request(let subject, _): "signing request \(subject ?? "of an unreadable subject")"
            }
        let hashes = FiveHashes(key)
        let rows: [(String, String?)] = [
            ("key sha256", hashes.spki?.base64), ("key sha1", hashes.spkiSHA1.map { PinText.canonical($0) }),
            ("certificate sha256", hashes.certificate?.hex),
            ("certificate sha1", hashes.certificateSHA1.map { Hex.text($0) }),
            ("raw key sha256 (no pin)", hashes.rawKey?.base64),
        ]
        return ["\(key.file): \(title)"] + rows.compactMap { name, value in value.map { "  \(name): \($0)" } }
    }
}
