extension ListenAddress {
    /// Reads `127.0.0.1:8080` or `[::1]:8080`. Names are refused: what they resolve to decides who can connect.
    ///
    /// - Throws: What was wrong and what to write.
    package init(_ text: String) throws(HostProblem) {
        guard let colon = text.lastIndex(of: ":") else { throw Self.refusal(text) }
        let (host, digits) = (text[..<colon], text[text.index(after: colon)...])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(String(isBracketed ? host.dropFirst().dropLast() : host)),
            isBracketed == host.contains(":"), (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { throw Self.refusal(text) }
        self.init(address: address, port: port)
    }

    private static func refusal(_ text: String) -> HostProblem {
        HostProblem(
            "\(HostInput.quoted(text)) is not an address with a port; write one such as 127.0.0.1:8080 or [::1]:8080")
    }
}
