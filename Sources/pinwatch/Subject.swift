internal import FoundationEssentials
internal import Glibc
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchNames
internal import PinwatchTLS

/// A chain that `pins` and `check` speak about: a file's, or what a host serves.
struct Subject: Sendable {
    /// Who it is, for messages.
    let label: String
    /// The host as the user spelled it, port apart.
    let host: String
    /// What certificates are compared with.
    let reference: ReferenceIdentity?
    let chain: Chain?
    /// Why there is no chain, in words.
    let failure: String

    /// The chain of `--chain`, or every distinct chain that the hosts serve, in the order given.
    ///
    /// - Parameter probe: Visits the hosts; made here where there is none, which loads a trust store.
    static func all(_ arguments: Arguments, probe: Probe? = nil) async throws(UsageError) -> [Subject] {
        if let file = arguments["--chain"] {
            guard arguments.words.isEmpty else { throw UsageError("give hosts or --chain FILE, not both") }
            return [try fromFile(file)]
        }
        guard !arguments.words.isEmpty else { throw UsageError("give a host, or a file by --chain FILE") }
        let visiting: Probe
        if let probe { visiting = probe } else { visiting = try Probe(arguments) }
        return zip(try await visiting.visit(arguments.words), arguments.words).flatMap { served($0, as: $1) }
    }

    private static func fromFile(_ path: String) throws(UsageError) -> Subject {
        do {
            let certificates = try CertificateFile.read(try InputFile.bytes(path, limit: 8 << 20), origin: path)
            return Subject(
                label: path, host: path, reference: nil,
                chain: Chain(id: Digests.chainID(certificates), certificates: certificates), failure: "")
        } catch {
            throw UsageError("\(error)")
        }
    }

    /// Each distinct chain, and one subject more for the addresses that gave none: what some answer says nothing of them.
    private static func served(_ visits: [Visit], as word: String) -> [Subject] {
        var seen: Set<ChainID> = []
        var subjects: [Subject] = []
        var silent: [Visit] = []
        for visit in visits {
            guard let chain = visit.observation.chain else {
                if !visits.contains(where: { $0.isSamePlace(as: visit) && $0.observation.chain != nil }) {
                    silent.append(visit)
                }
                continue
            }
            guard seen.insert(chain.id).inserted else { continue }
            subjects.append(subject(visit, as: word, chain: chain, failure: ""))
        }
        if let visit = silent.first {
            let words = silent.map { visit in
                (visit.observation.address.map { "\($0) " } ?? "") + visit.observation.outcome.word
            }
            let failure = "no certificate came: " + words.joined(separator: ", ")
            subjects.append(subject(visit, as: word, chain: nil, failure: failure))
        }
        return subjects
    }

    private static func subject(_ visit: Visit, as word: String, chain: Chain?, failure: String) -> Subject {
        Subject(
            label: visit.identity.label, host: spelled(word), reference: visit.identity.reference, chain: chain,
            failure: failure)
    }

    /// The host without scheme, port and brackets, its case and trailing dot kept.
    private static func spelled(_ word: String) -> String {
        var text = word[...]
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        if text.hasSuffix("/") { text = text.dropLast() }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text.dropFirst()[..<end]) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : String(text)
    }
}

/// Files that the command line names.
enum InputFile {
    /// Whether a word of the command line is the path of a regular file, readable or not.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// - Throws: ``UsageError`` in words that name the file.
    static func bytes(_ path: String, limit: Int) throws(UsageError) -> [UInt8] {
        do {
            return try InputSources.fileSystem(environment: Machine.environment).readFile(path, limit)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// What policies are read with on this machine.
    static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in
            try InputSources.fileSystem(environment: Machine.environment).readFile(path, PinFileDecoder.namedFileLimit)
        },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())
}
