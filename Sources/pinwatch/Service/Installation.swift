internal import PinwatchAlert
internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchHTTP
internal import PinwatchStore
internal import PinwatchTLS

/// The running service as the API and signals see it: its configuration, and what can be done beside the store.
///
/// Reloads happen one after another.
actor Installation: Administration {
    private let file: ConfigurationFile
    private let parts: ServiceParts
    private var settings: SettingsRecord
    private var reloading: Task<ReloadReport, any Error>?
    nonisolated let timeZones: any TimeZones

    init(_ parts: ServiceParts, file: ConfigurationFile, configuration: Configuration, timeZones: any TimeZones) {
        self.file = file
        self.parts = parts
        self.timeZones = timeZones
        settings = SettingsRecord(
            configuration: configuration, file: file.path, loadedAt: Machine.now(), restartNeeded: [])
    }

    func settings() async -> SettingsRecord { settings }

    func reload(_ change: Change) async throws -> ReloadReport {
        let before = reloading
        let next = Task {
            _ = await before?.result
            return try await self.readAgain(change)
        }
        reloading = next
        return try await next.value
    }

    private func readAgain(_ change: Change) async throws -> ReloadReport {
        let wanted: Configuration
        do {
            wanted = try file.load()
        } catch {
            throw ReloadFaults(error.list)
        }
        let difference = ConfigurationDifference(from: settings.configuration, to: wanted)
        try await parts.use(difference.inForce, at: change.at)
        settings.configuration = difference.inForce
        settings.loadedAt = change.at
        settings.restartNeeded = difference.restartNeeded
        let report = ReloadReport(
            changes: difference.items, restartNeeded: difference.restartNeeded, loadedAt: change.at)
        try await parts.store.note(
            AuditRecord(
                change, .settingsReload, AuditObject(type: "settings", id: "settings", name: file.path),
                changes: report.audited))
        return report
    }

    nonisolated func scan(_ target: Target, wait: Duration) async throws -> [Observation]? {
        try await parts.monitor.scan(target, within: wait)
    }
}
