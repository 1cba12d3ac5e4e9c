/// What the API needs of the running service beside its store: parts that hold processes, files, keys and sockets.
package protocol Administration: Sendable {
    /// The configuration in force.
    func settings() async -> SettingsRecord
    /// Reads the configuration file and all that it names again, and takes it over if it has no fault.
    ///
    /// - Throws: ``ReloadFaults``, after which the configuration that was in force still is.
    func reload(_ change: Change) async throws -> ReloadReport
    /// Scans a target now, whatever its schedule, and waits for at most `wait` until the scan is recorded.
    ///
    /// - Returns: The observations in the order made; `nil` if the scan is not recorded yet.
    /// - Throws: ``ChangeRefusal/conflict(_:)`` where the scanner takes no more.
    func scan(_ target: Target, wait: Duration) async throws -> [Observation]?
    /// Sends one `channel.test` to a channel and tells what came of it, within an attempt's ten seconds.
    ///
    /// - Throws: ``ChangeRefusal/unknown`` for a channel that is not there; ``ChangeRefusal/conflict(_:)`` for one whose
    ///   seal cannot be opened.
    func test(channel: String) async throws -> Attempt
    /// How channels fare that the store cannot know, by name; a channel that is missing has nothing to tell.
    func channelOutlooks() async -> [String: ChannelOutlook]
    /// Reads a native pin file's text as the API takes it: without `file:` pins.
    ///
    /// - Throws: ``TextFaults``.
    func pinSet(fromSource text: String) throws(TextFaults) -> PinSetDefinition
    /// Seals what is secret of a channel under the first of the configured keys, bound to the channel's name.
    ///
    /// - Throws: ``ChangeRefusal/invalid(field:message:)`` where no `secret_key` is configured, or the URL or a secret is
    ///   none.
    func seal(_ draft: ChannelDraft) throws(ChangeRefusal) -> (channel: StoredChannel, urlHash: [UInt8])
    /// A fresh `whsec_…` secret.
    func newWebhookSecret() -> Secret
    /// A fresh token or session id, `pw_…` for tokens.
    func newToken() -> Secret
    func newSessionID() -> Secret
    var timeZones: any TimeZones { get }
}

/// A channel as somebody asks for it, secrets in clear.
package struct ChannelDraft: Sendable {
    package var name: String
    package var kind: Channel.Kind
    /// `nil` keeps the sealed one of `current`.
    package var url: Secret?
    /// Newest first. `nil` keeps the sealed ones.
    package var secrets: [Secret]?
    /// Whether the first sealed secret stays valid behind the new one, while a secret is rotated.
    package var keepsPreviousSecret: Bool
    package var allowPrivate: Bool
    /// What is changed; `nil` for a new channel.
    package var current: StoredChannel?

    package init(
        name: String, kind: Channel.Kind, url: Secret?, secrets: [Secret]?, keepsPreviousSecret: Bool = false,
        allowPrivate: Bool, current: StoredChannel? = nil
    ) {
        self.name = name
        self.kind = kind
        self.url = url
        self.secrets = secrets
        self.keepsPreviousSecret = keepsPreviousSecret
        self.allowPrivate = allowPrivate
        self.current = current
    }
}

/// How a channel fares in the running service.
package struct ChannelOutlook: Sendable, Hashable {
    /// None of the configured keys opens its seal, so nothing can be sent until it is given a URL and secret anew.
    package var isSealed: Bool
    /// Nothing is tried before, after too many failures; `nil` while it is tried.
    package var pausedUntil: Instant?

    package init(isSealed: Bool = false, pausedUntil: Instant? = nil) {
        self.isSealed = isSealed
        self.pausedUntil = pausedUntil
    }
}

/// The configuration in force, with where it came from.
package struct SettingsRecord: Sendable {
    package var configuration: Configuration
    /// The configuration file's path; `nil` where the service runs without one.
    package var file: String?
    package var loadedAt: Instant
    /// Keys that the file says otherwise than what is in force, because they are read at a start only.
    package var restartNeeded: [String]

    package init(configuration: Configuration, file: String?, loadedAt: Instant, restartNeeded: [String]) {
        self.configuration = configuration
        self.file = file
        self.loadedAt = loadedAt
        self.restartNeeded = restartNeeded
    }
}

/// What a reload changed.
package struct ReloadReport: Sendable, Hashable {
    package enum What: String, Sendable, CaseIterable {
        case added, removed, changed
    }

    /// One thing that came, went or differs.
    package struct Item: Sendable, Hashable {
        /// A key of the configuration's first level: `targets`, `scan`.
        package let section: String
        /// Which of the section: a target's label, a release, a channel's name, a key.
        package let name: String
        package let what: What
        /// `5m → 1m`; `<secret>` for what is one; empty where there is no more to say.
        package let detail: String

        package init(section: String, name: String, what: What, detail: String = "") {
            self.section = section
            self.name = name
            self.what = what
            self.detail = detail
        }
    }

    package var changes: [Item]
    package var restartNeeded: [String]
    package var loadedAt: Instant

    package init(changes: [Item], restartNeeded: [String], loadedAt: Instant) {
        self.changes = changes
        self.restartNeeded = restartNeeded
        self.loadedAt = loadedAt
    }
}

/// Every fault of the files that a reload read.
package struct ReloadFaults: Error, Sendable, Hashable {
    package let problems: [Problem]
    package init(_ problems: [Problem]) { self.problems = problems }
}

/// Every fault of a text that came by the API.
package struct TextFaults: Error, Sendable, Hashable {
    package let problems: [Problem]
    package init(_ problems: [Problem]) { self.problems = problems }
}
