internal import PinwatchCore

/// Hosts that several entries cover, of which clients make different things.
extension PinPlan {
    /// The most pins that are written again for entries whose hosts several entries cover.
    private static let repeatLimit = 20_000

    /// Gives each entry the pins of the others that cover all of its names: there they count, and here one entry must
    /// hold them.
    mutating func unite() {
        let (around, before) = (placesAround(), entries)
        var left = Self.repeatLimit
        for (index, entry) in before.enumerated() {
            let others = around(entry).filter { $0 != index }.map { before[$0] }
            let wider = others.filter { $0.coversAll(of: entry) }
            let more = wider.flatMap(\.pins)
            guard more.count <= left else {
                note("entries and pins are too many to unite: those of wider entries are not all repeated")
                return
            }
            left -= more.count
            let place = wider.allSatisfy { $0.place == entry.place } ? entry.place : .anywhere
            if !more.isEmpty { entries[index] = entry.with(place: place, pins: (entry.pins + more).once) }
            for other in others
            where !other.coversAll(of: entry) && !entry.coversAll(of: other) && entry.includesItself
                && other.covers(entry.host)
            {
                note("\(entry.host) is held against the pins of \(other.name) too by \(word), and not here")
            }
        }
    }

    /// A nearer entry hides wider ones there; tells where it cannot here.
    mutating func tellShadows(_ client: Client) {
        let around = placesAround()
        let sets = entries.map { Set($0.pins) }
        for (index, entry) in entries.enumerated() {
            let wider = around(entry).filter { other in
                other != index && entries[other].effect != .exempt
                    && entries[other].reach(client).coversAll(of: entry.reach(client))
            }
            guard let first = wider.first else { continue }
            if entry.effect == .exempt {
                guard client.lookUp == .all || !client.canExempt.host else { continue }
                note(
                    "\(entry.name) is excepted from the pins of \(entries[first].name) by \(word); here they hold for "
                        + "it")
            } else if client.lookUp == .all, let other = wider.first(where: { !sets[$0].isSubset(of: sets[index]) }) {
                note(
                    "\(entry.name) is held against its own pins alone by \(word); here those of \(entries[other].name) "
                        + "are taken for it too")
            }
        }
    }

    /// Keeps exceptions where the format has them, and there is something to except them from.
    mutating func keepExceptions(for client: Client) {
        let (around, before, can) = (placesAround(), entries, client.canExempt)
        entries = before.filter { entry in
            guard entry.effect == .exempt else { return true }
            return can.host
                && around(entry).map { before[$0] }.contains { other in
                    other.effect != .exempt && other.scope.includesBelow && other.host != entry.host
                }
        }
        for entry in entries where entry.effect == .exempt && entry.scope.includesBelow && !can.below {
            note("names below \(entry.host) are not pinned by \(word); here \(entry.host) alone is excepted")
        }
    }
}

extension PinPlan.Entry {
    /// The same as far as a client's format can cover it.
    fileprivate func reach(_ client: Client) -> Self {
        client == .applePinnedDomains && scope == .withAllBelow ? with(scope: .withOneLabelBelow) : self
    }
}
