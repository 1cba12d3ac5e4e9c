/// What every answer carries, whatever it is.
enum SecurityHeaders {
    /// Scripts and styles come from this origin's files only, nothing is inline, and nothing may frame the pages:
    /// whatever a hostile certificate smuggles into one stays text.
    static let all: [Response.Header] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        .init("X-Content-Type-Options", "nosniff"),
        .init("X-Frame-Options", "DENY"),
        .init("Referrer-Policy", "no-referrer"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("Cross-Origin-Embedder-Policy", "require-corp"),
        .init("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]

    /// For a year this host is asked by TLS only (RFC 6797); given under TLS, where alone it counts.
    static let strictTransport = Response.Header("Strict-Transport-Security", "max-age=31536000")
}
