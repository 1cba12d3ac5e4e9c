/// A pattern of OkHttp's `CertificatePinner`, as one of its two generations reads it (pin-semantics 5).
enum OkHttpPattern: Sendable, Hashable {
    /// The canonical name and nothing else.
    case exact(String)
    /// `*.d`: exactly one more label than the name held here.
    case oneLabel(String)
    /// `**.d`: the name held here and all below it.
    case anyDepth(String)
    /// 3.x: `*.d`, of which `d` is compared with all that follows a host's first dot, or with all of it where it has none.
    case afterFirstDot(String)

    /// From 4.3.0 on.
    ///
    /// - Throws: The words of the exception that the builder throws.
    init(_ text: String, idna: any IDNA) throws(HostProblem) {
        let stars = text.hasPrefix("**.") ? "**." : text.hasPrefix("*.") ? "*." : ""
        let rest = String(text.dropFirst(stars.count))
        guard !rest.contains("*") else { throw HostProblem("Unexpected pattern: \(text)") }
        guard let name = OkHttpHost.canonical(rest, idna: idna) else { throw HostProblem("Invalid pattern: \(text)") }
        self = stars == "**." ? .anyDepth(name) : stars == "*." ? .oneLabel(name) : .exact(name)
    }

    /// Before 4.3.0: the pattern without `*.` is read as the rest of an `http://` URL, of which the host counts. A `*`
    /// elsewhere is kept and never equals a host's letter.
    init(legacy text: String, idna: any IDNA) throws(HostProblem) {
        let isWildcard = text.hasPrefix("*.")
        let rest = isWildcard ? String(text.dropFirst(2)) : text
        guard let host = OkHttpHost.ofURL(rest).flatMap({ OkHttpHost.canonical($0, idna: idna) }) else {
            throw HostProblem("Invalid URL host: \"\(rest)\"")
        }
        self = isWildcard ? .afterFirstDot(host) : .exact(host)
    }

    /// - Parameter host: Canonical; see ``OkHttpHost``.
    func matches(_ host: String) -> Bool {
        switch self {
        case .exact(let name): return host == name
        case .anyDepth(let name): return host == name || host.hasSuffix("." + name)
        case .oneLabel(let name):
            guard let dot = host.firstIndex(of: ".") else { return false }
            return host[host.index(after: dot)...] == name
        case .afterFirstDot(let name):
            guard let dot = host.firstIndex(of: ".") else { return host == name }
            return host[host.index(after: dot)...] == name
        }
    }

    /// Why a host is not covered that a reader may take for covered; `nil` for one that is far off.
    ///
    /// - Parameter text: The pattern as written.
    func nearMiss(_ host: String, written text: String) -> String? {
        switch self {
        case .oneLabel(let name), .afterFirstDot(let name):
            if host == name { return "\(text) does not cover \(name) itself" }
            if host.hasSuffix("." + name) { return "\(text) covers one label only" }
        case .exact(let name):
            if name.hasPrefix("**.") {
                let suffix = name.dropFirst(3)
                if host == suffix || host.hasSuffix("." + suffix) { return "\(text) never matches before OkHttp 4.3.0" }
            } else if name.contains("*"), Self.globs(name, host) {
                return "a * in the middle or at the end, as in \(text), never matches"
            }
        case .anyDepth: break
        }
        let isDotted = host.hasSuffix(".")
        let other = isDotted ? String(host.dropLast()) : host + "."
        guard matches(other) else { return nil }
        return isDotted
            ? "\(text) does not cover a host with a trailing dot" : "\(text) ends in a dot, which the host does not"
    }

    private static func globs(_ pattern: String, _ host: String) -> Bool {
        let wanted = pattern.split(separator: ".", omittingEmptySubsequences: false)
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return wanted.count == labels.count && zip(wanted, labels).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

/// Host names in OkHttp's canonical form: lower case, A-labels, addresses in their canonical text, a trailing dot kept.
enum OkHttpHost {
    /// `nil` for what OkHttp refuses as a host. The root, `.`, is one.
    static func canonical(_ text: String, idna: any IDNA) -> String? {
        if text.utf8.contains(UInt8(ascii: ":")) {
            let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
            return IPAddress(bare)?.description
        }
        let name = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : ascii(text, idna)
        guard let name, !name.isEmpty, name.utf8.allSatisfy(isAllowed) else { return nil }
        guard name != "." else { return name }
        let labels = (name.hasSuffix(".") ? name.dropLast() : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { (1...63).contains($0.utf8.count) } ? name : nil
    }

    /// The host of `http://` and `rest`, as OkHttp 3's `HttpUrl` finds it: user, port, path, query and fragment are cut
    /// away, blanks at the end too, and what `%` encodes is decoded. `nil` for a port that is none.
    static func ofURL(_ rest: String) -> String? {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n", "\u{0C}"]
        var text = rest[...]
        while let last = text.last, blanks.contains(last) { text = text.dropLast() }
        text = text.drop { $0 == "/" || $0 == "\\" }.prefix { !"/\\?#".contains($0) }
        if let at = text.lastIndex(of: "@") { text = text[text.index(after: at)...] }
        let afterBracket = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let colon = text[afterBracket...].firstIndex(of: ":") else { return decoded(text) }
        let port = text[text.index(after: colon)...]
        guard port.isEmpty || Int(port).map({ (1...65_535).contains($0) }) ?? false else { return nil }
        return decoded(text[..<colon])
    }

    /// `%` and two hexadecimal digits are a byte of UTF-8; any other `%` stays, and is refused later.
    private static func decoded(_ text: Substring) -> String {
        let written = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < written.count {
            if written[index] == UInt8(ascii: "%"), index + 2 < written.count,
                let high = nibble(written[index + 1]), let low = nibble(written[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(written[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }

    private static func ascii(_ text: String, _ idna: any IDNA) -> String? {
        let isDotted = text.hasSuffix(".")
        guard let name = try? idna.ascii(isDotted ? String(text.dropLast()) : text) else { return nil }
        return isDotted && !name.hasSuffix(".") ? name + "." : name
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !" #%/:?@[\\]".utf8.contains(byte)
    }
}
