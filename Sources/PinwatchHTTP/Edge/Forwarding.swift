internal import PinwatchCore

/// Who is behind the proxies in front of this service.
struct Forwarding: Sendable {
    /// Peers whose `X-Forwarded-…` headers are believed; nobody else's are read.
    let trusted: [IPNetwork]

    /// The request as its client sent it: `peer` is the client's address, `isSecure` tells of the client's connection.
    ///
    /// `X-Forwarded-For` is walked from its end, where the nearest proxy wrote, for as long as addresses are those of
    /// trusted proxies. The first that is not is the client: whatever stands before it, that client may have written.
    func resolve(_ request: Request) -> Request {
        guard let peer = request.peer, isTrusted(peer) else { return request }
        var resolved = request
        var client = peer
        let hops = request.values(of: "x-forwarded-for").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            guard isTrusted(client), let address = Self.address(hop) else { break }
            client = address
        }
        resolved.peer = client
        if let scheme = request.values(of: "x-forwarded-proto").last?.split(separator: ",").last {
            resolved.isSecure = Self.trimmed(scheme).lowercased() == "https"
        }
        return resolved
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }

    /// An address, with or without a port.
    private static func address(_ text: Substring) -> IPAddress? {
        let text = trimmed(text)
        if let address = IPAddress(text) { return address }
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            return IPAddress(String(text[text.index(after: text.startIndex)..<close]))
        }
        return text.lastIndex(of: ":").flatMap { IPAddress(String(text[..<$0])) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.filter { $0 != " " && $0 != "\t" })
    }
}
