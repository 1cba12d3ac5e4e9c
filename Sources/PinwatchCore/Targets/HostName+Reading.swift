extension HostName {
    /// Reads a DNS name: RFC 1123 labels, underscores allowed because service names have them, one trailing dot dropped.
    ///
    /// - Parameter text: Without blanks and controls; see ``HostInput``.
    /// - Throws: Why it cannot be a host's name.
    init(_ text: Substring, idna: any IDNA) throws(HostProblem) {
        let shown = HostInput.quoted(text)
        if text.contains("*") { throw HostProblem("\(shown) is a wildcard; name each host that is to be watched") }
        let written = text.hasSuffix(".") ? text.dropLast() : text
        guard !written.isEmpty else { throw HostProblem("\(shown) holds no name; write one such as api.example.com") }
        // The converter answers an empty or overlong label with less helpful words than these.
        let plain = written.utf8.allSatisfy { $0 < 0x80 }
        if plain { try Self.check(written.lowercased(), shown: shown) }
        let isInternational = !plain || written.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
        let ascii = isInternational ? try idna.ascii(String(written)) : written.lowercased()
        let name = ascii.hasSuffix(".") ? String(ascii.dropLast()) : ascii
        try Self.check(name, shown: shown)
        self.init(checked: name)
    }

    private static func check(_ name: String, shown: String) throws(HostProblem) {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { throw HostProblem("\(shown) has an empty label: two dots, or one in front") }
            guard label.utf8.count <= 63 else {
                throw HostProblem("\(shown) has a label of \(label.utf8.count) characters; at most 63 are allowed")
            }
            guard label.utf8.allSatisfy(isLabelCharacter) else {
                throw HostProblem("\(shown) may hold letters, digits, hyphens and underscores between its dots only")
            }
            guard !label.hasPrefix("-"), !label.hasSuffix("-") else {
                throw HostProblem("\(shown) has a label that begins or ends with a hyphen")
            }
        }
        guard name.utf8.count <= 253 else {
            throw HostProblem("\(shown) is \(name.utf8.count) characters long; at most 253 are allowed")
        }
        if let last = labels.last, isNumber(last) {
            throw HostProblem(
                "\(shown) ends in a number, so it can only be an IPv4 address, and that takes four decimal numbers "
                    + "such as 192.0.2.1")
        }
    }

    private static func isLabelCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Digits, or the hexadecimal form that `inet_aton` takes for part of an address.
    private static func isNumber(_ label: Substring) -> Bool {
        if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
