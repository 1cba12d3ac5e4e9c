internal import PinwatchCore

/// Which `Host`s this service answers to.
///
/// A page of an attacker whose DNS name was rebound to this address is, to a browser, of the same origin as this
/// service: its requests differ only in `Host`. So a name must be known. An address cannot be rebound, and ports say
/// nothing (tunnels and containers change them): any port will do.
struct HostRule: Sendable {
    private let names: Set<String>
    /// Listening on every address, one cannot tell which literal the client rightly used.
    private let anyLiteral: Bool

    init(listen: ListenAddress, publicURL: String?) {
        var names: Set<String> = [listen.address.description]
        if listen.address.isLoopback { names.formUnion(["localhost", "127.0.0.1", "::1"]) }
        if let host = publicURL.flatMap(Self.host(ofURL:)) { names.insert(host) }
        anyLiteral = listen.address.bytes.allSatisfy { $0 == 0 }
        if anyLiteral { names.insert("localhost") }
        self.names = names
    }

    /// Whether a `Host` names this machine to itself: `localhost`, or a loopback address.
    static func isOfThisMachine(_ value: String) -> Bool {
        guard let host = host(of: value) else { return false }
        return host == "localhost" || IPAddress(host)?.isLoopback ?? false
    }

    /// - Parameter authority: The authority of an absolute-form target, which then counts in place of the header.
    /// - Throws: A ``Problem`` 400 without exactly one well-formed `Host`, 421 for one that is not known.
    func check(_ request: Request, authority: String?) throws(Problem) {
        let values = request.values(of: "host")
        guard values.count == 1, let value = values.first, let host = Self.host(of: authority ?? value) else {
            throw Problem(400, "A request needs exactly one Host header, with a name or an address.")
        }
        guard names.contains(host) || anyLiteral && IPAddress(host) != nil else {
            throw Problem(
                421,
                "This service does not answer to that Host. Use localhost or its address, or set public_url to the name."
            )
        }
    }

    /// `host`, `host:port`, `[v6]` or `[v6]:port`, lower case and without brackets; `nil` for anything else.
    static func host(of authority: String) -> String? {
        let text = authority.lowercased()
        var host = text[...]
        var port: Substring = ""
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            guard let address = IPAddress(String(text[text.index(after: text.startIndex)..<close])) else { return nil }
            port = text[text.index(after: close)...]
            return isPort(port) ? address.description : nil
        }
        if let colon = text.firstIndex(of: ":") { (host, port) = (text[..<colon], text[colon...]) }
        let allowed = host.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        return !host.isEmpty && allowed && isPort(port) ? String(host) : nil
    }

    /// Empty, or a colon and up to five digits.
    private static func isPort(_ text: Substring) -> Bool {
        guard let colon = text.first else { return true }
        let digits = text.dropFirst()
        return colon == ":" && digits.utf8.count <= 5 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func host(ofURL url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        return host(of: String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }))
    }
}
