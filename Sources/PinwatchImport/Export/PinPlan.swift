internal import PinwatchCore

/// Hosts and pins apart from any client's words: what one client's policy is turned into another's through.
struct PinPlan {
    /// Which names an entry covers besides the host itself.
    enum Scope {
        case exact
        /// `*.host`: one label more, and not the host itself.
        case oneLabelBelow
        /// The host and one label more.
        case withOneLabelBelow
        /// The host and all below.
        case withAllBelow

        var includesBelow: Bool { self != .exact }
    }

    /// Which certificates the pins are held against.
    enum Place {
        case leaf, issuers, anywhere
    }

    struct Entry {
        let host: String
        let scope: Scope
        let place: Place
        /// In the native notation.
        let pins: [String]
        /// `yyyy-MM-dd`.
        let expires: String?
    }

    var entries: [Entry]
    /// What the other client cannot say as this one did, for the comments of what is written.
    private(set) var notes: [String] = []

    init(entries: [Entry]) { self.entries = entries }

    /// Gives entries that bind every host the one that is meant, and leaves out pins that the client cannot hold and
    /// entries that pin nothing.
    mutating func settle(host: String?, for client: Client) {
        for (index, entry) in entries.enumerated() {
            let kept = entry.pins.filter { Self.holds($0, client) }
            for pin in entry.pins where !kept.contains(pin) {
                note("\(pin) of \(entry.host) is left out: this client compares hashes of another kind")
            }
            entries[index] = Entry(
                host: entry.host, scope: entry.scope, place: entry.place, pins: kept, expires: entry.expires)
        }
        for entry in entries where entry.pins.isEmpty { note("\(entry.host) is left out: nothing is pinned for it") }
        entries = entries.filter { !$0.pins.isEmpty }.map { entry in
            guard entry.host.isEmpty, let host else { return entry }
            return Entry(host: host, scope: entry.scope, place: entry.place, pins: entry.pins, expires: entry.expires)
        }
    }

    private static func holds(_ pin: String, _ client: Client) -> Bool {
        if pin.hasPrefix("cert-sha256:") {
            return [.generic, .alamofire, .wultraIOS, .wultraAndroid].contains(client)
        }
        if pin.hasPrefix("sha1/") { return [.generic, .okhttp, .okhttp3].contains(client) }
        if pin.hasPrefix("file:") { return client == .generic }
        return client != .wultraIOS && client != .wultraAndroid
    }

    mutating func note(_ message: String) {
        if !notes.contains(message) { notes.append(message) }
    }
}
