internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// The demonstration's course: each step changes what a host serves, then waits for what Pinwatch makes of it.
struct DemoStory: Sendable {
    let stage: DemoStage
    private let start = ContinuousClock.now
    /// What a step may take: some periods, and the time of a delivery.
    private static let patience = Duration.seconds(20)

    init(_ stage: DemoStage) {
        self.stage = stage
    }

    /// - Throws: ``DemonstrationError`` with what did not come; `CancellationError` where the story was cut short.
    func tell() async throws {
        let (renewed, moved, broken) = (stage.hosts[0], stage.hosts[1], stage.hosts[2])
        say("three hosts, each with a key that the app pins")
        try await step {
            let targets = try await stage.service.store.targets(PageRequest(filters: ["state": ["ok"]]))
            return targets.items.count == stage.hosts.count ? "scanned, and nothing to tell" : nil
        }
        try change(renewed, to: renewed.key, "\(renewed.name) renews its certificate and keeps its key")
        try await step {
            try await event(of: renewed).flatMap { $0.quiet ? "nobody is told; recorded: \($0.summary)" : nil }
        }
        try change(moved, to: moved.backup, "\(moved.name) moves to its backup pin")
        try await step { try toldAsEvent(moved).map { "no alert; \($0)" } }
        try change(broken, to: try DemonstrationKey(), "\(broken.name) moves to a key that nobody pinned")
        try await step { try await told(.opened, broken) }
        say("the dashboard shows it now; \(broken.name) moves back in 8 seconds")
        try await Task.sleep(for: .seconds(8))
        say("\(broken.name) moves back")
        broken.server.serve(broken.first)
        try await step { try await told(.resolved, broken) }
        guard stage.inbox.refused == 0 else {
            throw DemonstrationError("\(stage.inbox.refused) messages came whose signature did not hold")
        }
        say("that is the whole story; the service runs on")
    }

    /// The newest change of the host's key.
    private func event(of host: DemoHost) async throws -> Event? {
        let events = try await stage.service.store.events(
            PageRequest(limit: 200, filters: ["kind": [EventKind.keyChanged.rawValue]]))
        return events.items.map(\.event).last { $0.subject.hasPrefix(host.name) }
    }

    private func toldAsEvent(_ host: DemoHost) throws(DemonstrationError) -> String? {
        let messages = stage.inbox.messages(about: host.name)
        if let alert = messages.first(where: { $0.type.hasPrefix("alert.") }) {
            throw DemonstrationError("a move to a pinned key was told as \(alert.type)")
        }
        return messages.first { $0.data.event?.class == KeyChangeClass.toPinOfAll.rawValue }.flatMap { message in
            message.data.event.map { "webhook \(message.type), signature verified: \($0.summary)" }
        }
    }

    /// The alert's message in words, once it has come and the store knows that it was delivered.
    private func told(_ change: AlertChangeKind, _ host: DemoHost) async throws -> String? {
        let kind = FindingKind.pinRejected.rawValue
        let message = stage.inbox.messages(about: host.name).first {
            $0.type == change.rawValue && $0.data.finding?.kind == kind
        }
        guard let message, let finding = message.data.finding else { return nil }
        let deliveries = try await stage.service.store.deliveries(PageRequest(limit: 200))
        guard deliveries.items.contains(where: { $0.messageID == message.id && $0.state == .delivered }) else {
            return nil
        }
        let words =
            change == .resolved ? "\(finding.kind) is over" : "\(finding.severity) \(finding.kind): \(finding.summary)"
        return "webhook \(message.type), signature verified: \(words)"
    }

    private func change(_ host: DemoHost, to key: DemonstrationKey, _ words: String) throws {
        say(words)
        host.server.serve(try stage.authority.issue(host: host.name, key: key, now: Machine.now()))
    }

    /// Waits until `look` has words for what came, and says them.
    private func step(_ look: () async throws -> String?) async throws {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let words = try await look() { return say("  " + words) }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw DemonstrationError("nothing came of this within \(Self.patience.components.seconds) s")
    }

    private func say(_ words: String) {
        let seconds = start.duration(to: .now).components.seconds
        Terminal.out("\(seconds < 10 ? " " : "")\(seconds) s  \(words)")
    }
}
