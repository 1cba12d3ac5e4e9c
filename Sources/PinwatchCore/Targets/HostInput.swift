/// A host as a person wrote it, normalised once at the door.
///
/// Accepted are names in any case with or without a trailing dot, international names, IPv4 and IPv6 addresses, each
/// with a port where one makes sense (`host:443`, `[::1]:443`), and `https://` URLs that say no more than that, which
/// may end in one slash. Where a target is meant, URLs of protocols that switch to TLS (`smtp://mail.example.com`) are
/// taken too. Everything else is refused in words that show what to write.
package struct HostInput: Hashable, Sendable {
    package let host: TargetHost
    /// The port that was written with the host, 1 to 65535; `nil` if none was.
    package let port: UInt16?
    /// What a URL's scheme names to be spoken before TLS.
    package let startTLS: StartTLS?

    /// Reads `text`, of which nothing is trusted.
    ///
    /// - Parameter takesProtocols: Whether a target is meant, which may be spoken to in clear before TLS.
    /// - Throws: Why it was refused and what would be right.
    package static func parse(
        _ text: String, takesProtocols: Bool = false, idna: any IDNA
    ) throws(HostProblem) -> HostInput {
        try refuseOddCharacters(in: text)
        let (authority, startTLS) = try authority(of: text, takesProtocols: takesProtocols)
        if authority.contains("@") {
            throw HostProblem("\(quoted(text)) holds a user name; write the host alone")
        }
        if authority.contains("%") {
            throw HostProblem("\(quoted(text)) holds a zone or an escape (%); write the plain name or address")
        }
        let (host, port) = try split(authority)
        return HostInput(host: try self.host(host, idna: idna), port: port, startTLS: startTLS)
    }

    /// Reads a name where only a name will do, such as a server name to send.
    ///
    /// - Throws: Why it was refused; an address or a port is.
    package static func name(_ text: String, idna: any IDNA) throws(HostProblem) -> HostName {
        let input = try parse(text, idna: idna)
        guard input.port == nil, case .name(let name) = input.host else {
            throw HostProblem("\(quoted(text)) is not a host name alone; write one such as api.example.com")
        }
        return name
    }

    /// Text as messages show it: what could disturb a terminal escaped, cut at 100 characters.
    static func quoted(_ text: some StringProtocol) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(100) {
            shown += isOdd(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return "\"\(shown)\(text.unicodeScalars.count > 100 ? "…" : "")\""
    }

    private static func host(_ text: Substring, idna: any IDNA) throws(HostProblem) -> TargetHost {
        if text.hasPrefix("[") || text.contains(":") {
            let bare = text.hasPrefix("[") ? text.dropFirst().dropLast() : text
            guard bare.contains(":"), let address = IPAddress(String(bare)) else {
                throw HostProblem("\(quoted(bare)) is not an IPv6 address; write one such as 2001:db8::1")
            }
            return .address(address)
        }
        if let address = IPAddress(String(text)) { return .address(address) }
        return .name(try HostName(text, idna: idna))
    }
}

extension HostInput {
    private static func refuseOddCharacters(in text: String) throws(HostProblem) {
        guard !text.isEmpty else { throw HostProblem("a host must not be empty") }
        guard text.utf8.count <= 2_048 else {
            throw HostProblem("\(quoted(text)) is \(text.utf8.count) bytes long; a host has at most 253 characters")
        }
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                throw HostProblem("\(quoted(text)) holds a blank; write the host without")
            }
            if isOdd(scalar) {
                throw HostProblem("\(quoted(text)) holds a control or invisible character; type the host anew")
            }
        }
    }

    /// Controls and format characters, bidirectional marks among them; the joiners are left to IDNA, which some scripts
    /// need (RFC 5892 appendix A).
    private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value == 0x200C || scalar.value == 0x200D { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false  // Not an enumeration of ours: every other category is for IDNA to judge.
        }
    }

    /// What is left of a URL that says nothing beside host and port.
    private static func authority(
        of text: String, takesProtocols: Bool
    ) throws(HostProblem) -> (Substring, StartTLS?) {
        guard let mark = text.firstRange(of: "://") else {
            guard let end = text.firstIndex(where: { "/\\?#".contains($0) }) else { return (text[...], nil) }
            throw HostProblem("\(quoted(text)) holds a path; write \(advice(text[..<end]))")
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { "/\\?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        let startTLS = takesProtocols ? StartTLS(scheme: scheme) : nil
        guard scheme == "https" || startTLS != nil else {
            throw HostProblem(
                "\(quoted(text)) is a URL of scheme \(quoted(scheme)), which does not name a TLS port; write the host "
                    + "and its port, such as api.example.com:443")
        }
        guard rest[end...].isEmpty || rest[end...] == "/" else {
            throw HostProblem("\(quoted(text)) is a URL with a path; write \(advice(authority))")
        }
        guard !authority.isEmpty else { throw HostProblem("\(quoted(text)) is a URL without a host") }
        return (authority, startTLS)
    }

    private static func advice(_ host: Substring) -> String {
        host.isEmpty ? "a host such as api.example.com" : String(quoted(host).dropFirst().dropLast())
    }

    private static func split(_ authority: Substring) throws(HostProblem) -> (Substring, UInt16?) {
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else {
                throw HostProblem("\(quoted(authority)) lacks a closing bracket; write [2001:db8::1]:443")
            }
            let after = authority[authority.index(after: close)...]
            if after.isEmpty { return (authority, nil) }
            guard after.hasPrefix(":") else {
                throw HostProblem("\(quoted(authority)) has text after the bracket; write [2001:db8::1]:443")
            }
            return (authority[...close], try port(after.dropFirst(), of: authority))
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        // Two colons and more can only be an IPv6 address without brackets, which takes no port.
        guard parts.count == 2 else { return (authority, nil) }
        return (parts[0], try port(parts[1], of: authority))
    }

    private static func port(_ text: Substring, of authority: Substring) throws(HostProblem) -> UInt16 {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text), port > 0
        else { throw HostProblem("\(quoted(authority)) has no port from 1 to 65535 after the colon") }
        return port
    }
}

extension StartTLS {
    /// The protocol of a URL's scheme, in lower case; `nil` for one that is none or begins with TLS at once.
    fileprivate init?(scheme: String) {
        switch scheme {
        case "xmpp": self = .xmppClient
        case "postgresql": self = .postgres
        case "pop": self = .pop3
        default: self.init(rawValue: scheme)
        }
    }
}
