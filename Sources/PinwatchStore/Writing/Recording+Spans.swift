internal import PinwatchCore

extension Recording {
    /// Writes what an update changed, row by row, and brings the memory in line. The steady state moves narrow rows
    /// only.
    func write(_ update: SpanUpdate, of target: TargetID, to memory: inout TargetMemory) throws(StoreError) {
        for entry in update.entries {
            var span = entry.span
            let known = memory.spans.firstIndex { $0.id == span.id && span.id.rawValue != 0 }
            if let known {
                try write(span, over: memory.spans[known])
            } else {
                span.id = try insert(span, of: target)
            }
            for moved in entry.moved {
                guard
                    let place = span.servings.firstIndex(where: {
                        $0.address == moved.address && $0.profile == moved.profile
                    })
                else { continue }
                span.servings[place].firstSeen = try keep(moved, of: span.id)
            }
            if span.servings.count != known.map({ memory.spans[$0].servings.count }) {
                span.servings.sort { $0.precedes($1) }
            }
            if let known { memory.spans[known] = span } else { memory.spans.append(span) }
        }
    }

    private func insert(_ span: Span, of target: TargetID) throws(StoreError) -> SpanID {
        let id = try database.number(
            """
            INSERT INTO span (target_id, key_family, chain_id, first_seen_at, closed_at, flaps)
            VALUES (:target, :family, :chain, :first, :closed, :flaps) RETURNING id
            """,
            [
                ("target", .integer(target.rawValue)), ("family", .family(span.family)),
                ("chain", .digest(span.chain.digest)), ("first", .at(span.firstSeen)),
                ("closed", .optional(span.closedAt)), ("flaps", .integer(span.flaps)),
            ])
        try database.run(
            "INSERT INTO span_sighting (span_id, last_seen_at, scans) VALUES (:span, :last, :scans)",
            [("span", .integer(id)), ("last", .at(span.lastSeen)), ("scans", .integer(span.scans))])
        try database.lookAtRevocation(of: span.chain, at: now)
        return SpanID(id)
    }

    private func write(_ span: Span, over old: Span) throws(StoreError) {
        if span.closedAt != old.closedAt || span.flaps != old.flaps {
            try database.run(
                "UPDATE span SET closed_at = :closed, flaps = :flaps WHERE id = :span",
                [
                    ("span", .integer(span.id.rawValue)), ("closed", .optional(span.closedAt)),
                    ("flaps", .integer(span.flaps)),
                ])
            if span.closedAt == nil { try database.lookAtRevocation(of: span.chain, at: now) }
        }
        if span.lastSeen != old.lastSeen || span.scans != old.scans {
            try database.run(
                "UPDATE span_sighting SET last_seen_at = :last, scans = :scans WHERE span_id = :span",
                [
                    ("span", .integer(span.id.rawValue)), ("last", .at(span.lastSeen)),
                    ("scans", .integer(span.scans)),
                ])
        }
    }

    /// - Returns: When the address first served the span, which may be longer ago than the memory goes back.
    private func keep(_ serving: Serving, of span: SpanID) throws(StoreError) -> Instant {
        let row = try database.row(
            """
            INSERT INTO serving (span_id, address, profile, first_seen_at, last_seen_at, current)
            VALUES (:span, :address, :profile, :first, :last, :current)
            ON CONFLICT (span_id, address, profile) DO UPDATE SET last_seen_at = excluded.last_seen_at,
              current = excluded.current
            RETURNING first_seen_at
            """,
            [
                ("span", .integer(span.rawValue)), ("address", .address(serving.address)),
                ("profile", .text(serving.profile.rawValue)), ("first", .at(serving.firstSeen)),
                ("last", .at(serving.lastSeen)), ("current", .flag(serving.current)),
            ])
        return try row?.instant(0) ?? serving.firstSeen
    }
}

extension Serving {
    /// The order in which servings are stored and read back.
    fileprivate func precedes(_ other: Serving) -> Bool {
        address == other.address
            ? profile.rawValue < other.profile.rawValue
            : address.bytes.lexicographicallyPrecedes(other.address.bytes)
    }
}
