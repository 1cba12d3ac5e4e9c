internal import PinwatchCore

/// An egress proxy's URL: `http://[user:password@]host:port`.
///
/// What is wrong with one is told without quoting it, since a password may stand anywhere in it.
struct ProxyURL {
    let host: TargetHost
    let port: UInt16
    /// `user:password` with its percent-encoding undone (RFC 3986 section 3.2.1).
    let credentials: Secret?

    /// - Throws: What is wrong with the text; completes "url …".
    init(_ text: String, idna: any IDNA) throws(HostProblem) {
        let rest = try Self.afterScheme(text)
        let address: WebAddress
        do {
            address = try WebAddress(text)
        } catch {
            throw HostProblem(error.words)
        }
        guard ["", "/"].contains(rest.drop { !"/?#".contains($0) }) else {
            throw HostProblem("must end after the proxy's port")
        }
        guard let port = address.port else { throw HostProblem("must name the proxy's port, \(Self.example)") }
        self.port = port
        let host = address.host.contains(":") ? "[\(address.host)]" : String(address.host)
        do {
            self.host = try HostInput.parse(host, idna: idna).host
        } catch {
            throw HostProblem("must name the proxy by a host or an address, \(Self.example)")
        }
        credentials = try address.user.map { user throws(HostProblem) in try Self.credentials(user) }
    }

    private static let example = "as in http://proxy.example:3128"

    private static func afterScheme(_ text: String) throws(HostProblem) -> Substring {
        guard let mark = text.firstRange(of: "://") else { throw HostProblem("must begin with http://, \(example)") }
        let scheme = text[..<mark.lowerBound].lowercased()
        if scheme.hasPrefix("socks") {
            throw HostProblem("names a SOCKS proxy, and those are not supported; name an HTTP proxy that takes CONNECT")
        }
        if scheme == "https" {
            throw HostProblem(
                "names a proxy that is itself spoken to over TLS, and those are not supported; name one by http://, "
                    + "through which every target is still spoken to over TLS")
        }
        guard scheme == "http" else { throw HostProblem("must begin with http://, \(example)") }
        return text[mark.upperBound...]
    }

    /// RFC 7617 section 2: a user cannot hold a colon, and neither part a control character.
    private static func credentials(_ written: Substring) throws(HostProblem) -> Secret {
        let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.compactMap { text($0) }
        guard decoded.count == parts.count, let user = decoded.first else {
            throw HostProblem("must write the bytes of user and password as UTF-8, other characters as %XX")
        }
        let password = decoded.count == 2 ? decoded[1] : ""
        guard !user.isEmpty, !user.contains(":") else { throw HostProblem("must name a user without a colon") }
        guard (user + password).unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw HostProblem("must hold no control character in user and password")
        }
        return Secret("\(user):\(password)")
    }

    /// The text behind percent-encoding; `nil` where it is none.
    private static func text(_ written: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(written.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.first != UInt8(ascii: "+")
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
