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

    package init(
        from: ChainID, to: ChainID, addresses: [IPAddress], of: Int, returned: Bool, unsettled: Bool
    ) {
        self.from = from
        self.to = to
        self.addresses = addresses
        self.of = of
        self.returned = returned
        self.unsettled = unsettled
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
        package init(span: Span, change: Change) {
            self.span = span
            self.change = change
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
package enum SpanBook {
    /// Applies one scan.
    ///
    /// - Parameter spans: The target's open spans, and those that closed within the flap window before the scan.
    package static func apply(_ scan: Scan, to spans: [Span], flapWindowSeconds: Int64) -> SpanUpdate {
        SpanUpdate(entries: [], transitions: [])
    }

    /// Retires servings of addresses that resolution has not given for 24 hours, and closes spans left without a
    /// current serving or, for spans that flapped, not seen for the flap window.
    package static func retire(
        _ spans: [Span], resolved: [IPAddress: Instant], flapWindowSeconds: Int64, now: Instant
    ) -> SpanUpdate {
        SpanUpdate(entries: [], transitions: [])
    }
}
