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

    mutating func note(_ message: String) {
        if !notes.contains(message) { notes.append(message) }
    }
}
