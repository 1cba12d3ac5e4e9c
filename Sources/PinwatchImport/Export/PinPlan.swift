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

    /// What becomes of a connection that no pin of the entry matches.
    enum Effect {
        case refused
        /// Let through and reported.
        case reported
        /// Nothing is pinned, whatever an entry for more names says.
        case exempt
    }

    struct Entry {
        let host: String
        let scope: Scope
        let place: Place
        /// In the native notation.
        let pins: [String]
        /// `yyyy-MM-dd`.
        let expires: String?
        var effect = Effect.refused

        /// As people write what it covers.
        var name: String { (scope == .oneLabelBelow ? "*." : "") + host }

        func with(host: String? = nil, scope: Scope? = nil, place: Place? = nil, pins: [String]? = nil) -> Entry {
            Entry(
                host: host ?? self.host, scope: scope ?? self.scope, place: place ?? self.place,
                pins: pins ?? self.pins, expires: expires, effect: effect)
        }
    }

    /// The most that is told of what differs.
    private static let noteLimit = 200

    var entries: [Entry]
    /// Whose rules it was made from; `nil` for a host's keys.
    let source: Client?
    /// Whether hosts that no entry covers are refused.
    var refusesUnlisted = false
    /// What the other client cannot say as this one did, for the comments of what is written.
    private(set) var notes: [String] = []

    init(entries: [Entry], source: Client? = nil) {
        self.entries = entries
        self.source = source
    }

    mutating func note(_ message: String) {
        guard notes.count <= Self.noteLimit, !notes.contains(message) else { return }
        notes.append(notes.count < Self.noteLimit ? message : "More differs than is told here.")
    }
}
