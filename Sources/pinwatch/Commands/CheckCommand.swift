internal import PinwatchCore
internal import PinwatchImport
internal import PinwatchNames
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
        more: Probe.more.merging(["--pins": { isPinFile($0) }]) { first, _ in first }, words: 0...1_000)

    /// Whether a word after `--pins` is one file more: what exists, and what by its spelling can only be meant as a file,
    /// so that a mistyped name is missed rather than visited as a host.
    private static func isPinFile(_ word: String) -> Bool {
        let endings = [
            ".yaml", ".yml", ".json", ".plist", ".xml", ".swift", ".m", ".h", ".kt", ".java", ".cer", ".crt", ".der",
            ".pem",
            ".p7b", ".csr", ".pins",
        ]
        return endings.contains { word.lowercased().hasSuffix($0) } || word.contains("/") && !word.contains("://")
            || InputFile.exists(word)
    }

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let pinSets = try pinSets(arguments)
        let now = try time(arguments)
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

    private static func pinSets(_ arguments: Arguments) throws(UsageError) -> [PinSetDefinition] {
        let files = arguments.all("--pins")
        guard !files.isEmpty else { throw UsageError("--pins FILE is missing: the pins to judge by") }
        let client = try PinInput.client(arguments)
        var context = ImportContext()
        context.client = client
        context.host = arguments["--host"]
        let (pinSets, remarks) = try PinInput.pinSets(files, context: context)
        for remark in remarks { Terminal.error("check: \(remark)") }
        guard let client else { return pinSets }
        for pinSet in pinSets where !pinSet.layers.contains(where: { $0.client == client }) {
            throw UsageError("\(pinSet.origin) says which client it is for, and that is not \(client.rawValue)")
        }
        return pinSets
    }

    private static func time(_ arguments: Arguments) throws(UsageError) -> Instant {
        guard let text = arguments["--at"] else { return Machine.now() }
        guard let instant = Instant(rfc3339: text) else {
            throw UsageError("--at takes an RFC 3339 time with its zone, such as 2026-11-30T12:00:00Z, not \"\(text)\"")
        }
        return instant
    }

    /// The host whose pins apply, and the name that the certificate must hold: `--host`'s for both where it is given.
    private static func expected(
        of subject: Subject, named name: String?
    ) throws(UsageError) -> (host: String, reference: ReferenceIdentity) {
        if name == nil, let reference = subject.reference { return (subject.host, reference) }
        let host = name ?? subject.host
        let parsed: TargetHost
        do {
            parsed = try HostInput.parse(host, idna: LibIDN2()).host
        } catch {
            throw UsageError("--host \"\(host)\": \(error.description)")
        }
        // Pins are looked up by the text as it stands, so a port or a scheme in it would find none.
        let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard name == nil || bare.lowercased() == parsed.text else {
            throw UsageError("--host takes the bare host that the app asks for, \(parsed.text), not \"\(host)\"")
        }
        switch parsed {
        case .name(let name): return (host, .dns(name))
        case .address(let address): return (host, .ip(address))
        }
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
