internal import PinwatchCore
internal import PinwatchTLS

/// `pinwatch pins`
enum PinsCommand: Command {
    static let name = "pins"
    static let summary = "print the SPKI pins of a host's or a file's chain"
    static let help = """
        usage: pinwatch pins HOST[:PORT]… | --chain FILE  [--format spki|curl|openssl]

        Prints one line per certificate, leaf first: sha256/… (spki), sha256//… (curl), or the bare base64 that
        openssl's pipeline prints (openssl). Takes scan's options for hosts.

          --chain FILE    take certificates from a PEM or DER file instead of a host
          --format NAME   spki (default), curl or openssl

        exit status: 0 printed · 2 bad arguments or file · 3 no certificate came, or a key is unreadable
        """
    static let syntax = ArgumentSyntax(
        options: Probe.options.union(["--chain", "--format"]), more: Probe.more, words: 0...1_000)

    private enum Format: String, CaseIterable {
        case spki, curl, openssl

        func line(_ spki: SHA256Digest) -> String {
            switch self {
            case .spki: spki.pin
            case .curl: "sha256//" + spki.base64
            case .openssl: spki.base64
            }
        }
    }

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let named = arguments["--format"] ?? Format.spki.rawValue
        guard let format = Format(rawValue: named) else {
            let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--format takes \(known), not \"\(named)\"")
        }
        let subjects = try await Subject.all(arguments)
        return CheckExit.worst(subjects.map { print($0, format) })
    }

    private static func print(_ subject: Subject, _ format: Format) -> CheckExit {
        guard let chain = subject.chain else {
            Terminal.error("pins: \(subject.label): \(subject.failure)")
            return .couldNotTell
        }
        var status = CheckExit.fine
        for certificate in chain.certificates {
            if let spki = CertificateReader.read(certificate).spki {
                Terminal.out(format.line(spki))
            } else {
                Terminal.error("pins: \(subject.label): certificate \(certificate.fingerprint.hex) has no readable key")
                status = .couldNotTell
            }
        }
        return status
    }
}
