/// A certificate, key or signing request among files, by all the hashes that a pin may be made of it.
package struct PinnableKey: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case certificate
        case publicKey = "public_key"
        case request
    }

    package let file: String
    package let kind: Kind
    /// RFC 4514; `nil` for a bare key and for what cannot be read.
    package let subject: String?
    /// Of certificates alone.
    package let notAfter: Instant?
    /// Of the SubjectPublicKeyInfo; `nil` if it cannot be read.
    package let spki: SHA256Digest?
    package let spkiSHA1: [UInt8]?
    /// Of the whole certificate.
    package let certificate: SHA256Digest?
    package let certificateSHA1: [UInt8]?
    /// Of the key without its SubjectPublicKeyInfo, which no client's pin is.
    package let rawKey: SHA256Digest?

    package init(
        file: String, kind: Kind, subject: String?, notAfter: Instant?, spki: SHA256Digest?, spkiSHA1: [UInt8]?,
        certificate: SHA256Digest?, certificateSHA1: [UInt8]?, rawKey: SHA256Digest?
    ) {
        self.file = file
        self.kind = kind
        self.subject = subject
        self.notAfter = notAfter
        self.spki = spki
        self.spkiSHA1 = spkiSHA1
        self.certificate = certificate
        self.certificateSHA1 = certificateSHA1
        self.rawKey = rawKey
    }
}

/// What was understood of files that make one release.
package struct PinFileReading: Sendable {
    /// The format's stable word: `info-plist`.
    package let format: String
    /// As a sentence calls it: `an Info.plist`.
    package let formatWords: String
    /// The files' names, with `, ` between them.
    package let origin: String
    /// The native pin file that they become; `nil` where too little is known for one.
    package let source: String?
    /// What `source` says; `nil` without one, and where `problems` or an unanswered question stand against it.
    package let definition: PinSetDefinition?
    /// Why `source` cannot be taken as it stands.
    package let problems: [Problem]
    package let remarks: [Remark]
    package let questions: [Question]
    package let keys: [PinnableKey]
    package let lint: [LintProblem]
    /// The texts as handed over; none of keys' and certificates' files.
    package let originals: [HandedFile]

    package init(
        format: String, formatWords: String, origin: String, source: String?, definition: PinSetDefinition?,
        problems: [Problem], remarks: [Remark], questions: [Question], keys: [PinnableKey], lint: [LintProblem],
        originals: [HandedFile]
    ) {
        self.format = format
        self.formatWords = formatWords
        self.origin = origin
        self.source = source
        self.definition = definition
        self.problems = problems
        self.remarks = remarks
        self.questions = questions
        self.keys = keys
        self.lint = lint
        self.originals = originals
    }
}
