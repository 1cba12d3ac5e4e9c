/// What a configuration that is read again does to the one in force.
package struct ConfigurationReload: Sendable {
    /// What holds from now on: the new one, but for keys that are read at a start only, which stay as they were.
    package let inForce: Configuration
    /// What became different, section by section in the file's order. Secrets stand as `<secret>`.
    package let changes: [ReloadReport.Item]
    /// Keys that the file says otherwise than what is in force, and that wait for a start.
    package let restartNeeded: [String]
}

extension Configuration {
    /// Takes another configuration over while the service runs.
    package func reloaded(as new: Configuration) -> ConfigurationReload {
        var inForce = new
        let waiting = StartKey.all.filter { $0.differs(self, new) }
        for key in waiting { key.keep(self, &inForce) }
        return ConfigurationReload(
            inForce: inForce, changes: changes(to: inForce), restartNeeded: waiting.map(\.name))
    }

    private func changes(to new: Configuration) -> [ReloadReport.Item] {
        func things<Thing>(
            _ section: String, _ path: KeyPath<Configuration, [Thing]>, _ name: (Thing) -> String,
            _ fields: (Thing) -> [ConfigurationField]
        ) -> [ReloadReport.Item] {
            Comparison(section).things(
                self[keyPath: path].map { (name($0), fields($0)) }, new[keyPath: path].map { (name($0), fields($0)) })
        }
        return Comparison("secret_key").settings([secretKeyField], [new.secretKeyField])
            + Comparison("heartbeat").settings(heartbeatFields, new.heartbeatFields)
            + Comparison("environments").settings([environmentsField], [new.environmentsField])
            + Comparison("scan").settings(scan.fields, new.scan.fields)
            + Comparison("trust_stores").things(trustStoreFields, new.trustStoreFields)
            + Comparison("thresholds").settings(thresholds.fields, new.thresholds.fields)
            + Comparison("retention").settings(retention.fields, new.retention.fields)
            + Comparison("targets").things(targetFields, new.targetFields)
            + things("pin_sets", \.pinSets, \.identity.label, \.fields)
            + things("channels", \.channels, \.name, \.fields)
            + Comparison("routes").unnamed(routes.map(\.words), new.routes.map(\.words))
            + Comparison("silences").unnamed(silences.map(\.words), new.silences.map(\.words))
    }
}

/// A key that is read at a start only: what hangs on it lives as long as the process.
private struct StartKey: Sendable {
    let name: String
    let differs: @Sendable (Configuration, Configuration) -> Bool
    /// Puts the first one's value into the second.
    let keep: @Sendable (Configuration, inout Configuration) -> Void

    private init<Value: Equatable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable
    ) {
        self.name = name
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        keep = { $1[keyPath: path] = $0[keyPath: path] }
    }

    static let all = [
        StartKey("listen", \.listen), StartKey("tls", \.tls), StartKey("public_url", \.publicURL),
        StartKey("trusted_proxies", \.trustedProxies), StartKey("database", \.database),
        StartKey("scan.in_flight", \.scan.inFlight),
    ]
}

/// Compares two states of one section.
private struct Comparison {
    let section: String

    init(_ section: String) { self.section = section }

    /// Settings that always have some value: an item for each key that has another one.
    func settings(_ old: [ConfigurationField], _ new: [ConfigurationField]) -> [ReloadReport.Item] {
        zip(old, new).filter { $1.differs(from: $0) }.map { old, new in
            item(new.key, .changed, new.difference(from: old))
        }
    }

    /// Things with names: first what came or differs in the new order, then what went.
    func things(
        _ old: [(name: String, fields: [ConfigurationField])], _ new: [(name: String, fields: [ConfigurationField])]
    ) -> [ReloadReport.Item] {
        var gone = Dictionary(old, uniquingKeysWith: { first, _ in first })
        var items: [ReloadReport.Item] = []
        for (name, fields) in new {
            guard let before = gone.removeValue(forKey: name) else {
                items.append(item(name, .added))
                continue
            }
            let differing = zip(before, fields).filter { $1.differs(from: $0) }
            guard !differing.isEmpty else { continue }
            let words = differing.map { old, new in "\(new.key) \(new.difference(from: old))" }
            items.append(item(name, .changed, words.joined(separator: ", ")))
        }
        return items + old.filter { gone[$0.name] != nil }.map { item($0.name, .removed) }
    }

    /// Things known by what they say alone; their order has no meaning.
    func unnamed(_ old: [String], _ new: [String]) -> [ReloadReport.Item] {
        var (came, went) = (new, old)
        for words in old {
            guard let index = came.firstIndex(of: words), let other = went.firstIndex(of: words) else { continue }
            came.remove(at: index)
            went.remove(at: other)
        }
        return came.map { item($0, .added) } + went.map { item($0, .removed) }
    }

    private func item(_ name: String, _ what: ReloadReport.What, _ detail: String = "") -> ReloadReport.Item {
        ReloadReport.Item(section: section, name: name, what: what, detail: detail)
    }
}
