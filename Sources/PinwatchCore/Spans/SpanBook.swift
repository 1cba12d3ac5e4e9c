/// That some addresses of a target went from one chain to another in one scan.
package struct ChainTransition: Sendable, Hashable {
    /// The chain they were current on before; never equal to `to`.
    package var from: ChainID
    package var to: ChainID
    /// In ascending order.
    package var addresses: [IPAddress]
    /// Current addresses of the target after the scan.
    package var of: Int
    /// Whether `to` was served by this target within the flap window before this scan.
    package var returned: Bool
    /// Whether the target had another transition within the flap window before this scan.
    package var unsettled: Bool
    /// Further addresses follow one that went the same way before: part of a change that was told already.
    package var spread: Bool

    package init(
        from: ChainID, to: ChainID, addresses: [IPAddress], of: Int, returned: Bool, unsettled: Bool,
        spread: Bool = false
    ) {
        self.from = from
        self.to = to
        self.addresses = addresses
        self.of = of
        self.returned = returned
        self.unsettled = unsettled
        self.spread = spread
    }
}

/// What a scan does to a target's spans.
package struct SpanUpdate: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        /// A new span; its `id` is 0 until it is stored.
        case opened
        /// A closed span is open again, with a flap counted.
        case reopened
        /// Only `lastSeen`, `scans` and servings' `lastSeen` moved: the steady state, which must stay cheap to store.
        case seen
        /// Servings came, or stopped being current, or a flap was counted; still open.
        case servingsChanged
        case closed
    }

    package struct Entry: Sendable, Hashable {
        package var span: Span
        package var change: Change
        /// The servings that came or moved, as `span` holds them: all that need be stored.
        package var moved: [Serving]
        package init(span: Span, change: Change, moved: [Serving]) {
            self.span = span
            self.change = change
            self.moved = moved
        }
    }

    /// Every span that the scan touched; spans it leaves alone are not named.
    package var entries: [Entry]
    package var transitions: [ChainTransition]

    package init(entries: [Entry], transitions: [ChainTransition]) {
        self.entries = entries
        self.transitions = transitions
    }

    /// Whether nothing but times and counts moved.
    package var isSteady: Bool { transitions.isEmpty && entries.allSatisfy { $0.change == .seen } }
}

/// The rules by which scans become spans.
///
/// A chain that is not seen says nothing by itself: an address leaves a chain only by being seen on another one, by saying
/// that it has no key of the chain's family, or by leaving DNS. Observations without a chain, and scans whose resolution
/// failed, change nothing.
package enum SpanBook {
    /// Applies one scan, as of the instant at which it ended.
    ///
    /// - Parameter spans: The target's open spans, and those that closed within the flap window before the scan. Of
    ///   their servings, those that are current or were seen within the window suffice; one that is not handed in and
    ///   is seen again comes out with a new `firstSeen`.
    package static func apply(_ scan: Scan, to spans: [Span], flapWindowSeconds: Int64) -> SpanUpdate {
        let sightings = ChainSighting.all(of: scan)
        guard scan.resolved != nil, !sightings.isEmpty else { return SpanUpdate(entries: [], transitions: []) }
        var ledger = SpanLedger(spans, at: scan.endedAt, windowSeconds: flapWindowSeconds)
        for sighting in sightings { ledger.see(sighting) }
        ledger.supersede(by: sightings, refused: ChainSighting.refusals(of: scan))
        let reader = TransitionReader(history: ledger.history)
        return SpanUpdate(
            entries: ledger.entries,
            transitions: reader.transitions(sightings, currentAddresses: ledger.currentAddresses))
    }

    /// How long an address stays after resolution last gave it.
    package static let addressRetirementSeconds: Int64 = 86_400

    /// Retires servings of addresses that resolution has not given for 24 hours, and closes spans left without a
    /// current serving or, for spans that flapped, not seen for the flap window while their addresses were seen on
    /// another chain.
    ///
    /// The 24 hours end at the last resolution that succeeded, so a resolver that fails for days retires nothing.
    ///
    /// - Parameter resolved: When resolution last gave each address, for every address on record.
    package static func retire(
        _ spans: [Span], resolved: [IPAddress: Instant], flapWindowSeconds: Int64, now: Instant
    ) -> SpanUpdate {
        guard spans.contains(where: { $0.closedAt == nil }) else { return SpanUpdate(entries: [], transitions: []) }
        var ledger = SpanLedger(spans, at: now, windowSeconds: flapWindowSeconds)
        ledger.retireOutlived()
        if let lastResolution = resolved.values.max() {
            let horizon = min(lastResolution, now) - addressRetirementSeconds
            ledger.retireAddresses { serving in
                max(resolved[serving.address] ?? serving.lastSeen, serving.lastSeen) <= horizon
            }
        }
        return SpanUpdate(entries: ledger.entries, transitions: [])
    }
}
