package import PinwatchCore
package import PinwatchTLS

/// A file that someone handed over: its name serves messages alone.
package struct HandedFile: Sendable, Hashable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// What the files cannot say and their owner may.
package struct ImportContext: Sendable {
    /// `nil` takes what the files say (a bundle's identifier), else the file's name.
    package var app: String?
    package var release: String?
    package var variant = Variant.release
    /// Where the content fits several clients.
    package var client: Client?
    /// For formats that name no host.
    package var host: String?
    /// Values for Xcode's `$(NAME)`.
    package var buildSettings: [String: String] = [:]
    /// The chain that the host serves now, to tell what a pin of unknown kind hashes.
    package var references: [CertificateSummary] = []

    package init() {}
}

/// What was left out or could not be resolved, at its place in the file that was handed over.
package struct Remark: Sendable, Hashable {
    package let file: String
    package let mark: Mark?
    package let message: String

    package init(file: String, mark: Mark?, message: String) {
        self.file = file
        self.mark = mark
        self.message = message
    }

    /// `file:line:column: message`.
    package var description: String { Problem(file: file, mark: mark, message: message).description }
}

/// What the files cannot tell and a verdict depends on.
package struct Question: Sendable, Hashable {
    /// Stable: `client`, `client_version`, `platform`, `bundle`, `host_lookup`, `debuggable`, `target_sdk`, `stack`,
    /// `on_empty`, `host`, `kind`, `value`, `evaluator`, `build_setting`.
    package let id: String
    package let words: String
    /// The key of the native file that answers it.
    package let key: String
    /// Whether a verdict without the answer would be a guess, rather than the client's default.
    package let mustAnswer: Bool

    package init(id: String, words: String, key: String, mustAnswer: Bool = false) {
        self.id = id
        self.words = words
        self.key = key
        self.mustAnswer = mustAnswer
    }
}

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

/// What was understood of the files that were handed over.
package struct Imported: Sendable {
    package let format: ImportFormat
    /// The file that it came from, or the files that make one release, with `, ` between them.
    package let origin: String
    /// Native pin files whose marks are places in the original; empty where too little is known for one.
    package var files: [Node]
    package var remarks: [Remark]
    package var questions: [Question]
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
