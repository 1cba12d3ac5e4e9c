/// A target whose time has come, with what is to be sent to it.
package struct DueScan: Sendable, Hashable {
    package let target: Target
    package let hellos: HelloPlan

    package init(target: Target, hellos: HelloPlan) {
        self.target = target
        self.hellos = hellos
    }
}

/// When each target is due: a queue ordered by time, with first scans spread over the period. Narrowed hellos have a
/// pace of their own and go with the scan that comes next.
///
/// Equal inputs give equal answers: targets due at the same second leave in the order of their numbers.
package struct Schedule: Sendable {
    private struct Plan {
        var target: Target
        var periodSeconds: Int64
        var narrowedSeconds: Int64
        var due: Instant
        /// When hellos narrowed to a key family are sent again.
        var narrowedDue: Instant
    }

    /// An entry of the heap; one whose plan has gone or moved on is passed over.
    private struct Entry: Comparable {
        let due: Instant
        let id: TargetID

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.id) < (right.due, right.id) }
    }

    private var plans: [TargetID: Plan] = [:]
    private var heap = Heap<Entry>()

    package init() {}

    /// Adds or replaces a target. `lastScanAt` decides its next time; a target never scanned, or not for more than two
    /// periods, is due within the first tenth of its period, at a place given by its id, so that a start is not a burst.
    /// A paused target is never due.
    ///
    /// - Parameter narrowedSeconds: Between scans with narrowed hellos. The first scan of all has them; after a start they
    ///   come within that time, at a place given by the id.
    package mutating func set(
        _ target: Target, periodSeconds: Int64, narrowedSeconds: Int64, lastScanAt: Instant?, now: Instant
    ) {
        guard !target.settings.paused else { return remove(target.id) }
        let period = max(periodSeconds, 1)
        var due = now + Self.place(of: target.id, within: period / 10)
        if let lastScanAt, now.seconds(since: lastScanAt) <= 2 * period {
            due = min(lastScanAt + period, now + period)
        } else if let planned = plans[target.id]?.due {
            due = min(planned, due)
        }
        var narrowedDue = now
        if lastScanAt != nil { narrowedDue = now + Self.place(of: target.id, within: narrowedSeconds) }
        plans[target.id] = Plan(
            target: target, periodSeconds: period, narrowedSeconds: narrowedSeconds, due: due,
            narrowedDue: min(narrowedDue, plans[target.id]?.narrowedDue ?? narrowedDue))
        heap.insert(Entry(due: due, id: target.id))
        settle()
    }

    /// Forgets a target; one that is not there is no error.
    package mutating func remove(_ id: TargetID) {
        plans[id] = nil
        settle()
    }

    /// Takes the targets that are due, earliest first, at most `limit`; each is next due one period after it was due,
    /// or from now if it has fallen behind by more than one.
    package mutating func takeDue(now: Instant, limit: Int) -> [DueScan] {
        var taken: [DueScan] = []
        while taken.count < limit, let first = heap.first, first.due <= now {
            heap.removeFirst()
            if var plan = plans[first.id], plan.due == first.due {
                let isNarrowed = plan.narrowedDue <= now
                taken.append(DueScan(target: plan.target, hellos: isNarrowed ? .everyFamily : .phone))
                if isNarrowed { plan.narrowedDue = now + plan.narrowedSeconds }
                let next = plan.due + plan.periodSeconds
                plan.due = next > now ? next : now + plan.periodSeconds
                plans[first.id] = plan
                heap.insert(Entry(due: plan.due, id: first.id))
            }
        }
        settle()
        return taken
    }

    /// When the next target is due; `nil` if there is none.
    package var nextDue: Instant? { heap.first?.due }

    /// Targets that will come due: all but paused ones.
    package var count: Int { plans.count }

    /// Drops entries without a plan from the head, and all of them once they outnumber the plans.
    private mutating func settle() {
        if heap.count > 2 * plans.count + 16 {
            heap = Heap(plans.values.map { Entry(due: $0.due, id: $0.target.id) })
        }
        while let first = heap.first, plans[first.id]?.due != first.due { heap.removeFirst() }
    }

    /// A second from 0 to below `seconds` that depends on the id alone (SplitMix64's finaliser), spread evenly.
    private static func place(of id: TargetID, within seconds: Int64) -> Int64 {
        guard seconds > 1 else { return 0 }
        var bits = UInt64(bitPattern: id.rawValue) &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int64((bits ^ (bits >> 31)) % UInt64(seconds))
    }
}
