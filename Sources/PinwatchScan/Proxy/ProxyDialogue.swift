internal import FoundationEssentials
internal import PinwatchCore

/// What was made of a proxy's answer.
enum ProxyStep: Hashable {
    /// More of it.
    case read
    /// The way is open. What came behind the answer is the target's.
    case open(rest: [UInt8])
    /// A sentence.
    case refused(String)
}

/// The request for a way through an HTTP proxy, CONNECT, and the reading of its answer (RFC 9110 section 9.3.6).
///
/// It asks for an address that was checked, never for a name: a proxy that resolved one could be led anywhere.
struct ProxyDialogue {
    /// Bytes of all heads together. An answer's body is not read.
    static let limit = 16 << 10

    /// What is to be said to the proxy.
    let request: [UInt8]
    private let proxy: EgressProxy
    /// The address and port asked for.
    private let target: String
    private var input: ArraySlice<UInt8> = []
    private var heard = 0
    private var status: Status?
    /// Of Proxy-Authenticate, as the proxy names them.
    private var schemes: [String] = []

    private struct Status {
        let code: Int
        let reason: String
    }

    init(_ proxy: EgressProxy, to target: String) {
        self.proxy = proxy
        self.target = target
        var head = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
        if let credentials = proxy.credentials {
            head += "Proxy-Authorization: Basic \(Data(credentials.revealed.utf8).base64EncodedString())\r\n"
        }
        request = Array("\(head)\r\n".utf8)
    }

    /// Takes what has arrived. What it makes of it does not depend on how it was cut.
    mutating func receive(_ bytes: [UInt8]) -> ProxyStep {
        input += bytes
        if status == nil, let strange = notHTTP { return .refused(strange) }
        while let line = takeLine() {
            guard heard <= Self.limit else { break }
            guard let status else {
                guard let status = Self.status(line) else { return malformed(line) }
                self.status = status
                continue
            }
            if line.isEmpty {
                // Informational heads precede the answer (RFC 9110 section 15.2); 101 would be another protocol.
                guard (100...199).contains(status.code), status.code != 101 else { return answered(status) }
                self.status = nil
                continue
            }
            guard note(line) else { return malformed(line) }
        }
        guard heard + input.count <= Self.limit else {
            return .refused(
                "The proxy \(proxy.place) said more than \(Self.limit >> 10) KiB without an end to its answer's head.")
        }
        return .read
    }

    private mutating func takeLine() -> String? {
        let before = input.count
        defer { heard += before - input.count }
        return input.takeLine()
    }

    /// Keeps what is of interest in a header line; false for one that is none. A folded line goes on with the one before.
    private mutating func note(_ line: String) -> Bool {
        if line.hasPrefix(" ") || line.hasPrefix("\t") { return true }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else { return false }
        if parts[0].lowercased() == "proxy-authenticate", let scheme = parts[1].split(separator: " ").first {
            schemes.append(String(scheme))
        }
        return true
    }

    private func answered(_ status: Status) -> ProxyStep {
        if (200...299).contains(status.code) { return .open(rest: Array(input)) }
        let words = "(\(status.code)\(status.reason.isEmpty ? "" : " " + Self.shown(status.reason)))"
        switch status.code {
        case 407: return .refused("The proxy \(proxy.place) \(unauthenticated) (407).")
        case 403: return .refused("The proxy \(proxy.place) does not allow a connection to \(target) \(words).")
        case 502, 503, 504:
            return .refused("The proxy \(proxy.place) could not connect to \(target) \(words).")
        default: return .refused("The proxy \(proxy.place) refused a connection to \(target) \(words).")
        }
    }

    private var unauthenticated: String {
        if !schemes.isEmpty, !schemes.contains(where: { $0.lowercased() == "basic" }) {
            let wanted = Self.shown(schemes.prefix(4).joined(separator: " "))
            return "wants a user and password by \(wanted), where only Basic is spoken here"
        }
        return proxy.credentials == nil
            ? "wants a user and password" : "does not take the user and password of scan.proxy"
    }
}

extension ProxyDialogue {
    /// Told before the first line is whole, since what is not HTTP may have no lines.
    private var notHTTP: String? {
        guard zip(input, "HTTP/1.".utf8).contains(where: { $0 != $1 }) else { return nil }
        let isTLS = input.first == 21 || input.first == 22
        let hint = isTLS ? "it seems to speak TLS itself, which is not supported" : "it is no HTTP proxy"
        return "The proxy \(proxy.place) answered CONNECT by \(Said.shown(input)): \(hint)."
    }

    private func malformed(_ line: String) -> ProxyStep {
        .refused("The proxy \(proxy.place) answered CONNECT by a malformed head: \(Self.shown(line)).")
    }

    private static func shown(_ text: String) -> String { Said.shown(Array(text.utf8)[...]) }

    /// RFC 9112 section 4; the reason, and the blank before it, may be absent.
    private static func status(_ line: String) -> Status? {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(parts[0]), parts[1].utf8.count == 3,
            let code = Int(parts[1]), (100...999).contains(code)
        else { return nil }
        return Status(code: code, reason: parts.count == 3 ? String(parts[2]) : "")
    }
}
