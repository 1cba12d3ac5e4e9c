extension SettingsRecord {
    /// The contract's `settings`: the configuration in force, without anything secret.
    ///
    /// - Parameter version: Of the running service.
    package func json(version: String) -> JSON {
        .object([
            ("managed_by", .string(ManagedBy.config.rawValue)), ("config_file", .text(file)),
            ("version", .string(version)), ("listen", .string(configuration.listen.description)),
            ("public_url", .text(configuration.publicURL)), ("database", .string(configuration.database)),
            ("tls", .bool(configuration.tls != nil)),
            ("trusted_proxies", .strings(configuration.trustedProxies.map(\.description))),
            ("secret_key", .bool(!configuration.secretKeys.isEmpty)),
            ("environments", .strings(configuration.environments)), ("scan", configuration.scan.json),
            ("trust_stores", .strings(configuration.trustStores.keys.sorted())),
            ("thresholds", configuration.thresholds.json), ("retention", configuration.retention.json),
            ("loaded_at", .time(loadedAt)), ("restart_needed", .strings(restartNeeded)),
        ])
    }
}

extension Configuration.ScanSettings {
    package var json: JSON {
        .object([
            ("period_s", .integer(periodSeconds)), ("timeout_s", .integer(timeoutSeconds)),
            ("addresses", .string(addresses.rawValue)), ("max_addresses", .integer(Int64(maxAddresses))),
            ("in_flight", .integer(Int64(inFlight))), ("proxy", proxy?.json ?? .null),
            ("allow_ports", .array(allowPorts.map { .integer(Int64($0)) })),
            ("deny_addresses", .strings(denyAddresses.map(\.description))),
        ])
    }
}

extension EgressProxy {
    /// Without user and password, of which only is told whether there are any.
    fileprivate var json: JSON {
        .object([
            ("url", .string("http://\(place)")), ("authenticated", .bool(credentials != nil)),
            ("no_proxy", .strings(exceptions.map(\.description))),
        ])
    }
}

extension Configuration.Thresholds {
    package var json: JSON {
        .object([
            ("near_s", .integer(nearSeconds)), ("soon_s", .integer(soonSeconds)),
            ("imminent_s", .integer(imminentSeconds)), ("lead_time_s", .integer(leadTimeSeconds)),
            ("failing_after", .integer(Int64(failingAfter))),
            ("flap_window_s", .integer(flapWindowSeconds)),
        ])
    }
}

extension Configuration.Retention {
    package var json: JSON {
        .object([
            ("spans_s", .integer(spansSeconds)), ("events_s", .integer(eventsSeconds)),
            ("deliveries_s", .integer(deliveriesSeconds)),
        ])
    }
}

extension ReloadReport {
    /// `{changed, changes, restart_needed, loaded_at}`.
    package var json: JSON {
        .object([
            ("changed", .bool(!changes.isEmpty)), ("changes", .array(changes.map(\.json))),
            ("restart_needed", .strings(restartNeeded)), ("loaded_at", .time(loadedAt)),
        ])
    }
}

extension ReloadReport.Item {
    /// `{section, name, what, detail}`.
    package var json: JSON {
        .object([
            ("section", .string(section)), ("name", .string(name)), ("what", .string(what.rawValue)),
            ("detail", .string(detail)),
        ])
    }
}
