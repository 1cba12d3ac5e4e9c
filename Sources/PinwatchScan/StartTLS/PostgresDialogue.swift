/// PostgreSQL's SSLRequest (PostgreSQL manual, "Message Flow", section SSL Session Encryption): a request of fixed form, and
/// one byte in answer.
struct PostgresDialogue: Dialogue {
    /// Length 8, then 1234 and 5679 of 16 bits each.
    let opening: [UInt8] = [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        guard let answer = input.first else { return .read }
        switch answer {
        case UInt8(ascii: "S"):
            input = input.dropFirst()
            return .switchToTLS(after: [])
        case UInt8(ascii: "N"):
            return .refused("The PostgreSQL server has TLS switched off (it answered SSLRequest by N).")
        case UInt8(ascii: "E"):
            return .refused("The PostgreSQL server answered SSLRequest by an error: \(Said.shown(input.dropFirst(5))).")
        default: return .refused("The server answered PostgreSQL's SSLRequest by \(Said.shown(input)).")
        }
    }
}
