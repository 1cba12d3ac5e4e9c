import PinwatchCore
import Synchronization

@testable import PinwatchHTTP

/// Formats that answer as a test says.
final class StubPinFiles: PinFiles {
    struct Contents: Sendable {
        var readings: Result<[PinFileReading], PinFilesRefusal> = .success([reading()])
        var lint: Result<[LintProblem], PinFilesRefusal> = .success([])
        var exported: Result<String, PinFilesRefusal> = .success("written")
        var candidate: Result<Candidate, PinFilesRefusal> = .success(keyCandidate)
        /// What was handed over, in words.
        var asked: [String] = []
        var contexts: [ImportContext] = []
        var served: [ServedKeys] = []
    }

    private let contents = Mutex(Contents())
    var now: Contents { contents.withLock { $0 } }
    func set(_ body: @Sendable (inout Contents) -> Void) { contents.withLock { body(&$0) } }

    let exportFormats = ["native", "okhttp-kotlin"]

    private func note(_ words: String, _ context: ImportContext? = nil) {
        contents.withLock { contents in
            contents.asked.append(words)
            contents.contexts += [context].compactMap { $0 }
        }
    }

    func read(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [PinFileReading] {
        note("read " + files.map { "\($0.name):\($0.bytes.count)" }.joined(separator: " "), context)
        return try self.now.readings.get()
    }

    func lint(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [LintProblem] {
        note("lint " + files.map(\.name).joined(separator: " "), context)
        return try self.now.lint.get()
    }

    func lint(_ pinSet: PinSetDefinition, now: Instant) async throws(PinFilesRefusal) -> [LintProblem] {
        try self.now.lint.get()
    }

    func export(_ pinSet: PinSetDefinition, as format: String) async throws(PinFilesRefusal) -> String {
        note("export \(pinSet.identity.label) as \(format)")
        return try now.exported.get()
    }

    func export(_ served: ServedKeys, as format: String) async throws(PinFilesRefusal) -> String {
        contents.withLock { $0.served.append(served) }
        return try now.exported.get()
    }

    func candidate(_ bytes: [UInt8]) async throws(PinFilesRefusal) -> Candidate { try now.candidate.get() }
}

/// What was understood of an Info.plist.
func reading(
    release: String = "6", questions: [Question] = [], problems: [PinwatchCore.Problem] = [], isRead: Bool = true
) -> PinFileReading {
    let key = PinnableKey(
        file: "a.cer", kind: .certificate, subject: "CN=a", notAfter: now, spki: digest(1),
        spkiSHA1: Array(repeating: 2, count: 20), certificate: digest(3),
        certificateSHA1: Array(repeating: 4, count: 20),
        rawKey: digest(5))
    return PinFileReading(
        format: "info-plist", formatWords: "an Info.plist", origin: "Info.plist, a.cer", source: "pinwatch: 1\n",
        definition: isRead ? definition(release: release) : nil, problems: problems,
        remarks: [Remark(file: "Info.plist", mark: Mark(line: 3, column: 5), message: "is left out")],
        questions: questions, keys: [key], lint: [lintProblem],
        originals: [
            HandedFile(name: "Info.plist", bytes: Array("<plist/>".utf8)), HandedFile(name: "b", bytes: [0xFF]),
        ])
}

let lintProblem = LintProblem(
    .configError, .error, client: .generic, host: "a.example", file: "Info.plist", mark: Mark(line: 3, column: 5),
    message: "It cannot be loaded.", advice: "Mend it.")

let keyCandidate = Candidate.key(
    CandidateKey(
        kind: .request, subject: "CN=a", spki: digest(1), spkiSHA1: Array(repeating: 2, count: 20), rawKey: nil,
        key: PublicKeySummary(type: "EC", bits: 256, curve: "P-256"), family: .ecdsa))
