internal import PinwatchAlert
internal import PinwatchHTTP

/// How channels fare, for `/metrics`.
enum ChannelMetrics {
    static func families(of health: [String: ChannelHealth]) -> [MetricFamily] {
        let channels = health.sorted { $0.key < $1.key }
        func family(_ name: String, _ help: String, _ value: (ChannelHealth) -> Double) -> MetricFamily {
            MetricFamily(
                name: name, kind: .gauge, help: help,
                samples: channels.map { .init(value($1), labels: [.init("channel", $0)]) })
        }
        return [
            family("pinwatch_channel_failures", "Failed tries since the channel's last success.") {
                Double($0.failures)
            },
            family("pinwatch_channel_paused", "1 while the receiver is left alone after failures.") {
                $0.pausedUntil == nil ? 0 : 1
            },
            family("pinwatch_channel_gone", "1 after the receiver said that it is gone for good (HTTP 410).") {
                $0.gone ? 1 : 0
            },
        ]
    }
}
