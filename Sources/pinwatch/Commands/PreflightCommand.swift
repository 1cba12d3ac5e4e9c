internal import PinwatchCore
internal import PinwatchTLS

/// `pinwatch preflight`
enum PreflightCommand: Command {
    static let name = "preflight"
    static let summary = "say before a rotation whom a new certificate or key would cut off"
    static let help = """
        usage: pinwatch preflight --host NAME (--certificate F | --chain F | --csr F | --public-key F)
                                  (--pins FILE… | --server URL) [options]

        Says what releases would make of a certificate, key or request before it is put in place, and for how many users.
        Of a key alone the answer holds for every certificate that may be issued for it, or says what it depends on.

          --host NAME          the host as the app spells it
          --certificate F      the new certificate; its issuers' are found in the trust store and by --issuer
          --chain F            the certificates exactly as they would be sent, leaf first
          --csr F, --public-key F    the key of a certificate that is still to be issued
          --pins FILE…         native pin files, or any format that `pinwatch import` reads
          --client C           the client that the files are for, where their content does not say
          --issuer F           the issuer's certificate of today, and those above it
          --ca-file PEM        the device's system anchors
          --at TIME            judge as at this time, RFC 3339 with zone
        \(ServerClient.help)
          --app NAME           with --server: the releases of this app alone
          --json               print one JSON object

        exit status: 0 go · 1 stop: a release build rejects it · 2 bad arguments or files · 3 could not tell,
        or with --server a third party's host, whose keys are rotated without asking
        """
    private static let local: Set<String> = ["--pins", "--client", "--issuer", "--ca-file", "--at"]
    static let syntax = ArgumentSyntax(
        options: CandidateInput.options.union(ServerClient.options).union(local).union(["--host", "--app"]),
        flags: ["--json"], repeatable: ["--pins"], more: PinInput.more)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        guard let host = arguments["--host"] else { throw UsageError("--host NAME is missing: the host to rotate") }
        let reference = try HostOption.reference(host)
        let input = try CandidateInput(arguments)
        let answer: JSON
        if let server = try ServerClient(arguments) {
            if let option = local.sorted().first(where: { arguments[$0] != nil }) {
                throw UsageError("\(option) goes with --pins; with --server the service knows")
            }
            do throws(ServerClient.Failure) {
                answer = try await ask(server, host: host, input, app: arguments["--app"])
            } catch {
                return try error.told(by: name)
            }
        } else {
            guard arguments["--app"] == nil else { throw UsageError("--app goes with --server") }
            answer = try judge(arguments, host: host, reference, input)
        }
        guard let text = PreflightReport.text(of: answer) else {
            Terminal.error("\(name): the server answers, but not as a Pinwatch of this version does")
            return .couldNotTell
        }
        if arguments.has("--json") { Terminal.out(answer) } else { Terminal.out(text) }
        return PreflightReport.status(of: answer)
    }

    private static func ask(
        _ server: ServerClient, host: String, _ input: CandidateInput, app: String?
    ) async throws(ServerClient.Failure) -> JSON {
        let text = String(validating: input.bytes, as: UTF8.self).flatMap { $0.contains("-----BEGIN") ? $0 : nil }
        var members: [(String, JSON)] = [
            ("host", .string(host)), (input.member, .string(text ?? PinText.canonical(input.bytes))),
        ]
        if let app { members.append(("app", .string(app))) }
        return try await server.json("/preflight", posting: .object(members))
    }

    private static func judge(
        _ arguments: Arguments, host: String, _ reference: ReferenceIdentity, _ input: CandidateInput
    ) throws(UsageError) -> JSON {
        let releases = try PinInput.judged(arguments, by: name).map { PreflightRelease(definition: $0) }
        let now = try arguments.time("--at")
        let trustStore = try Probe.trustStore(file: arguments["--ca-file"], and: nil)
        let issuers = try issuers(arguments)
        func assess(_ certificates: [Certificate], for purpose: PathPurpose = .server) -> ChainAssessment {
            PathBuilder.assess(
                chain: Chain(id: Digests.chainID(certificates), certificates: certificates), trustStore: trustStore,
                at: now, for: purpose)
        }
        let today = issuers.isEmpty ? [] : [assess(issuers, for: .authority)]
        if let unfit = today.first(where: \.paths.isEmpty), case .key = input.candidate {
            throw UsageError("--issuer: its certificates lead to no anchor: \(unfit.reason)")
        }
        // Every release is judged by the anchors that the line names.
        let question = PreflightQuestion(
            host: host, reference: reference, candidate: input.candidate, isWhole: input.isWhole, now: now,
            trustStore: trustStore.name)
        let knowledge = PreflightKnowledge(
            today: { _ in .issuers(today) }, issuers: issuers, assess: { certificates, _ in assess(certificates) })
        do {
            return try Preflight.run(question, of: releases, knowing: knowledge, showsAll: true)
                .json(of: input.candidate, leaf: input.leaf)
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func issuers(_ arguments: Arguments) throws(UsageError) -> [Certificate] {
        guard let path = arguments["--issuer"] else { return [] }
        let certificates: [Certificate]
        do { certificates = try CertificateFile.read(try InputFile.bytes(path, limit: 8 << 20), origin: path) } catch {
            throw UsageError("\(error)")
        }
        // What a server sends begins with its own certificate, which issues nothing.
        let issuers = certificates.filter { CertificateReader.read($0).isCA == true }
        guard !issuers.isEmpty else { throw UsageError("--issuer: \(path) holds no authority's certificate") }
        return issuers
    }
}

extension ServerClient.Failure {
    /// Tells of it: by a fault of the line, or by the status of what could not be told.
    func told(by command: String) throws(UsageError) -> CheckExit {
        switch self {
        case .input(let error): throw error
        case .unreachable(let words):
            Terminal.error("\(command): \(words)")
            return .couldNotTell
        }
    }
}
