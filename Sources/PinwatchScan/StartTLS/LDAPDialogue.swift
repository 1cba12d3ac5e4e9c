internal import PinwatchCore

/// LDAP's StartTLS operation (RFC 4511 section 4.14): an extended request, and the extended response to it.
struct LDAPDialogue: Dialogue {
    private static let name = Array("1.3.6.1.4.1.1466.20037".utf8)

    /// LDAPMessage {messageID 1, extendedReq {requestName [0]}}.
    let opening: [UInt8] = {
        let request = [0x77, UInt8(name.count + 2), 0x80, UInt8(name.count)] + name
        return [0x30, UInt8(request.count + 3), 0x02, 0x01, 0x01] + request
    }()

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        guard let tag = input.first else { return .read }
        guard tag == 0x30 else { return strange(input) }
        var whole = input
        switch whole.takeElement() {
        case .short: return .read
        case .malformed: return strange(input)
        case .element(_, let message):
            input = whole
            return answered(message)
        }
    }

    private func answered(_ message: ArraySlice<UInt8>) -> DialogueStep {
        var rest = message
        guard case .element(0x02, _) = rest.takeElement(), case .element(0x78, let response) = rest.takeElement() else {
            return strange(message)
        }
        var members = response
        guard case .element(0x0A, let code) = members.takeElement(), code.count == 1, let number = code.first,
            case .element(0x04, _) = members.takeElement(), case .element(0x04, let words) = members.takeElement()
        else { return strange(message) }
        if number == 0 { return .switchToTLS(after: []) }
        let why = words.isEmpty ? "" : ": \(Said.shown(words))"
        return .refused("The LDAP server refused StartTLS by result \(number)\(why).")
    }

    private func strange(_ bytes: ArraySlice<UInt8>) -> DialogueStep {
        .refused("The server answered LDAP's StartTLS by \(Said.shown(bytes)).")
    }
}

/// What stands at the front of bytes in BER with definite lengths (RFC 4511 section 5.1).
private enum BERElement {
    case element(UInt8, ArraySlice<UInt8>)
    /// Not all of it has come yet.
    case short
    case malformed
}

extension ArraySlice<UInt8> {
    /// Takes one element with a tag of one byte and a length of at most four.
    fileprivate mutating func takeElement() -> BERElement {
        guard count >= 2 else { return .short }
        let (tag, first) = (self[startIndex], self[startIndex + 1])
        var (length, header) = (Int(first), 2)
        if first >= 0x80 {
            let bytes = Int(first & 0x7F)
            guard (1...4).contains(bytes) else { return .malformed }
            guard count >= 2 + bytes else { return .short }
            length = self[(startIndex + 2)..<(startIndex + 2 + bytes)].reduce(0) { $0 << 8 | Int($1) }
            header = 2 + bytes
        }
        guard length <= BoundedDialogue.limit else { return .malformed }
        guard count >= header + length else { return .short }
        let content = self[(startIndex + header)..<(startIndex + header + length)]
        self = self[(startIndex + header + length)...]
        return .element(tag, content)
    }
}
