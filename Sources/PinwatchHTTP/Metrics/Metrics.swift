internal import PinwatchCore

/// `/metrics`: what the store counts, what this room counts, and what the other rooms hand over.
enum Metrics {
    static func route(_ context: ServiceContext, _ requests: RequestCounts) -> Route {
        Route(.get, "/metrics", .readMetrics, produces: nil) { _ in
            let families = try await families(context, requests)
            return Response(
                type: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(families.map(\.exposition).joined().utf8))
        }
    }

    private static func families(_ context: ServiceContext, _ requests: RequestCounts) async throws -> [MetricFamily] {
        let summary = try await context.store.summary(now: context.clock())
        let depths = try await context.store.queueDepths()
        let findings = [
            ("critical", summary.findings.critical), ("warning", summary.findings.warning),
            ("info", summary.findings.info),
        ]
        return [
            MetricFamily(
                name: "pinwatch_build_info", kind: .gauge, help: "Always 1; its label names the running version.",
                samples: [.init(1, labels: [.init("version", context.version)])]),
            MetricFamily(
                name: "pinwatch_targets", kind: .gauge, help: "Targets by state.",
                samples: TargetCondition.allCases.map {
                    .init(Double(summary.conditions[$0] ?? 0), labels: [.init("state", $0.rawValue)])
                }),
            MetricFamily(
                name: "pinwatch_findings_open", kind: .gauge, help: "Open findings by severity.",
                samples: findings.map { .init(Double($1), labels: [.init("severity", $0)]) }),
            MetricFamily(
                name: "pinwatch_alerts_open", kind: .gauge, help: "Alerts that are not resolved.",
                value: Double(summary.openAlerts)),
            MetricFamily(
                name: "pinwatch_queue_items", kind: .gauge, help: "Deliveries by state, and outbox items that wait.",
                samples: depths.map { .init(Double($0.count), labels: [.init("queue", $0.name)]) }),
            requests.family,
        ] + (await context.metrics())
    }
}
