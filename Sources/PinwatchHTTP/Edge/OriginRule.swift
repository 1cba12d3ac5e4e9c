internal import PinwatchCore

/// Which pages may write here.
///
/// A browser sends a cookie along, and reaches loopback, for whatever page asks it to. It names that page's origin in
/// `Origin` (RFC 6454 section 7), which no page can forge, so a write that stands on a cookie or on the open loopback
/// must come from this service's own pages. A bearer token is sent by nobody but its holder, and needs no such proof.
struct OriginRule: Sendable {
    /// That of `public_url`.
    private let published: String?

    init(publicURL: String?) {
        published = publicURL.flatMap(Self.origin(ofURL:))
    }

    /// - Parameters:
    ///   - authority: Of an absolute-form target, which then counts in place of `Host`.
    ///   - via: `nil` for somebody who has not said who they are, as at a sign-in.
    /// - Throws: A ``Problem`` 403 for a write that another page may have caused.
    func check(_ request: Request, authority: String?, via: Principal.Via?) throws(Problem) {
        guard via != .token else { return }
        let sites = request.values(of: "sec-fetch-site")
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw .foreignOrigin }
        let origins = request.values(of: "origin")
        guard !origins.isEmpty || via != .session else {
            throw Problem(
                403, "A change by a session needs the Origin header that browsers send. Programs use a bearer token.")
        }
        let own = Self.origin(
            scheme: request.isSecure ? "https" : "http", authority: authority ?? request.values(of: "host").first ?? "")
        for origin in origins {
            let normal = Self.origin(ofURL: origin)
            guard let normal, normal == own || normal == published else { throw .foreignOrigin }
        }
    }

    /// Lower case, with its port: `https://pins.example.com:443`.
    private static func origin(scheme: String, authority: String) -> String? {
        guard let host = HostRule.host(of: authority) else { return nil }
        let afterHost = authority.lastIndex(of: "]").map { authority[$0...].dropFirst() } ?? authority[...]
        let port = afterHost.lastIndex(of: ":").map { String(afterHost[$0...].dropFirst()) } ?? ""
        let standard = ["http": "80", "https": "443"][scheme] ?? ""
        return "\(scheme)://\(host):\(port.isEmpty ? standard : port)"
    }

    private static func origin(ofURL url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return origin(scheme: url[..<scheme.lowerBound].lowercased(), authority: String(authority))
    }
}

extension Problem {
    fileprivate static let foreignOrigin = Problem(
        403,
        "This change comes from a page of another origin. Use this service's own pages, at the address in its "
            + "public_url, or a bearer token.")
}
