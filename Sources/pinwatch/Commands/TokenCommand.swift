internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// `pinwatch token`
enum TokenCommand: Command {
    static let name = "token"
    static let summary = "make, list and revoke API tokens"
    static let help = """
        usage: pinwatch token create --name N --role viewer|editor|admin [--expires D] [--config FILE]
               pinwatch token list [--json] [--config FILE]
               pinwatch token revoke ID [--config FILE]

        A token is printed once, when it is made; only its hash is kept. --expires takes a duration such as 90d.
        The service may run meanwhile.

        exit status: 0 done · 1 no such token · 2 bad arguments, configuration or database
        """
    static let syntax = ArgumentSyntax(
        options: ["--name", "--role", "--expires", "--config"], flags: ["--json"], words: 1...2)

    static func run(_ arguments: Arguments) async throws(UsageError) -> CheckExit {
        let configuration = try ConfigurationFile.read(arguments["--config"])
        let now = Machine.now()
        do {
            let store = try await Store.open(path: configuration.database, now: now)
            let status = try await act(arguments, store, now)
            try await store.close()
            return status
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func act(_ arguments: Arguments, _ store: Store, _ now: Instant) async throws -> CheckExit {
        switch arguments.words {
        case ["create"]: return try await create(arguments, store, now)
        case ["list"]:
            let tokens = try await store.listTokens()
            if arguments.has("--json") {
                Terminal.out(JSON.array(tokens.map(json)))
            } else {
                for token in tokens { Terminal.out(line(token, now)) }
            }
            return .fine
        case let words where words.first == "revoke" && words.count == 2:
            guard let id = Int64(words[1]) else { throw UsageError("revoke takes a token's id, see token list") }
            do {
                try await store.revokeToken(id, Change(by: .command, at: now))
            } catch is ChangeRefusal {
                Terminal.error("token: no token \(id) that is not revoked already")
                return .bad
            }
            Terminal.out("token \(id) is revoked")
            return .fine
        default: throw UsageError("write token create, token list, or token revoke ID")
        }
    }

    private static func create(_ arguments: Arguments, _ store: Store, _ now: Instant) async throws -> CheckExit {
        guard let name = arguments["--name"], !name.isEmpty, name.count <= 100 else {
            throw UsageError("--name is missing: who or what the token is for, at most 100 characters")
        }
        guard let role = arguments["--role"].flatMap(Role.init(rawValue:)) else {
            throw UsageError("--role takes viewer, editor or admin")
        }
        let text = FreshSecret.token().revealed
        let token = try await store.addToken(
            name: name, role: role, sha256: Digests.sha256(Array(text.utf8)),
            expiresAt: try expiry(arguments["--expires"], now), Change(by: .command, at: now))
        Terminal.error("token \(token.id) for \(name), \(role.rawValue); it is shown this once:")
        Terminal.out(text)
        return .fine
    }

    private static func expiry(_ text: String?, _ now: Instant) throws(UsageError) -> Instant? {
        guard let text else { return nil }
        var reader = NodeReader(file: "--expires", resources: .none("no pins here"))
        let node = Node(value: .scalar(text, plain: true), mark: Mark(line: 1, column: 1))
        guard let seconds = reader.duration(node, "--expires", in: 60...3_650 * 86_400) else {
            throw UsageError(reader.problems.first?.message ?? "--expires takes a duration such as 90d")
        }
        return now + seconds
    }

    private static func state(_ token: TokenRecord, _ now: Instant) -> String {
        token.revokedAt != nil ? "revoked" : token.isValid(at: now) ? "valid" : "expired"
    }

    private static func line(_ token: TokenRecord, _ now: Instant) -> String {
        let until = token.expiresAt?.rfc3339.map { ", until \($0)" } ?? ""
        return "\(token.id)  \(token.role.rawValue)  \(state(token, now))\(until)  \(token.name)"
    }

    private static func json(_ token: TokenRecord) -> JSON {
        .object([
            ("id", .string(String(token.id))), ("name", .string(token.name)), ("role", .string(token.role.rawValue)),
            ("created_at", .time(token.createdAt)), ("expires_at", .time(token.expiresAt)),
            ("revoked_at", .time(token.revokedAt)),
        ])
    }
}
