internal import PinwatchCore

/// Pins of native files in other notations.
enum PinNotation {
    /// The text that a client reads: without the native format's own `sha256/`.
    static func raw(_ pin: Node) -> String {
        let text = pin.scalar ?? ""
        return text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
    }

    /// With OkHttp's prefix: `sha256/TEXT` or `sha1/TEXT`.
    static func prefixed(_ pin: Node) -> String {
        let text = pin.scalar ?? ""
        return text.hasPrefix("sha256/") || text.hasPrefix("sha1/") ? text : "sha256/" + text
    }

    /// The hash that an SPKI pin means, if it is one and can be read.
    static func spki(_ pin: Node) -> SHA256Digest? {
        guard isSPKI(pin) else { return nil }
        return PinText.sha256(raw(pin))
    }

    /// Whether the pin is a SHA-256 of a key, as far as its notation says.
    static func isSPKI(_ pin: Node) -> Bool {
        let text = pin.scalar ?? ""
        return !["sha1/", "file:", "cert-sha256:"].contains(where: text.hasPrefix)
    }
}
