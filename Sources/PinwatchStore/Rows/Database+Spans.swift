internal import PinwatchCore

extension Span {
    /// Columns in the order that ``init(row:)`` reads.
    static let columns = """
        span.id, span.key_family, span.chain_id, span.first_seen_at, seen.last_seen_at, span.closed_at, seen.scans, \
        span.flaps
        """
    static let source = "FROM span JOIN span_sighting seen ON seen.span_id = span.id"

    /// Reads a span without its servings.
    init(row: Row) throws(StoreError) {
        self.init(
            id: SpanID(try row.integer(0)), family: try row.wordOrNil(1), chain: ChainID(digest: try row.digest(2)),
            firstSeen: try row.instant(3), lastSeen: try row.instant(4), closedAt: try row.instantOrNil(5),
            scans: try row.integer(6), flaps: try row.integer(7), servings: [])
    }
}

extension Database {
    /// A target's open spans and those that closed at or after an instant, by number, with the servings that are current
    /// or were seen since then.
    func recentSpans(of target: TargetID, since: Instant) throws(StoreError) -> [Span] {
        var spans: [Span] = []
        for row in try rows(
            """
            SELECT \(Span.columns) \(Span.source)
            WHERE span.target_id = :target AND (span.closed_at IS NULL OR span.closed_at >= :since) ORDER BY span.id
            """, [("target", .integer(target.rawValue)), ("since", .at(since))])
        {
            spans.append(try withServings(try Span(row: row), since: since))
        }
        return spans
    }

    /// - Parameter since: Leaves out servings that are not current and were last seen before.
    func withServings(_ span: Span, since: Instant? = nil) throws(StoreError) -> Span {
        var span = span
        for row in try rows(
            """
            SELECT address, profile, first_seen_at, last_seen_at, current FROM serving
            WHERE span_id = :span AND (current = 1 OR last_seen_at >= :since) ORDER BY address, profile
            """, [("span", .integer(span.id.rawValue)), ("since", .integer(since?.unixSeconds ?? .min))])
        {
            span.servings.append(
                Serving(
                    address: try row.address(0), profile: try row.word(1), firstSeen: try row.instant(2),
                    lastSeen: try row.instant(3), current: try row.flag(4)))
        }
        return span
    }
}
