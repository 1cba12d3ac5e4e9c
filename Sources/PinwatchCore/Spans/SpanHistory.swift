/// A target's spans as they stood before a scan, seen from the time of that scan.
struct SpanHistory {
    let spans: [Span]
    let at: Instant
    let windowSeconds: Int64

    /// Whether an instant lies within the flap window before the scan.
    func isRecent(_ instant: Instant) -> Bool { at.seconds(since: instant) <= windowSeconds }

    /// Whether a chain goes and comes at a place: it came back once, and shared the place within the flap window.
    func alternates(_ span: Span, at serving: Serving) -> Bool {
        span.flaps > 0 && isRecent(serving.lastSeen)
            && rivals(of: span, at: serving.place).contains { isRecent($0.lastSeen) }
    }

    /// Whether a serving was kept for alternating and has not been seen since, while another chain was.
    func isOutlived(_ serving: Serving, of span: Span) -> Bool {
        span.flaps > 0 && !isRecent(serving.lastSeen)
            && rivals(of: span, at: serving.place).contains { $0.current && $0.lastSeen > serving.lastSeen }
    }

    /// The servings of other chains at the same place.
    private func rivals(of span: Span, at place: ChainSighting.Place) -> [Serving] {
        spans.filter { $0.chain != span.chain }.compactMap { $0.serving(at: place) }
    }
}
