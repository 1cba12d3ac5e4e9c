/// Where among some entries those are that may be about a host, found by the host's labels instead of one by one.
///
/// An entry is about the name that it is written under and those below it, by every client's rules, near misses included;
/// one whose name clients read in ways of their own is a place for every host.
struct HostPlaces: Sendable {
    private var always: [Int] = []
    private var places: [String: [Int]] = [:]

    init() {}

    /// - Parameter patterns: In the order of the entries.
    init(_ patterns: [String]) {
        for (place, pattern) in patterns.enumerated() { add(pattern, at: place) }
    }

    mutating func add(_ pattern: String, at place: Int) {
        let base = HostPattern.base(of: pattern)
        guard Self.isPlain(base) else { return addForAll(place) }
        if places[base]?.last != place { places[base, default: []].append(place) }
    }

    mutating func addForAll(_ place: Int) {
        if always.last != place { always.append(place) }
    }

    /// In ascending order, each once.
    func about(_ host: String) -> [Int] {
        var found = Set(always)
        var suffix = HostPattern.normalised(host)[...]
        while true {
            if let here = places[String(suffix)] { found.formUnion(here) }
            // An address has no labels, but clients that compare text find some in it.
            guard let dot = suffix.firstIndex(of: ".") else { break }
            suffix = suffix[suffix.index(after: dot)...]
        }
        return found.sorted()
    }

    /// Whether clients read the name as it stands: no star in its middle, nothing to be converted or cut away.
    static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F: true
            default: false
            }
        } && (!name.contains(":") || IPAddress(name) != nil)
    }
}
