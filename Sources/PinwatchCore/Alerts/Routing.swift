/// Which channels hear of what, by the configured routes.
package struct Routing {
    private let routes: [Route]
    /// In the order configured.
    private let channels: [String]

    init(_ policy: EvaluationPolicy) {
        self.init(routes: policy.routes, channels: policy.channels)
    }

    /// Without any route, every channel hears of what is critical or a warning.
    package init(routes: [Route], channels: [String]) {
        self.channels = channels
        self.routes = routes.isEmpty ? [Route(severities: [.critical, .warning], channels: channels)] : routes
    }

    /// The channels that would hear of some target's finding of a kind and severity, labels apart.
    package func channels(for kind: FindingKind, at severity: Severity) -> [String] {
        let wanted = Set(
            routes.filter { route in
                route.admits(kind: kind, labels: route.labels)
                    && (route.severities.isEmpty || route.severities.contains(severity))
            }.flatMap(\.channels))
        return channels.filter(wanted.contains)
    }

    /// The channels whose routes want a finding at one of some severities.
    func channels(for finding: Finding, at severities: Set<Severity>, labels: [String: String]) -> [String] {
        let wanted = routes.filter { route in
            route.admits(kind: finding.kind, labels: labels)
                && (route.severities.isEmpty || !route.severities.isDisjoint(with: severities))
        }
        return known(Set(wanted.flatMap(\.channels)), for: finding)
    }

    /// Those of some channels that are configured. A channel that fails is not told so itself.
    func known(_ names: Set<String>, for finding: Finding) -> [String] {
        channels.filter { names.contains($0) && !(finding.kind == .channelFailing && finding.subject == $0) }
    }

    func channels(for kind: EventKind, labels: [String: String]) -> [String] {
        let wanted = Set(
            routes.filter { $0.events.contains(kind) && $0.isCarried(by: labels) }.flatMap(\.channels))
        return channels.filter(wanted.contains)
    }

    /// Whether a finding is to have an alert: all but `info` ones, of which only those that a route asks for.
    func wants(_ finding: Finding, labels: [String: String]) -> Bool {
        guard finding.severity == .info else { return true }
        return routes.contains { route in
            route.admits(kind: finding.kind, labels: labels)
                && (route.severities.contains(.info) || (route.severities.isEmpty && !route.kinds.isEmpty))
        }
    }
}

extension Route {
    fileprivate func isCarried(by labels: [String: String]) -> Bool {
        self.labels.allSatisfy { labels[$0.key] == $0.value }
    }

    /// Whether the route is about alerts of such a kind and target, severity apart.
    fileprivate func admits(kind: FindingKind, labels: [String: String]) -> Bool {
        let isOfEventsOnly = severities.isEmpty && kinds.isEmpty && !events.isEmpty
        return !isOfEventsOnly && (kinds.isEmpty || kinds.contains(kind)) && isCarried(by: labels)
    }
}
