internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchTLS

/// `pinwatch pins`
enum PinsCommand: Command {
    static let name = "pins"
    static let summary = "print the SPKI pins of a host's or a file's chain"
    static let help = """
        usage: pinwatch pins HOST[:PORT]… | --chain FILE  [--format NAME]

        Prints one line per certificate, leaf first: sha256/… (spki), sha256//… (curl), or the bare base64 that
        openssl's pipeline prints (openssl). In an export format: the leaf keys that a host serves, as its pins. Takes
        scan's options for hosts.

          --chain FILE    take certificates from a PEM or DER file instead of a host
          --host NAME     the host that the file's leaf is for, where an export format needs it
          --format NAME   spki (default), curl, openssl, or an export format:
                          \(Format.exported.map(\.rawValue).joined(separator: ", "))

        exit status: 0 printed · 2 bad arguments or file · 3 no certificate came, or a key is unreadable
        """
    static let syntax = ArgumentSyntax(
        options: Probe.options.union(["--chain", "--format", "--host"]), more: Probe.more, words: 0...1_000)

    /// What the pins are written as: a line each, or an app's own file.
    private enum Format {
        case spki, curl, openssl
        case export(ExportFormat)

        /// The export formats that no line's format goes before.
        static let exported = ExportFormat.allCases.filter { $0 != .curl }

        init?(_ name: String) {
            switch name {
            case "spki": self = .spki
            case "curl": self = .curl
            case "openssl": self = .openssl
            default:
                guard let format = ExportFormat(rawValue: name) else { return nil }
                self = .export(format)
            }
        }

        /// `nil` where the pins are no lines.
        func line(_ spki: SHA256Digest) -> String? {
            switch self {
            case .spki: spki.pin
            case .curl: "sha256//" + spki.base64
            case .openssl: spki.base64
            case .export: nil
            }
        }
    }

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let named = arguments["--format"] ?? "spki"
        guard let format = Format(named) else {
            let known = (["spki", "curl", "openssl"] + Format.exported.map(\.rawValue)).joined(separator: ", ")
            throw UsageError("--format takes \(known), not \"\(named)\"")
        }
        if case .export(let exported) = format {
            if arguments["--chain"] != nil, arguments["--host"] == nil {
                throw UsageError("--format \(named) with --chain needs --host NAME, the host that the app asks for")
            }
            if let host = arguments["--host"] { _ = try HostOption.reference(host) }
            return try export(try await Subject.all(arguments), as: exported, host: arguments["--host"])
        }
        let subjects = try await Subject.all(arguments)
        return CheckExit.worst(subjects.map { print($0, format) })
    }

    /// One file a host: the leaf keys of all its chains, since its addresses may serve several.
    private static func export(
        _ subjects: [Subject], as format: ExportFormat, host: String?
    ) throws(UsageError) -> CheckExit {
        var (hosts, leaves): ([String], [String: [CertificateSummary]]) = ([], [:])
        var status = CheckExit.fine
        for subject in subjects {
            let name = host ?? subject.host
            guard let leaf = subject.chain?.certificates.first.map({ CertificateReader.read($0) }), leaf.spki != nil
            else {
                Terminal.error(
                    "pins: \(subject.label): \(subject.chain == nil ? subject.failure : "the key is unreadable")")
                status = .couldNotTell
                continue
            }
            if leaves[name] == nil { hosts.append(name) }
            leaves[name, default: []].append(leaf)
        }
        for name in hosts {
            var keys: [SHA256Digest] = []
            for key in (leaves[name] ?? []).compactMap(\.spki) where !keys.contains(key) { keys.append(key) }
            let first = leaves[name]?.first
            do {
                Terminal.file(
                    try Exporter.text(
                        of: HostKeys(
                            host: name, leafKeys: keys, certificate: first?.fingerprint, certificateEnd: first?.notAfter
                        ),
                        as: format))
            } catch {
                throw UsageError(error.description)
            }
        }
        return status
    }

    private static func print(_ subject: Subject, _ format: Format) -> CheckExit {
        guard let chain = subject.chain else {
            Terminal.error("pins: \(subject.label): \(subject.failure)")
            return .couldNotTell
        }
        var status = CheckExit.fine
        for certificate in chain.certificates {
            if let line = CertificateReader.read(certificate).spki.flatMap(format.line) {
                Terminal.out(line)
            } else {
                Terminal.error("pins: \(subject.label): certificate \(certificate.fingerprint.hex) has no readable key")
                status = .couldNotTell
            }
        }
        return status
    }
}
