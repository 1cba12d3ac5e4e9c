internal import PinwatchCore

/// `/metrics`: what the store counts, what this room counts, and what the other rooms hand over.
enum Metrics {
    static func route(_ context: ServiceContext, _ meter: RequestMeter) -> Route {
        Route(.get, "/metrics", .readMetrics, produces: nil) { _ in
            let families = try await families(context, meter)
            return Response(
                type: "text/plain; version=0.0.4; charset=utf-8",
                body: Array(families.map(\.exposition).joined().utf8))
        }
    }

    private static func families(_ context: ServiceContext, _ meter: RequestMeter) async throws -> [MetricFamily] {
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
        ] + meter.families + connections(context) + (await context.metrics())
    }

    private static func connections(_ context: ServiceContext) -> [MetricFamily] {
        let stages = context.connections().sorted { $0.key < $1.key }
        let streams = context.hub.counts
        return [
            MetricFamily(
                name: "pinwatch_http_connections", kind: .gauge, help: "Open connections, by what they are at.",
                samples: stages.map { .init(Double($1), labels: [.init("stage", $0)]) }),
            MetricFamily(
                name: "pinwatch_event_streams", kind: .gauge, help: "Readers of the events stream.",
                value: Double(streams.readers)),
            MetricFamily(
                name: "pinwatch_event_streams_ended_total", kind: .counter,
                help: "Readers of the events stream that fell too far behind, or found no place.",
                samples: [
                    .init(Double(streams.dropped), labels: [.init("reason", "behind")]),
                    .init(Double(streams.refused), labels: [.init("reason", "full")]),
                ]),
        ]
    }
}
