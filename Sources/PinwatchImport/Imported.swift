package import PinwatchCore
package import PinwatchTLS

/// A certificate, key or request that was handed over.
package struct FoundKey: Sendable, Hashable {
    package let file: String
    package let material: KeyMaterial
    /// Of certificates alone.
    package let summary: CertificateSummary?

    init(file: String, material: KeyMaterial) {
        self.file = file
        self.material = material
        switch material {
        case .certificate(let certificate, _): summary = CertificateReader.read(certificate)
        case .publicKey, .request: summary = nil
        }
    }

    /// SHA-256 of the SubjectPublicKeyInfo; `nil` for a certificate whose key cannot be read.
    package var spki: SHA256Digest? {
        switch material {
        case .certificate: summary?.spki
        case .publicKey(let hashes), .request(_, let hashes): hashes.spki
        }
    }
}

extension FoundKey {
    /// The same by all that it may be pinned as.
    package var pinnable: PinnableKey {
        let hashes = FiveHashes(self)
        let (kind, subject): (PinnableKey.Kind, String?) =
            switch material {
            case .certificate: (.certificate, summary?.subject)
            case .publicKey: (.publicKey, nil)
            case .request(let subject, _): (.request, subject)
            }
        return PinnableKey(
            file: file, kind: kind, subject: subject, notAfter: summary?.notAfter, spki: hashes.spki,
            spkiSHA1: hashes.spkiSHA1, certificate: hashes.certificate, certificateSHA1: hashes.certificateSHA1,
            rawKey: hashes.rawKey)
    }
}

/// What was understood of the files that were handed over.
package struct Imported: Sendable {
    package let format: ImportFormat
    /// The file that it came from, or the files that make one release, with `, ` between them.
    package let origin: String
    /// Native pin files whose marks are places in the original; empty where too little is known for one.
    package var files: [Node]
    package var remarks: [Remark]
    package var questions: [Question]
    /// Where in the file a question comes from, as far as it has a place; of several files' questions none is kept.
    var places: [Question: Mark]
    /// Certificates, keys and requests among the files.
    package var found: [FoundKey]
    /// The texts as they were handed over, for display and lint; those of keys and certificates are not kept.
    package var originals: [HandedFile]
}

/// Why files cannot be imported: at least one problem.
package struct ImportProblems: Error, Hashable, Sendable, CustomStringConvertible {
    package let list: [Problem]

    init(_ list: [Problem]) { self.list = list }
    init(file: String, mark: Mark? = nil, _ message: String) {
        list = [Problem(file: file, mark: mark, message: message)]
    }

    /// One line per problem.
    package var description: String { list.map(\.description).joined(separator: "\n") }
}
