internal import PinwatchCore

/// The members by which targets are added and changed.
enum TargetMembers {
    static let host = Member(
        "host", Kind.text(1...2_048).example(.string("api.example.com")),
        "What a person pastes: a name, an address, `host:port`, `[v6]:port`, an `https://` URL without a path.")
    static let port = Member(
        "port", Kind.integer(1...65_535).example(.integer(443)), orNull: true,
        "One of `scan.allow_ports`; if nothing says otherwise the usual one of `starttls`, else 443.")
    static let sni = Member(
        "sni", Kind.line(1...253).example(.string("api.example.com")), orNull: true,
        "A server name to send in place of the host's.")
    static let startTLS = Member(
        "starttls", Kind.word(of: StartTLS.self).example(.null), orNull: true,
        "What is spoken in clear before the switch to TLS; null where TLS begins at once.")
    static let unicode = Member(
        "host_unicode", Kind.text(0...2_048), orNull: true, "Left alone; so that what a preview gave can be posted.")
    static let owner = Member("owner", Kind.word(of: Owner.self), "Whose keys it serves; `ours` if nothing is said.")
    static let labels = Member("labels", Kind.labels, orNull: true, "Free names and values.")
    static let labelChanges = Member(
        "labels", Kind.labelChanges, orNull: true, "Labels to set, and with null to take away; null takes all away.")
    static let period = Member(
        "period_s", Kind.integer(1...30 * 86_400), orNull: true,
        "Seconds between scans; null takes the configuration's.")
    static let trustStore = Member(
        "trust_store", Kind.line(1...64).example(.string("system")), "A name from the configuration's `trust_stores`.")
    static let paused = Member("paused", Kind.flag, "Whether it is not scanned for now.")
    static let addresses = Member(
        "addresses", Kind.list(of: .address, 0...64).example(.strings(["192.0.2.10"])), orNull: true,
        "IP addresses that replace resolution; none resolves the name.")
    static let whyNoClientCertificate =
        "comes by the configuration file only, since its key must not be stored: name the target and both files there"
    static let policy = Member(
        "addresses_policy", Kind.word(of: AddressPolicy.self), orNull: true,
        "Which of the name's addresses are scanned; null takes the configuration's.")
}
