/// Every key of the configuration file by its section: what the decoder takes, and what `config/pinwatch.yaml` explains.
enum ConfigurationKeys {
    static let top = [
        "listen", "tls", "public_url", "trusted_proxies", "database", "secret_key", "environments", "heartbeat",
        "scan",
        "trust_stores", "thresholds", "retention", "targets", "pin_sets", "channels", "routes", "silences",
    ]
    static let heartbeat = ["url", "every"]
    static let tls = ["certificate", "key"]
    static let scan = [
        "period", "timeout", "narrowed_every", "revocation", "addresses", "max_addresses", "in_flight", "proxy",
        "allow_ports", "deny_addresses",
    ]
    static let revocation = ["enabled", "every"]
    static let proxy = ["url", "no_proxy"]
    static let thresholds = ["near", "soon", "imminent", "lead_time", "failing_after", "flap_window"]
    static let retention = ["spans", "events", "deliveries"]
    static let target = [
        "host", "port", "sni", "starttls", "addresses", "owner", "labels", "period", "trust_store",
        "client_certificate", "paused",
    ]
    static let clientCertificate = ["certificate", "key"]
    static let channel = ["name", "type", "url", "secret", "allow_private"]
    static let route = ["severity", "kind", "labels", "events", "channels"]
    static let silence = ["matchers", "weekdays", "from", "to", "zone", "comment"]
    static let matchers = ["host", "labels", "kind", "severity"]

    /// Keys of the contract that later versions read, and this one refuses by name.
    enum Later {
        static let retention = ["reports"]
    }
}
