internal import PinwatchCore
internal import PinwatchTLS

/// What a rotation would put in place, from the one file that `preflight` is given.
struct CandidateInput {
    /// The options, each with the member of the API that takes the same.
    private static let members = [
        "--certificate": "certificate", "--chain": "chain", "--csr": "csr", "--public-key": "public_key",
    ]
    static let options = Set(members.keys)

    /// The most bytes of the file.
    private static let sizeLimit = 1 << 20

    let candidate: Candidate
    /// Whether the certificates are all that would be sent.
    let isWhole: Bool
    /// The reading of the first certificate, where there is one.
    let leaf: CertificateSummary?
    /// The file's bytes, and the API's member for them.
    let bytes: [UInt8]
    let member: String

    init(_ arguments: Arguments) throws(UsageError) {
        let given = Self.members.keys.sorted().filter { arguments[$0] != nil }
        guard let option = given.first, given.count == 1, let path = arguments[option],
            let member = Self.members[option]
        else { throw UsageError("give one of --certificate, --chain, --csr and --public-key with a file") }
        bytes = try InputFile.bytes(path, limit: Self.sizeLimit)
        self.member = member
        isWhole = option == "--chain"
        let found: [KeyMaterial]
        do { found = try KeyMaterialReader.read(bytes) } catch { throw UsageError("\(path): \(error.description)") }
        candidate = try Self.candidate(found, for: option, path)
        if case .chain(let certificates) = candidate {
            leaf = certificates.first.map { CertificateReader.read($0) }
        } else {
            leaf = nil
        }
    }

    private static func candidate(
        _ found: [KeyMaterial], for option: String, _ path: String
    ) throws(UsageError) -> Candidate {
        let certificates = found.compactMap { material -> Certificate? in
            if case .certificate(let certificate, _) = material { certificate } else { nil }
        }
        switch (option, found.first) {
        case ("--chain", .certificate?), ("--certificate", .certificate?):
            guard certificates.count == found.count else {
                throw UsageError("\(path) holds more than certificates; give the certificates alone, leaf first")
            }
            return .chain(certificates)
        case ("--csr", .request(let subject, let hashes)?) where found.count == 1:
            return .key(CandidateKey(.request, subject: subject, hashes))
        case ("--public-key", .publicKey(let hashes)?) where found.count == 1:
            return .key(CandidateKey(.publicKey, subject: nil, hashes))
        default:
            let wanted =
                switch option {
                case "--csr": "one signing request"
                case "--public-key": "one public key"
                default: "certificates, leaf first"
                }
            throw UsageError("\(option) takes a file with \(wanted), in PEM or DER; \(path) holds none")
        }
    }
}
