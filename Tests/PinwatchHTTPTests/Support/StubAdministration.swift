import PinwatchCore

@testable import PinwatchHTTP

/// A running service that does what a test says.
struct StubAdministration: Administration {
    struct Zones: TimeZones {
        func offset(of zone: String, at instant: Instant) -> Int64? { zone == "Europe/Berlin" ? 3_600 : nil }
    }

    var configuration: Configuration
    var faults: ReloadFaults?
    /// What a scan sees; `nil` for one that does not end in time.
    var observations: [Observation]? = []
    var attempt = Attempt(at: now, status: 204, error: nil, milliseconds: 12)
    var outlooks: [String: ChannelOutlook] = [:]
    /// The answer to every pin file.
    var understanding: Result<PinSetDefinition, TextFaults>
    let texts = Lines()
    var timeZones: any TimeZones { Zones() }

    func settings() async -> SettingsRecord {
        SettingsRecord(
            configuration: configuration, file: "/etc/pinwatch/pinwatch.yaml", loadedAt: now, restartNeeded: [])
    }

    func reload(_ change: Change) async throws -> ReloadReport {
        if let faults { throw faults }
        return ReloadReport(
            changes: [.init(section: "scan", name: "period", what: .changed, detail: "5m → 1m")],
            restartNeeded: ["listen"], loadedAt: now)
    }

    func scan(_ target: Target, wait: Duration) async throws -> [Observation]? { observations }
    func test(channel: String) async throws -> Attempt { attempt }
    func channelOutlooks() async -> [String: ChannelOutlook] { outlooks }

    func pinSet(fromSource text: String) throws(TextFaults) -> PinSetDefinition {
        texts.add(text)
        return try understanding.get()
    }

    func seal(_ draft: ChannelDraft) throws(ChangeRefusal) -> (channel: StoredChannel, urlHash: [UInt8]) {
        guard !configuration.secretKeys.isEmpty else {
            throw .invalid(field: "url", message: "no secret_key is configured; make one with openssl rand -base64 32")
        }
        let kept = draft.current?.sealed?.secrets ?? []
        let secrets = draft.secrets.map { new in
            new.map { Array($0.revealed.utf8.reversed()) } + (draft.keepsPreviousSecret ? kept.prefix(1) : [])
        }
        let url = draft.url.map { Array($0.revealed.utf8.reversed()) } ?? draft.current?.sealed?.url ?? []
        let host = draft.url.flatMap { $0.revealed.split(separator: "/").dropFirst().first }.map(String.init)
        return (
            StoredChannel(
                name: draft.name, kind: draft.kind, urlHost: host ?? draft.current?.urlHost ?? "",
                allowPrivate: draft.allowPrivate, managedBy: .api, secretCount: (secrets ?? kept).count,
                sealed: .init(url: url, secrets: secrets ?? kept)), [2]
        )
    }

    func newWebhookSecret() -> Secret { Secret("whsec_bmV3") }
    func newToken() -> Secret { Secret("pw_new") }
    func newSessionID() -> Secret { Secret("session-1") }
}
