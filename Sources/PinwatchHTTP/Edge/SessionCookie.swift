internal import PinwatchCore

/// The cookie that carries a session's id (RFC 6265).
enum SessionCookie {
    /// Twelve hours.
    static let lifetimeSeconds: Int64 = 43_200
    /// Longer ones are nobody's.
    private static let maximumLength = 256

    /// With TLS the name binds it to this host, and to TLS: `__Host-` (RFC 6265bis section 4.1.3.2).
    private static func name(isSecure: Bool) -> String {
        isSecure ? "__Host-pinwatch_session" : "pinwatch_session"
    }

    /// The session's id that a request brings; `nil` without exactly one.
    static func value(of request: Request) -> String? {
        let name = name(isSecure: request.isSecure)
        var values: Set<Substring> = []
        for pair in request.values(of: "cookie").flatMap({ $0.split(separator: ";") }) {
            let pair = pair.drop { $0 == " " || $0 == "\t" }
            guard let mark = pair.firstIndex(of: "="), pair[..<mark] == name else { continue }
            values.insert(pair[pair.index(after: mark)...])
        }
        guard values.count == 1, let value = values.first, (1...maximumLength).contains(value.utf8.count) else {
            return nil
        }
        return String(value)
    }

    /// The header that gives a browser its session.
    static func set(_ id: Secret, seconds: Int64, isSecure: Bool) -> Response.Header {
        header(id.revealed, seconds: seconds, isSecure: isSecure)
    }

    /// The header that takes it away.
    static func clear(isSecure: Bool) -> Response.Header { header("", seconds: 0, isSecure: isSecure) }

    private static func header(_ value: String, seconds: Int64, isSecure: Bool) -> Response.Header {
        .init(
            "Set-Cookie",
            "\(name(isSecure: isSecure))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
                + (isSecure ? "; Secure" : ""))
    }
}
