internal import PinwatchCore

/// `pinwatch scan`
enum ScanCommand: Command {
    static let name = "scan"
    static let summary = "show what hosts serve, and whether it verifies"
    static let help = """
        usage: pinwatch scan HOST[:PORT]… [--starttls P] [--sni NAME] [--address IP…] [--ca-file PEM]
                             [--client-certificate PEM --client-key PEM] [--timeout S] [--json]

        Visits every address of each host and shows the certificates as sent, valid or not: what a phone is given, and what
        a server with several certificates gives those who take only ECDSA or only RSA keys.

          --starttls P    speak P in clear until the server switches to TLS: smtp, lmtp, imap, pop3, ftp, ldap,
                          xmpp-client, postgres or mysql; the port is then that protocol's own
          --sni NAME      send and expect this name instead of the host's
          --address IP…   connect to these addresses instead of resolving; for one host
          --ca-file PEM   trust these certificates instead of the system's
          --client-certificate PEM, --client-key PEM
                          show this to servers that ask and are verified by then; never in a legacy hello
          --timeout S     seconds for one address with all its hellos (1 to 600; 10)
          --json          print one JSON array of observations

        exit status: 0 every address answered, verified and matched · 1 a certificate did not · 2 bad arguments
                     3 an address gave no certificate
        """
    static let syntax = ArgumentSyntax(
        options: Probe.options, flags: ["--json"], more: Probe.more, words: 1...1_000)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let visits = try await Probe(arguments).visit(arguments.words).flatMap { $0 }
        let addresses = byAddress(visits)
        if arguments.has("--json") {
            Terminal.out(JSON.array(visits.map { json($0) }))
        } else {
            for hellos in addresses { Terminal.out(ScanReport.text(hellos, now: Machine.now())) }
        }
        return CheckExit.worst(addresses.flatMap(statuses))
    }

    private static func json(_ visit: Visit) -> JSON {
        var members = visit.observation.members(
            of: visit.identity, targetID: nil, fingerprints: visit.certificates.map(\.fingerprint), weak: visit.weak)
        members.append(("host", .string(visit.identity.host.text)))
        members.append(("certificates", .array(zip(visit.certificates, visit.summaries).map { $1.json(der: $0.der) })))
        members.append(("verification", visit.verification?.json ?? .null))
        return .object(members)
    }

    /// Hellos to one address of one target together.
    private static func byAddress(_ visits: [Visit]) -> [[Visit]] {
        var groups: [[Visit]] = []
        for visit in visits {
            if let last = groups.indices.last(where: { groups[$0][0].isSamePlace(as: visit) }) {
                groups[last].append(visit)
            } else {
                groups.append([visit])
            }
        }
        return groups
    }

    /// Of the hellos that got a certificate, all count; without one the address could not be told.
    private static func statuses(_ hellos: [Visit]) -> [CheckExit] {
        let answered = hellos.filter { $0.observation.chain != nil }
        return answered.isEmpty ? [.couldNotTell] : answered.map(status)
    }

    private static func status(_ visit: Visit) -> CheckExit {
        guard let verification = visit.verification else { return .couldNotTell }
        return verification.valid && verification.hostMatches ? .fine : .bad
    }
}
