/// An http or https URL as far as configuration looks into it (RFC 3986).
package struct WebAddress {
    /// Without user, port or brackets.
    package let host: Substring
    package var hasUser: Bool { user != nil }
    /// What stands before the host's `@`, as written; `nil` without one.
    let user: Substring?
    /// `nil` where the scheme's own is meant.
    let port: UInt16?
    /// Whether anything follows the path.
    package let hasQueryOrFragment: Bool

    /// What is wrong with a text that is none, without quoting it: it may be secret.
    package enum Fault: Error {
        case characters, scheme, host, port

        /// Completes "the URL …".
        package var words: String {
            switch self {
            case .characters: "must be a URL of ASCII characters without blanks"
            case .scheme: "must be a URL that begins with https:// or http://"
            case .host: "must be a URL with a host after the scheme"
            case .port: "must be a URL whose port is a number from 1 to 65535"
            }
        }
    }

    /// - Throws: What the text lacks to be one.
    package init(_ text: String) throws(Fault) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characters }
        guard let mark = text.firstRange(of: "://"),
            ["https", "http"].contains(text[..<mark.lowerBound].lowercased())
        else { throw .scheme }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { !"/\\?#".contains($0) }
        // Readers differ on which of two marks ends the user, and on what a backslash is.
        guard !text.contains("\\"), authority.count(where: { $0 == "@" }) < 2 else { throw .host }
        let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let end: Substring.Index
        if afterUser.hasPrefix("[") {
            guard let close = afterUser.firstIndex(of: "]") else { throw .host }
            end = afterUser.index(after: close)
        } else {
            end = afterUser.firstIndex(of: ":") ?? afterUser.endIndex
        }
        let port = afterUser[end...]
        guard port.isEmpty || (port.hasPrefix(":") && UInt16(port.dropFirst()).map { $0 > 0 } ?? false) else {
            throw .port
        }
        self.port = UInt16(port.dropFirst())
        host = afterUser[..<end].hasPrefix("[") ? afterUser[..<end].dropFirst().dropLast() : afterUser[..<end]
        guard !host.isEmpty else { throw .host }
        user = authority.lastIndex(of: "@").map { authority[..<$0] }
        hasQueryOrFragment = rest.contains { "?#".contains($0) }
    }
}
