package import PinwatchCore

/// Takes a channel's URL out of text that will be shown: receivers like to answer `Cannot POST /services/T0/B0/token`.
///
/// The host stays, for it tells a person which receiver speaks; user names, paths and queries go.
package struct Redaction: Sendable {
    /// Longest first, so that no part is replaced before the whole that holds it.
    private let parts: [String]

    /// Parts shorter than this are ordinary words such as `hooks`, and guessable anyway.
    private static let shortest = 6

    package init(url: Secret) {
        let text = url.revealed
        let afterScheme = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let target = afterScheme[authority.endIndex...]
        var found: Set<String> = [text, String(target)]
        for piece in target.split(whereSeparator: { "/?&=#".contains($0) }) { found.insert(String(piece)) }
        found.insert(String(target.prefix { $0 != "?" }))
        if let at = authority.lastIndex(of: "@") {
            found.insert(String(authority[..<at]))
            for piece in authority[..<at].split(separator: ":") { found.insert(String(piece)) }
        }
        parts = found.filter { $0.count >= Self.shortest }.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    package func clean(_ text: String) -> String {
        parts.reduce(text) { $0.replacing($1, with: "<secret>") }
    }
}
