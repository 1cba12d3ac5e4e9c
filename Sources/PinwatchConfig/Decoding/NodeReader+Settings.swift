internal import PinwatchCore

private let hour: Int64 = 3_600
private let day: Int64 = 86_400

extension NodeReader {
    mutating func scanSettings(_ node: Node?) -> Configuration.ScanSettings {
        var settings = Configuration.ScanSettings()
        guard let node, let scan = mapping(node, "scan", allowed: ConfigurationKeys.scan) else { return settings }
        set(&settings.periodSeconds, from: scan["period"]) { $0.period($1, "scan.period") }
        set(&settings.timeoutSeconds, from: scan["timeout"]) { $0.duration($1, "scan.timeout", in: 1...300) }
        set(&settings.narrowedEverySeconds, from: scan["narrowed_every"]) { $0.period($1, "scan.narrowed_every") }
        settings.revocation = revocation(scan["revocation"])
        set(&settings.addresses, from: scan["addresses"]) { $0.word($1, "scan.addresses", of: AddressPolicy.self) }
        set(&settings.maxAddresses, from: scan["max_addresses"]) { $0.integer($1, "scan.max_addresses", in: 1...256) }
        set(&settings.inFlight, from: scan["in_flight"]) { $0.integer($1, "scan.in_flight", in: 1...16_384) }
        if let ports = scan["allow_ports"] {
            settings.allowPorts = list(ports, "scan.allow_ports") { reader, port in
                reader.integer(port, "scan.allow_ports", in: 1...65_535).map { UInt16($0) }
            }
        }
        if let denied = scan["deny_addresses"] {
            settings.denyAddresses = list(denied, "scan.deny_addresses") { $0.network($1, "scan.deny_addresses") }
        }
        return settings
    }

    private mutating func revocation(_ node: Node?) -> Configuration.Revocation {
        var revocation = Configuration.Revocation()
        guard let node, let section = mapping(node, "scan.revocation", allowed: ConfigurationKeys.revocation) else {
            return revocation
        }
        set(&revocation.isEnabled, from: section["enabled"]) { $0.flag($1, "scan.revocation.enabled") }
        set(&revocation.everySeconds, from: section["every"]) { $0.period($1, "scan.revocation.every") }
        return revocation
    }

    /// A time between scans: a second at least, thirty days at most.
    mutating func period(_ node: Node, _ what: String) -> Int64? { duration(node, what, in: 1...30 * day) }

    mutating func thresholds(_ node: Node?) -> Configuration.Thresholds {
        var thresholds = Configuration.Thresholds()
        guard let node, let section = mapping(node, "thresholds", allowed: ConfigurationKeys.thresholds) else {
            return thresholds
        }
        let stage = 1...3_653 * day
        set(&thresholds.nearSeconds, from: section["near"]) { $0.duration($1, "thresholds.near", in: stage) }
        set(&thresholds.soonSeconds, from: section["soon"]) { $0.duration($1, "thresholds.soon", in: stage) }
        set(&thresholds.imminentSeconds, from: section["imminent"]) {
            $0.duration($1, "thresholds.imminent", in: stage)
        }
        set(&thresholds.leadTimeSeconds, from: section["lead_time"]) {
            $0.duration($1, "thresholds.lead_time", in: stage)
        }
        set(&thresholds.failingAfter, from: section["failing_after"]) {
            $0.integer($1, "thresholds.failing_after", in: 1...1_000)
        }
        set(&thresholds.flapWindowSeconds, from: section["flap_window"]) {
            $0.duration($1, "thresholds.flap_window", in: 0...30 * day)
        }
        if thresholds.imminentSeconds > thresholds.soonSeconds || thresholds.soonSeconds > thresholds.nearSeconds {
            report(node.mark, "thresholds must come one after the other: imminent at most soon, soon at most near")
        }
        return thresholds
    }

    mutating func retention(_ node: Node?) -> Configuration.Retention {
        var retention = Configuration.Retention()
        guard let node,
            let section = section(
                node, "retention", keys: ConfigurationKeys.retention, later: ConfigurationKeys.Later.retention)
        else { return retention }
        let kept = hour...3_653 * day
        set(&retention.spansSeconds, from: section["spans"]) { $0.duration($1, "retention.spans", in: kept) }
        set(&retention.eventsSeconds, from: section["events"]) { $0.duration($1, "retention.events", in: kept) }
        set(&retention.deliveriesSeconds, from: section["deliveries"]) {
            $0.duration($1, "retention.deliveries", in: kept)
        }
        return retention
    }

    /// An address or a range of addresses.
    mutating func network(_ node: Node, _ what: String) -> IPNetwork? {
        guard let text = string(node, what) else { return nil }
        if let network = IPNetwork(text) { return network }
        report(node.mark, "\(what) takes addresses and ranges such as 10.0.0.0/8 or fe80::/10, not \(node.shown)")
        return nil
    }
}
