/// Protocols whose servers answer by three digits, over several lines where they like: SMTP (RFC 5321 section 4.2.1, RFC
/// 3207), LMTP (RFC 2033) and FTP (RFC 959 section 4.2, RFC 4217).
struct ReplyDialogue: Dialogue {
    /// A command, and the reply that lets the dialogue go on.
    struct Exchange {
        /// Without its line's end; `nil` for the greeting, which nobody asks for.
        let command: String?
        let codes: Set<String>
        /// A word that one of the reply's lines must begin with, after its digits.
        var offered: String?
    }

    /// A protocol as data.
    struct Script {
        let name: String
        let exchanges: [Exchange]

        static let smtp = mail("SMTP", hello: "EHLO")
        static let lmtp = mail("LMTP", hello: "LHLO")
        static let ftp = Script(
            name: "FTP",
            exchanges: [
                Exchange(command: nil, codes: ["220"]), Exchange(command: "AUTH TLS", codes: ["234", "334"]),
            ])

        private static func mail(_ name: String, hello: String) -> Script {
            Script(
                name: name,
                exchanges: [
                    Exchange(command: nil, codes: ["220"]),
                    Exchange(command: "\(hello) pinwatch.invalid", codes: ["250"], offered: "STARTTLS"),
                    Exchange(command: "STARTTLS", codes: ["220"]),
                ])
        }
    }

    private let script: Script
    /// The exchange whose reply is awaited.
    private var place = 0
    /// Lines of the present reply, digits and all.
    private var lines: [String] = []

    init(_ script: Script) {
        self.script = script
    }

    let opening: [UInt8] = []

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        while let line = input.takeLine() {
            lines.append(line)
            guard let code = Self.code(lines[0]) else { return refused(lines[0]) }
            // Lines within a reply may be anything (RFC 959 section 4.2); the last has the first one's digits and a space.
            let isLast = Self.code(line) == code && line.dropFirst(3).first != "-"
            if isLast { return answered(code) }
        }
        return .read
    }

    private mutating func answered(_ code: String) -> DialogueStep {
        let (exchange, reply) = (script.exchanges[place], lines)
        lines = []
        // 120 of FTP: ready in a while; the greeting comes then.
        if code == "120", place == 0 { return .read }
        guard exchange.codes.contains(code) else { return refused(reply.joined(separator: " ")) }
        if let word = exchange.offered, !reply.contains(where: { Self.offers(word, $0) }) {
            return .refused("The \(script.name) server does not offer \(word).")
        }
        place += 1
        guard place < script.exchanges.count else { return .switchToTLS(after: []) }
        return .send(Array("\(script.exchanges[place].command ?? "")\r\n".utf8))
    }

    private func refused(_ reply: String) -> DialogueStep {
        let asked = script.exchanges[place].command.map { "answered \($0) by" } ?? "greeted by"
        return .refused("The \(script.name) server \(asked) \(Said.shown(Array(reply.utf8)[...])).")
    }

    private static func code(_ line: String) -> String? {
        let digits = line.prefix(3)
        guard digits.utf8.count == 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard let next = line.dropFirst(3).first else { return String(digits) }
        return next == " " || next == "-" ? String(digits) : nil
    }

    private static func offers(_ word: String, _ line: String) -> Bool {
        line.dropFirst(4).split(separator: " ").first?.uppercased() == word
    }
}

extension ArraySlice<UInt8> {
    /// Takes a line with its end, which is CR LF or, of servers that are lax, LF; `nil` if there is none yet. Bytes that
    /// are no UTF-8 are replaced.
    mutating func takeLine() -> String? {
        guard let end = firstIndex(of: 0x0A) else { return nil }
        var line = self[startIndex..<end]
        if line.last == 0x0D { line = line.dropLast() }
        self = self[(end + 1)...]
        return String(decoding: line, as: UTF8.self)
    }
}
