/// The apps' own pin files, read, judged and written: what the API needs of the rooms that know formats.
///
/// Every text is somebody's upload. Reading is bounded, blocks, and so leaves the caller's thread.
package protocol PinFiles: Sendable {
    /// Reads what was handed over, each release's files together.
    ///
    /// - Throws: ``TextFaults`` for files that cannot be read at all: of no known format, private keys.
    func read(_ files: [HandedFile], context: ImportContext, now: Instant) async throws(TextFaults) -> [PinFileReading]

    /// Every trap, fault and doubt of files and of what they pin, in their order.
    ///
    /// - Throws: As ``read(_:context:now:)``.
    func lint(_ files: [HandedFile], context: ImportContext, now: Instant) async throws(TextFaults) -> [LintProblem]

    /// A stored pin set in a client's own format.
    ///
    /// - Parameter format: A word of ``exportFormats``.
    /// - Throws: Why the format cannot hold these pins.
    func export(_ pinSet: PinSetDefinition, as format: String) async throws(HostProblem) -> String

    /// The formats that pins can be written in, `native` first.
    var exportFormats: [String] { get }

    /// What a rotation would put in place: certificates as sent (PEM, DER or PKCS#7, leaf first), a public key or a
    /// signing request, told apart by content.
    ///
    /// - Throws: Why the bytes are none of these; private keys are refused.
    func candidate(_ bytes: [UInt8]) async throws(HostProblem) -> Candidate
}
