/// Hosts as a person pastes them, taken apart without asking anybody: one or several to a line, divided by commas,
/// semicolons and blanks; from a `#` on, the rest of a line is a comment.
package struct TargetPaste: Sendable {
    /// One host of the text.
    package struct Item: Sendable {
        /// Counted from 1.
        package let line: Int
        /// As it was written, cut at 300 characters.
        package let text: String
        package let reading: Reading
    }

    package enum Reading: Sendable {
        case identity(TargetIdentity)
        /// It names what an earlier line names.
        case duplicate(TargetIdentity, firstLine: Int)
        /// Why it cannot be a target, and what to write.
        case refused(String)
    }

    package let items: [Item]

    /// More hosts than this are not read: it is what one request may add.
    package static let maximumItems = 1_000

    /// Why a text is not taken apart at all.
    package enum Refusal: Error, Sendable, Hashable {
        case tooMany
    }

    /// - Parameter allowedPorts: What targets that come by the API may name.
    /// - Throws: ``Refusal`` for a text of more than ``maximumItems`` hosts.
    package init(_ text: String, allowedPorts: [UInt16], idna: any IDNA) throws(Refusal) {
        var items: [Item] = []
        var lines: [TargetIdentity: Int] = [:]
        // A carriage return and line feed are one Character, and a newline.
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let said = line.prefix { $0 != "#" }
            for word in said.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isWhitespace }) {
                guard items.count < Self.maximumItems else { throw .tooMany }
                var reading = Self.reading(word, allowedPorts, idna)
                if case .identity(let identity) = reading {
                    if let first = lines[identity] { reading = .duplicate(identity, firstLine: first) }
                    lines[identity] = lines[identity] ?? index + 1
                }
                items.append(Item(line: index + 1, text: String(word.prefix(300)), reading: reading))
            }
        }
        self.items = items
    }

    private static func reading(_ word: Substring, _ allowedPorts: [UInt16], _ idna: any IDNA) -> Reading {
        do {
            let identity = TargetIdentity(try HostInput.parse(String(word), takesProtocols: true, idna: idna))
            if let why = PortRule.refusal(of: identity.port, among: allowedPorts) { return .refused(why) }
            return .identity(identity)
        } catch {
            return .refused(error.description)
        }
    }
}

/// Which ports a target may name that comes by the API.
package enum PortRule {
    /// Why a port may not be named, and which may; `nil` if it may.
    package static func refusal(of port: UInt16, among allowed: [UInt16]) -> String? {
        guard !allowed.contains(port) else { return nil }
        let shown = allowed.sorted().map(String.init).joined(separator: ", ")
        return "port \(port) is not among scan.allow_ports of the configuration, which has \(shown)"
    }
}
