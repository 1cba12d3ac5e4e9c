/// The apps' own pin files, read, judged and written: what the API needs of the rooms that know formats.
///
/// Every text is somebody's upload. Reading is bounded, blocks, and so leaves the caller's thread. Whatever waits for
/// its turn too long, or finds too much waiting, is ``PinFilesRefusal/busy``.
package protocol PinFiles: Sendable {
    /// Reads what was handed over, each release's files together.
    ///
    /// - Throws: ``PinFilesRefusal/faults(_:)`` for files that cannot be read at all: of no known format, private keys.
    func read(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [PinFileReading]

    /// Every trap, fault and doubt of files and of what they pin, in their order.
    ///
    /// - Throws: As ``read(_:context:now:)``.
    func lint(
        _ files: [HandedFile], context: ImportContext, now: Instant
    ) async throws(PinFilesRefusal) -> [LintProblem]

    /// The same of a pin set's policies alone, at places in its origin.
    func lint(_ pinSet: PinSetDefinition, now: Instant) async throws(PinFilesRefusal) -> [LintProblem]

    /// A stored pin set in a client's own format.
    ///
    /// - Parameter format: A word of ``exportFormats``.
    /// - Throws: ``PinFilesRefusal/faults(_:)`` where the format cannot hold these pins.
    func export(_ pinSet: PinSetDefinition, as format: String) async throws(PinFilesRefusal) -> String

    /// The keys that a host serves now, as its pins in a client's own format.
    ///
    /// - Throws: As ``export(_:as:)-(PinSetDefinition,_)``, and where nothing is served that could be pinned.
    func export(_ served: ServedKeys, as format: String) async throws(PinFilesRefusal) -> String

    /// The formats that pins can be written in, `native` first.
    var exportFormats: [String] { get }

    /// What a rotation would put in place: certificates as sent (PEM, DER or PKCS#7, leaf first), a public key or a
    /// signing request, told apart by content.
    ///
    /// - Throws: ``PinFilesRefusal/faults(_:)`` where the bytes are none of these; private keys are refused.
    func candidate(_ bytes: [UInt8]) async throws(PinFilesRefusal) -> Candidate
}

/// Why files are not read.
package enum PinFilesRefusal: Error, Sendable, Hashable {
    /// What is wrong with them; at least one problem.
    case faults(TextFaults)
    /// Too much is being read already, or this took too long; the same may succeed in a moment.
    case busy
}

/// The chains that a host serves, of which pins are to be made.
package struct ServedKeys: Sendable {
    /// A-labels, without a trailing dot.
    package let host: String
    /// Each as sent, leaf first.
    package let chains: [[Certificate]]
    /// Whether the issuers' keys are pinned beside the leaves'.
    package let withIssuers: Bool

    package init(host: String, chains: [[Certificate]], withIssuers: Bool) {
        self.host = host
        self.chains = chains
        self.withIssuers = withIssuers
    }
}
