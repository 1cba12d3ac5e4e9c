/// Protocols whose servers answer a line by words: IMAP (RFC 9051 section 6.2.1) and POP3 (RFC 2595 section 4).
struct LineDialogue: Dialogue {
    /// A protocol as data.
    struct Script {
        let name: String
        /// Beginnings of a greeting after which the switch may be asked for, in upper case.
        let greetings: [String]
        let command: String
        /// The beginning of an answer that agrees, and of any answer at all; other lines are passed over.
        let agrees: String
        let answers: [String]

        static let imap = Script(
            name: "IMAP", greetings: ["* OK"], command: "p1 STARTTLS", agrees: "P1 OK", answers: ["P1 ", "* BYE"])
        static let pop3 = Script(
            name: "POP3", greetings: ["+OK"], command: "STLS", agrees: "+OK", answers: ["+", "-"])
    }

    private let script: Script
    private var wasGreeted = false

    init(_ script: Script) {
        self.script = script
    }

    let opening: [UInt8] = []

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        while let line = input.takeLine() {
            guard wasGreeted else {
                guard script.greetings.contains(where: { Self.begins(line, $0) }) else {
                    return refused("greeted", line)
                }
                wasGreeted = true
                return .send(Array("\(script.command)\r\n".utf8))
            }
            if Self.begins(line, script.agrees) { return .switchToTLS(after: []) }
            if script.answers.contains(where: { line.uppercased().hasPrefix($0) }) {
                return refused("answered \(script.command)", line)
            }
        }
        return .read
    }

    private func refused(_ verb: String, _ line: String) -> DialogueStep {
        .refused("The \(script.name) server \(verb) by \(Said.shown(Array(line.utf8)[...])).")
    }

    /// Whether a line is the words, alone or with more behind them.
    private static func begins(_ line: String, _ words: String) -> Bool {
        let upper = line.uppercased()
        return upper == words || upper.hasPrefix(words + " ")
    }
}
