/// One value of the configuration, to be compared with another state of it.
struct ConfigurationField {
    private enum Style {
        case plain, list, secret
        /// Too long to be shown.
        case text
    }

    /// Parts of a list that came or went and are named; the rest is counted.
    private static let shownParts = 4

    let key: String
    private let parts: [String]
    private let style: Style

    init(_ key: String, _ value: String) {
        (self.key, parts, style) = (key, [value], .plain)
    }

    init(_ key: String, seconds: Int64?) {
        self.init(key, seconds.map(NodeReader.words) ?? "")
    }

    init(_ key: String, list: [String]) {
        (self.key, parts, style) = (key, list, .list)
    }

    init(_ key: String, secrets: [Secret]) {
        (self.key, parts, style) = (key, secrets.map(\.revealed), .secret)
    }

    init(_ key: String, text: String) {
        (self.key, parts, style) = (key, [text], .text)
    }

    func differs(from old: ConfigurationField) -> Bool { parts != old.parts }

    /// `5m → 1m`; of lists what came and what went; nothing of a secret but that it is another one.
    func difference(from old: ConfigurationField) -> String {
        switch style {
        case .plain: return "\(old.shown) → \(shown)"
        case .text: return "differs"
        case .secret: return "\(old.masked) → \(masked)"
        case .list:
            let changes =
                parts.filter { !old.parts.contains($0) }.map { "+" + $0 }
                + old.parts.filter { !parts.contains($0) }.map { "−" + $0 }
            if changes.isEmpty { return "in another order" }
            let more = changes.count - Self.shownParts
            return changes.prefix(Self.shownParts).joined(separator: " ") + (more > 0 ? " and \(more) more" : "")
        }
    }

    private var shown: String { parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? "none" }
    private var masked: String { parts.isEmpty ? "none" : parts.map { _ in "<secret>" }.joined(separator: " ") }
}

extension Configuration {
    var secretKeyField: ConfigurationField { ConfigurationField("secret_key", secrets: secretKeys) }
    var heartbeatFields: [ConfigurationField] {
        [
            ConfigurationField("url", secrets: heartbeat.map { [$0.url] } ?? []),
            ConfigurationField("every", seconds: heartbeat?.everySeconds),
        ]
    }
    var targetFields: [(name: String, fields: [ConfigurationField])] {
        targets.map { target in
            let shown = clientCertificates[target.identity]?.chain.map(\.fingerprint.hex) ?? []
            return (target.identity.label, target.fields + [ConfigurationField("client_certificate", list: shown)])
        }
    }

    var environmentsField: ConfigurationField { ConfigurationField("environments", list: environments) }

    var trustStoreFields: [(name: String, fields: [ConfigurationField])] {
        trustStores.sorted { $0.key < $1.key }.map { name, source in
            switch source {
            case .system: (name, [ConfigurationField("source", "system")])
            case .file(let path): (name, [ConfigurationField("source", path)])
            }
        }
    }
}

extension Configuration.ScanSettings {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("period", seconds: periodSeconds),
            ConfigurationField("timeout", seconds: timeoutSeconds),
            ConfigurationField("narrowed_every", seconds: narrowedEverySeconds),
            ConfigurationField("revocation", revocation.isEnabled ? "enabled" : "disabled"),
            ConfigurationField("revocation every", seconds: revocation.everySeconds),
            ConfigurationField("addresses", addresses.rawValue),
            ConfigurationField("max_addresses", String(maxAddresses)),
            ConfigurationField("in_flight", String(inFlight)),
            ConfigurationField("proxy", proxy?.place ?? ""),
            ConfigurationField("proxy user", secrets: proxy?.credentials.map { [$0] } ?? []),
            ConfigurationField("no_proxy", list: proxy?.exceptions.map(\.description) ?? []),
            ConfigurationField("allow_ports", list: allowPorts.map { String($0) }),
            ConfigurationField("deny_addresses", list: denyAddresses.map(\.description)),
        ]
    }
}

extension Configuration.Thresholds {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("near", seconds: nearSeconds), ConfigurationField("soon", seconds: soonSeconds),
            ConfigurationField("imminent", seconds: imminentSeconds),
            ConfigurationField("lead_time", seconds: leadTimeSeconds),
            ConfigurationField("failing_after", String(failingAfter)),
            ConfigurationField("flap_window", seconds: flapWindowSeconds),
        ]
    }
}

extension Configuration.Retention {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("spans", seconds: spansSeconds), ConfigurationField("events", seconds: eventsSeconds),
            ConfigurationField("deliveries", seconds: deliveriesSeconds),
        ]
    }
}

extension TargetSettings {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("sni", identity.sni?.ascii ?? ""), ConfigurationField("owner", owner.rawValue),
            ConfigurationField("labels", list: labels.words), ConfigurationField("period", seconds: periodSeconds),
            ConfigurationField("addresses", list: addresses.map(\.description)),
            ConfigurationField("trust_store", trustStore), ConfigurationField("paused", String(paused)),
        ]
    }
}

extension PinSetDefinition {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("share", share.map { String($0) } ?? ""),
            ConfigurationField("trust_store", trustStore ?? ""),
            ConfigurationField("pins", list: layers.flatMap(\.policy.allPins).map(\.fullText)),
            ConfigurationField("file", origin), ConfigurationField("text", text: source),
            ConfigurationField(
                "read_files", text: layers.flatMap(\.policy.readTexts).map { "\($0.path)\n\($0.text)" }.joined()),
        ]
    }
}

extension Pin {
    /// With what a file held, which may change while its path stays.
    fileprivate var fullText: String {
        switch self {
        case .spki, .spkiSHA1, .certificate: text
        case .file(_, .certificate(let summary, _)): text + " (certificate \(summary.fingerprint.hex))"
        case .file(_, .publicKey(let spki)): text + " (\(spki.pin))"
        }
    }
}

extension Channel {
    var fields: [ConfigurationField] {
        [
            ConfigurationField("type", kind.rawValue), ConfigurationField("url", secrets: [url]),
            ConfigurationField("secret", secrets: secrets),
            ConfigurationField("allow_private", String(allowPrivate)),
        ]
    }
}

extension Route {
    /// `severity critical, labels app=shop → ops`.
    var words: String {
        let asked = [
            ("severity", severities.map(\.rawValue).sorted()), ("kind", kinds.map(\.rawValue).sorted()),
            ("labels", labels.words), ("events", events.map(\.rawValue).sorted()),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " "))" }
        return (asked.isEmpty ? "everything" : asked.joined(separator: ", ")) + " → "
            + channels.joined(separator: " ")
    }
}

extension Silence {
    /// `host *.example.com, mon tue 22:00 to 06:00 Europe/Berlin`, with the comment behind it.
    var words: String {
        let asked = [
            ("host", matchers.host.map { [$0] } ?? []), ("labels", matchers.labels.words),
            ("kind", matchers.kinds.map(\.rawValue).sorted()),
            ("severity", matchers.severities.map(\.rawValue).sorted()),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " "))" }
        return (asked + (weekly.map { [$0.words] } ?? []) + (comment.isEmpty ? [] : [comment])).joined(separator: ", ")
    }
}

extension Silence.Weekly {
    fileprivate var words: String {
        func clock(_ minute: Int) -> String {
            (minute / 60 < 10 ? "0" : "") + "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
        }
        let days = Weekday.allCases.filter(weekdays.contains).map(\.rawValue).joined(separator: " ")
        return "\(days) \(clock(fromMinute)) to \(clock(toMinute)) \(zone)"
    }
}

extension [String: String] {
    /// `app=shop`, sorted by name.
    fileprivate var words: [String] { map { "\($0.key)=\($0.value)" }.sorted() }
}
