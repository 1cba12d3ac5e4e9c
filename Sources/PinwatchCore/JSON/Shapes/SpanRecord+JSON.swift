extension SpanRecord {
    /// The contract's `span`, with `spki`, the leaf's key, and each address once whatever hellos it answered; `current`
    /// says whether it is taken to serve the chain still.
    package var json: JSON {
        .object([
            ("id", .string(span.id.text)), ("target_id", .string(targetID.text)),
            ("key_family", .text(span.family?.rawValue)), ("chain", .strings(chain.map(\.hex))),
            ("spki", .text(spki?.pin)), ("first_seen", .time(span.firstSeen)), ("last_seen", .time(span.lastSeen)),
            ("open", .bool(span.closedAt == nil)), ("scans", .integer(span.scans)), ("flaps", .integer(span.flaps)),
            ("addresses", .array(addresses)),
        ])
    }

    private var addresses: [JSON] {
        var seen: [IPAddress: (first: Instant, last: Instant, current: Bool)] = [:]
        for serving in span.servings {
            let known = seen[serving.address] ?? (serving.firstSeen, serving.lastSeen, false)
            seen[serving.address] = (
                min(known.first, serving.firstSeen), max(known.last, serving.lastSeen), known.current || serving.current
            )
        }
        return seen.sorted { $0.key < $1.key }.map { address, seen in
            .object([
                ("address", .string(address.description)), ("first_seen", .time(seen.first)),
                ("last_seen", .time(seen.last)), ("current", .bool(seen.current)),
            ])
        }
    }
}
