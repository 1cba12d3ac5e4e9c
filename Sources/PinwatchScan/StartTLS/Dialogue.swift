internal import PinwatchCore

/// What a dialogue in clear asks for next.
enum DialogueStep: Hashable {
    /// More of what the server says.
    case read
    case send([UInt8])
    /// TLS begins with the next byte, after these are sent.
    case switchToTLS(after: [UInt8])
    /// The server will not switch, or says what cannot be followed: a sentence.
    case refused(String)
}

/// One protocol's way to the switch: a machine that is given what has arrived and takes from it what it understands.
///
/// It does no input and output of its own, and what it makes of the bytes does not depend on how they were cut.
protocol Dialogue {
    /// What the client says before it has heard anything; empty where the server speaks first.
    var opening: [UInt8] { get }

    /// Goes on by at most one message, which it takes from the front of `input`; `read` if that is not yet whole.
    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep
}

/// A dialogue with the bounds that hold for all of them, and what has arrived and was not yet understood.
struct BoundedDialogue {
    /// Bytes of all that a server may say before the switch. Greetings of mail servers have a few hundred; what comes byte
    /// by byte is looked at again with each.
    static let limit = 16 << 10

    private var dialogue: any Dialogue
    private var input: ArraySlice<UInt8> = []
    private var heard = 0

    /// - Parameters:
    ///   - name: The host as the protocol names it to the server, where it does.
    ///   - heard: What has arrived already.
    init(_ startTLS: StartTLS, name: String, heard: [UInt8] = []) {
        dialogue = startTLS.dialogue(name: name)
        input = heard[...]
        self.heard = heard.count
    }

    var opening: [UInt8] { dialogue.opening }

    /// Takes what has arrived; nothing, to go on after a message was sent.
    mutating func receive(_ bytes: [UInt8]) -> DialogueStep {
        heard += bytes.count
        guard heard <= Self.limit else {
            return .refused("The server said more than \(Self.limit >> 10) KiB in clear without switching to TLS.")
        }
        input += bytes
        let step = dialogue.next(&input)
        if case .switchToTLS = step, !input.isEmpty {
            return .refused(
                "The server sent \(input.count) bytes in clear after it had agreed to switch to TLS: "
                    + "\(Said.shown(input)). Whoever stands between could have put them there.")
        }
        return step
    }
}

/// What a server said, for people.
enum Said {
    /// At most 120 bytes, printable as they are and others as dots, in quotes.
    static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        let printable = bytes.prefix(120).map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }
        return "\"" + String(decoding: printable, as: UTF8.self) + (bytes.count > 120 ? "…" : "") + "\""
    }
}

extension StartTLS {
    fileprivate func dialogue(name: String) -> any Dialogue {
        switch self {
        case .smtp: ReplyDialogue(.smtp)
        case .lmtp: ReplyDialogue(.lmtp)
        case .ftp: ReplyDialogue(.ftp)
        case .imap: LineDialogue(.imap)
        case .pop3: LineDialogue(.pop3)
        case .ldap: LDAPDialogue()
        case .xmppClient: XMPPDialogue(name: name)
        case .postgres: PostgresDialogue()
        case .mysql: MySQLDialogue()
        }
    }
}
