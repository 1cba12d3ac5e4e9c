internal import PinwatchCore

extension Recording {
    /// Writes what an update changed, row by row, and brings the memory in line. The steady state moves narrow rows
    /// only.
    func write(_ update: SpanUpdate, of target: TargetID, to memory: inout TargetMemory) throws(StoreError) {
        for entry in update.entries {
            var span = entry.span
            span.servings.sort { $0.precedes($1) }
            guard let index = memory.spans.firstIndex(where: { $0.id == span.id && span.id.rawValue != 0 }) else {
                span.id = try insert(span, of: target)
                for serving in span.servings { try keep(serving, of: span.id) }
                memory.spans.append(span)
                continue
            }
            try write(span, over: memory.spans[index])
            memory.spans[index] = span
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
        }
        if span.lastSeen != old.lastSeen || span.scans != old.scans {
            try database.run(
                "UPDATE span_sighting SET last_seen_at = :last, scans = :scans WHERE span_id = :span",
                [
                    ("span", .integer(span.id.rawValue)), ("last", .at(span.lastSeen)),
                    ("scans", .integer(span.scans)),
                ])
        }
        for serving in span.servings {
            let known = old.servings.first { $0.address == serving.address && $0.profile == serving.profile }
            if known == serving { continue }
            try keep(serving, of: span.id)
        }
        for gone in old.servings
        where !span.servings.contains(where: { $0.address == gone.address && $0.profile == gone.profile }) {
            try database.run(
                "DELETE FROM serving WHERE span_id = :span AND address = :address AND profile = :profile",
                [
                    ("span", .integer(span.id.rawValue)), ("address", .address(gone.address)),
                    ("profile", .text(gone.profile.rawValue)),
                ])
        }
    }

    private func keep(_ serving: Serving, of span: SpanID) throws(StoreError) {
        try database.run(
            """
            INSERT INTO serving (span_id, address, profile, first_seen_at, last_seen_at, current)
            VALUES (:span, :address, :profile, :first, :last, :current)
            ON CONFLICT (span_id, address, profile) DO UPDATE SET first_seen_at = excluded.first_seen_at,
              last_seen_at = excluded.last_seen_at, current = excluded.current
            """,
            [
                ("span", .integer(span.rawValue)), ("address", .address(serving.address)),
                ("profile", .text(serving.profile.rawValue)), ("first", .at(serving.firstSeen)),
                ("last", .at(serving.lastSeen)), ("current", .flag(serving.current)),
            ])
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
