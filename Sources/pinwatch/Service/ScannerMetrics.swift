internal import PinwatchCore
internal import PinwatchHTTP

/// What the scanner has to do, for `/metrics`.
enum ScannerMetrics {
    static func families(of load: ScannerLoad) -> [MetricFamily] {
        let states = [("waiting", load.waiting), ("open", load.open), ("unrecorded", load.unreleased)]
        return [
            MetricFamily(
                name: "pinwatch_scan_queue", kind: .gauge,
                help: "Scans that are due and wait, are under way, or have ended and are not recorded yet.",
                samples: states.map { state, count in
                    MetricFamily.Sample(Double(count), labels: [.init("state", state)])
                }),
            MetricFamily(
                name: "pinwatch_scan_addresses_in_flight", kind: .gauge, help: "Addresses that are being visited.",
                value: Double(load.inFlight)),
            MetricFamily(
                name: "pinwatch_scan_oldest_wait_seconds", kind: .gauge,
                help: "How long the first scan that waits has been due: above 0 for long, in_flight is too low.",
                value: Double(load.oldestWaitSeconds)),
        ]
    }
}
