internal import PinwatchCore

/// Clients as a library makes them where nobody pins: `Session.default`, `Session()`, `AF`, `OkHttpClient()`.
enum UnpinnedClient {
    static func places(_ source: LintedSource) -> [Int] {
        source.places(of: ["AF", "Alamofire", "Session", "SessionManager", "URLSession", "OkHttpClient"])
            .filter { isMade(source, at: $0) }
    }

    /// Whether one side of a condition ends in the client at a place: it is returned, or is all that stands there.
    static func isResult(_ source: LintedSource, at place: Int, of side: Range<Int>) -> Bool {
        let start = source.word(place - 1) == "new" ? place - 1 : place
        return start == side.lowerBound || source.word(start - 1) == "return"
    }

    private static func isMade(_ source: LintedSource, at index: Int) -> Bool {
        switch source.word(index) {
        case "AF": return !source.isSign(".", index + 1)
        case "Alamofire": return source.isSign(".", index + 1) && isMade(source, at: index + 2)
        case "Session", "SessionManager":
            if source.isSign(".", index + 1) { return source.word(index + 2) == "default" }
            return source.isSign("(", index + 1) && !names(source, "TrustManager", inCallAt: index + 1)
        case "URLSession": return source.isSign(".", index + 1) && source.word(index + 2) == "shared"
        case "OkHttpClient":
            if source.isSign("(", index + 1) { return true }
            return source.isSign(".", index + 1) && source.word(index + 2) == "Builder"
        case _: return false
        }
    }

    /// Whether an argument's name ends as asked.
    private static func names(_ source: LintedSource, _ ending: String, inCallAt open: Int) -> Bool {
        guard let end = source.end(of: open) else { return false }
        return source.tokens[open..<end].prefix(200).contains { $0.word?.hasSuffix(ending) ?? false }
    }
}
