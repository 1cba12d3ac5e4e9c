/// XMPP's STARTTLS for clients (RFC 6120 section 5): a stream is opened, its features name `starttls`, and the server says
/// `proceed`.
///
/// Of the XML only tags are looked at: what a server says before TLS is believed in nothing else.
struct XMPPDialogue: Dialogue {
    private enum Place {
        case features
        case answer
    }

    let opening: [UInt8]
    private var place = Place.features
    private var offers = false

    init(name: String) {
        let escaped = name.filter { !"<>&'\"".contains($0) }
        opening = Array(
            ("<?xml version='1.0'?><stream:stream to='\(escaped)' version='1.0' xmlns='jabber:client' "
                + "xmlns:stream='http://etherx.jabber.org/streams'>").utf8)
    }

    mutating func next(_ input: inout ArraySlice<UInt8>) -> DialogueStep {
        if let first = input.first(where: { !Self.isSpace($0) }), first != UInt8(ascii: "<"), place == .features,
            !offers
        {
            return .refused("The server answered XMPP's stream by \(Said.shown(input)).")
        }
        while let tag = input.takeTag() {
            switch (place, tag) {
            case (_, "error"), (_, "/stream"):
                return .refused("The XMPP server ended the stream by an error.")
            case (.features, "starttls"): offers = true
            case (.features, "/features"), (.features, "features/"):
                guard offers else { return .refused("The XMPP server does not offer STARTTLS.") }
                place = .answer
                return .send(Array("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>".utf8))
            case (.features, "starttls/"): offers = true
            case (.answer, "proceed/"): return .switchToTLS(after: [])
            // Its end is still to come, and is none of the bytes after the switch.
            case (.answer, "/proceed"): return .switchToTLS(after: [])
            case (.answer, "failure"), (.answer, "failure/"):
                return .refused("The XMPP server offered STARTTLS and then refused it.")
            default: break
            }
        }
        return .read
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

extension ArraySlice<UInt8> {
    /// Takes all up to and with the next whole tag; `nil` if there is none yet.
    ///
    /// - Returns: Its name without a namespace's prefix, with `/` before it if it ends an element and behind it if it is
    ///   empty. `>` within an attribute's quotes ends no tag.
    fileprivate mutating func takeTag() -> String? {
        guard let open = firstIndex(of: UInt8(ascii: "<")) else { return nil }
        var (index, quote) = (open + 1, nil as UInt8?)
        while index < endIndex {
            let byte = self[index]
            if let ends = quote {
                if byte == ends { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let name = Self.name(self[(open + 1)..<index])
                self = self[(index + 1)...]
                return name
            }
            index += 1
        }
        return nil
    }

    private static func name(_ inside: ArraySlice<UInt8>) -> String {
        let text = String(decoding: inside, as: UTF8.self)
        let (closes, isEmpty) = (text.hasPrefix("/"), text.hasSuffix("/"))
        let bare = text.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }
        let local = bare.split(separator: ":").last.map(String.init) ?? ""
        return (closes ? "/" : "") + local + (isEmpty ? "/" : "")
    }
}
