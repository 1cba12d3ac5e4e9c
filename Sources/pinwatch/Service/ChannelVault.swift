internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS
internal import Synchronization

/// What is secret of channels that came by the API: sealed on the way in, opened for the courier alone.
final class ChannelVault: Sendable {
    private let seal: Mutex<Seal?>
    private let mark: URLMark

    /// - Throws: ``SealError`` for a key that is none.
    init(keys: [Secret], mark: URLMark) throws {
        seal = Mutex(try Self.seal(keys: keys))
        self.mark = mark
    }

    /// What seals under these keys; `nil` where there are none.
    static func seal(keys: [Secret]) throws -> Seal? { keys.isEmpty ? nil : try Seal(keys: keys) }

    /// From now on seals under other keys, as after a reload.
    func use(_ new: Seal?) { seal.withLock { $0 = new } }

    private var current: Seal? { seal.withLock { $0 } }

    /// A channel as it is stored, and its URL's mark.
    func sealed(_ draft: ChannelDraft) throws(ChangeRefusal) -> (channel: StoredChannel, urlHash: [UInt8]) {
        guard let seal = current else {
            throw .invalid(
                field: "url",
                message: "secrets that come by the API are sealed, and no secret_key is configured: make one with "
                    + "`openssl rand -base64 32 > secret.key`, name it as `secret_key: {file: secret.key}`, and restart "
                    + "or reload")
        }
        do {
            return try sealed(draft, seal)
        } catch let refusal as ChangeRefusal {
            throw refusal
        } catch {
            throw .conflict("The channel's secrets could not be sealed: \(error).")
        }
    }

    private func sealed(_ draft: ChannelDraft, _ seal: Seal) throws -> (StoredChannel, [UInt8]) {
        var channel =
            draft.current
            ?? StoredChannel(
                name: draft.name, kind: draft.kind, urlHost: "", allowPrivate: draft.allowPrivate, managedBy: .api,
                secretCount: 0, sealed: StoredChannel.Sealed(url: [], secrets: []))
        channel.allowPrivate = draft.allowPrivate
        var sealed = channel.sealed ?? StoredChannel.Sealed(url: [], secrets: [])
        let url: Secret
        if let new = draft.url {
            channel.urlHost = try Self.holding("url") { () throws(HostProblem) in try ChannelRules.host(of: new) }
            sealed.url = try seal.seal(new, for: .channelURL, of: draft.name)
            url = new
        } else if draft.current != nil {
            url = try seal.open(sealed.url, for: .channelURL, of: draft.name)
        } else {
            throw ChangeRefusal.invalid(field: "url", message: "is needed: where the messages go")
        }
        if let secrets = draft.secrets {
            for secret in secrets {
                try Self.holding("secret") { () throws(HostProblem) in try ChannelRules.check(signingKey: secret) }
            }
            let previous = draft.keepsPreviousSecret ? sealed.secrets.prefix(1) : []
            sealed.secrets =
                try secrets.map { try seal.seal($0, for: .channelSecret, of: draft.name) } + Array(previous)
        }
        channel.secretCount = sealed.secrets.count
        channel.sealed = sealed
        return (channel, urlHash(url))
    }

    /// Gives a rule's fault the name of the field that it is about.
    private static func holding<Value>(
        _ field: String, _ rule: () throws(HostProblem) -> Value
    ) throws(ChangeRefusal) -> Value {
        do {
            return try rule()
        } catch {
            throw .invalid(field: field, message: error.description)
        }
    }

    /// Tells URLs apart without keeping them.
    func urlHash(_ url: Secret) -> [UInt8] { mark.of(url) }

    /// A stored channel in clear.
    ///
    /// - Throws: ``SealError``, also where no key is configured.
    func opened(_ channel: StoredChannel) throws -> Channel {
        guard let seal = current, let sealed = channel.sealed else { throw SealError.noKey }
        return Channel(
            name: channel.name, kind: channel.kind,
            url: try seal.open(sealed.url, for: .channelURL, of: channel.name),
            secrets: try sealed.secrets.map { try seal.open($0, for: .channelSecret, of: channel.name) },
            allowPrivate: channel.allowPrivate)
    }

    /// The same secrets under the newest key; `nil` if they are already, or if no key opens them.
    ///
    /// - Throws: ``SealError`` where they cannot be sealed.
    func resealed(_ channel: StoredChannel) throws -> StoredChannel.Sealed? {
        guard let seal = current, let sealed = channel.sealed,
            !([sealed.url] + sealed.secrets).allSatisfy({ seal.isCurrent($0) })
        else { return nil }
        let clear: Channel
        do { clear = try opened(channel) } catch is SealError { return nil }
        return StoredChannel.Sealed(
            url: try seal.seal(clear.url, for: .channelURL, of: channel.name),
            secrets: try clear.secrets.map { try seal.seal($0, for: .channelSecret, of: channel.name) })
    }
}
