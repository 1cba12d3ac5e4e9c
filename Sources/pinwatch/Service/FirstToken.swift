internal import FoundationEssentials
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// The first token of an installation that nobody has a shell on: an admin's, whose text is in the file that
/// `PINWATCH_TOKEN_FILE` names.
enum FirstToken {
    static let variable = "PINWATCH_TOKEN_FILE"
    private static let length = 20...512

    /// Takes the file's token over while there is no other; once one was made the file counts no longer.
    ///
    /// - Throws: ``UsageError`` if the file cannot be read, or holds what is no token.
    static func adopt(in store: Store, path: String?, now: Instant) async throws {
        guard let path, !path.isEmpty, try await !store.hasTokens() else { return }
        let digest = Digests.sha256(Array(try read(path).utf8))
        let token = try await store.addToken(
            name: "first token", role: .admin, sha256: digest, expiresAt: nil, Change(by: .config, at: now))
        Log.info(.service, "token \(token.id), admin, was taken from \(path)")
    }

    private static func read(_ path: String) throws(UsageError) -> String {
        let bytes: [UInt8]
        do {
            bytes = try InputSources.fileSystem(environment: { _ in nil }).readFile(path, 4_096)
        } catch {
            throw UsageError("\(variable): \(error.description)")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        guard length.contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError(
                "\(variable): \(path) must hold one token of \(length.lowerBound) to \(length.upperBound) visible ASCII "
                    + "characters, such as `openssl rand -base64 32` makes")
        }
        return text
    }
}

/// Texts that open doors, from the operating system's generator.
enum FreshSecret {
    /// `pw_` and 256 bits in base64url.
    static func token() -> Secret { Secret("pw_" + base64URL(Machine.random(32))) }
    /// 256 bits in base64url.
    static func sessionID() -> Secret { Secret(base64URL(Machine.random(32))) }
    /// The signing key of a webhook: `whsec_` and base64 of 256 bits (Standard Webhooks).
    static func webhookKey() -> Secret { Secret("whsec_" + Data(Machine.random(32)).base64EncodedString()) }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
