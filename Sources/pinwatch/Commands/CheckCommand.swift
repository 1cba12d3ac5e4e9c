internal import PinwatchCore
internal import PinwatchTLS

/// `pinwatch check`
enum CheckCommand: Command {
    static let name = "check"
    static let summary = "judge a chain by the pins of releases"
    static let help = """
        usage: pinwatch check HOST[:PORT]… | --chain FILE --host NAME  --pins FILE… [options]

        Says for each pin file and chain what the release makes of it. Takes scan's options for hosts.

          --pins FILE…         native pin files, or any format that `pinwatch import` reads; hosts come before them
          --chain FILE         certificates as sent, leaf first, PEM or DER
          --host NAME          the host as the app spells it, whose pins apply and which the certificate must name;
                               needed with --chain
          --client C           the client that the files must be for, or are for where their content does not say
          --at TIME            judge as at this time, RFC 3339 with zone
          --ca-file PEM        the device's system anchors
          --user-ca-file PEM   anchors that the user installed beside them
          --json               print one JSON array

        exit status: 0 accepted, or unpinned by design · 1 rejected, misconfigured, unpinned by a trap, or depends on
                     the path · 2 bad arguments or files · 3 could not tell
        """
    static let syntax = ArgumentSyntax(
        options: Probe.options.union(["--pins", "--chain", "--host", "--client", "--at", "--user-ca-file"]),
        flags: ["--json"], repeatable: ["--pins"],
        more: Probe.more.merging(PinInput.more) { first, _ in first }, words: 0...1_000)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let pinSets = try PinInput.judged(arguments, by: name)
        let now = try arguments.time("--at")
        let probe = try Probe(arguments, userAnchors: arguments["--user-ca-file"])
        guard arguments["--chain"] == nil || arguments["--host"] != nil else {
            throw UsageError("--chain needs --host NAME, the host as the app spells it")
        }
        var shown: [(subject: Subject, host: String, presentation: Presentation?)] = []
        for subject in try await Subject.all(arguments, probe: probe) {
            let (host, reference) = try expected(of: subject, named: arguments["--host"])
            let presentation = subject.chain.map { chain in
                let assessment = PathBuilder.assess(chain: chain, trustStore: probe.trustStore, at: now)
                return Presentation(
                    host: host, assessment: assessment, verification: assessment.verification(at: now, for: reference),
                    now: now)
            }
            shown.append((subject, host, presentation))
        }
        var statuses: [CheckExit] = []
        var objects: [JSON] = []
        for pinSet in pinSets {
            for (subject, host, presentation) in shown {
                let verdict = judge(pinSet, presentation, failure: subject.failure)
                statuses.append(CheckExit(verdict.deciding))
                objects.append(verdict.json(for: pinSet.identity, host: host))
                if !arguments.has("--json") { Terminal.out(line(verdict, pinSet, host: host)) }
            }
        }
        if arguments.has("--json") { Terminal.out(JSON.array(objects)) }
        return CheckExit.worst(statuses)
    }

    /// The host whose pins apply, and the name that the certificate must hold: `--host`'s for both where it is given.
    private static func expected(
        of subject: Subject, named name: String?
    ) throws(UsageError) -> (host: String, reference: ReferenceIdentity) {
        if let name { return (name, try HostOption.reference(name)) }
        if let reference = subject.reference { return (subject.host, reference) }
        return (subject.host, try HostOption.reference(subject.host))
    }

    private static func judge(
        _ pinSet: PinSetDefinition, _ presentation: Presentation?, failure: String
    ) -> ReleaseVerdict {
        if let presentation { return ReleaseVerdict.judge(pinSet, presentation: presentation) }
        let verdict = Verdict(.unknown, code: "no_certificate", reason: failure)
        return ReleaseVerdict(
            layers: pinSet.layers.map { .init(client: $0.client, verdict: verdict) }, deciding: verdict)
    }

    private static func line(
        _ verdict: ReleaseVerdict, _ pinSet: PinSetDefinition, host: String
    ) -> String {
        let by = verdict.deciding.by.map { " by \($0.rawValue)" } ?? ""
        let notes = verdict.layers.flatMap(\.verdict.notes).map { "\n  note: " + $0 }.joined()
        return "\(verdict.deciding.kind.rawValue)\(by)  \(pinSet.identity.label)  \(host)  \(verdict.deciding.reason)"
            + notes
    }
}
