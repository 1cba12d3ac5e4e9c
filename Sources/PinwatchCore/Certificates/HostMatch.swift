/// A dNSName of a certificate as a pattern for host names (RFC 6125 section 6.4, RFC 9525 section 6.3).
package enum DNSPattern {
    /// Whether any client could match this text: labels of letters, digits, hyphens and underscores, the first of which
    /// may be `*`. A trailing dot, an empty label, a URL, escaped or non-ASCII bytes make it a name of nothing.
    package static func isPlausible(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        let labels = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        for (index, label) in labels.enumerated() {
            if index == 0, label.count == 1, label.first == 0x2A { continue }
            guard (1...63).contains(label.count), label.allSatisfy(isNameByte) else { return false }
        }
        return true
    }

    /// Whether the pattern names this host, ASCII letters without regard to case. `*` stands for exactly one label, only
    /// as the whole leftmost one, and only where at least two labels follow it: `*` and `*.test` match nothing.
    package static func matches(_ pattern: String, _ host: HostName) -> Bool {
        guard isPlausible(pattern) else { return false }
        let wanted = lowered(host.ascii)
        let offered = lowered(pattern)
        guard offered.first == 0x2A else { return offered == wanted }
        let suffix = offered.dropFirst()
        guard suffix.split(separator: 0x2E).count >= 2, let dot = wanted.firstIndex(of: 0x2E), dot > 0 else {
            return false
        }
        return wanted[dot...].elementsEqual(suffix)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func lowered(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}

extension ReferenceIdentity {
    /// Whether the certificate's subjectAltName names this host; the commonName is never looked at.
    ///
    /// Names are compared with dNSName entries only and addresses with iPAddress entries only, as every client on a phone
    /// does. A certificate whose names could not be read matches nothing.
    package func matches(_ certificate: CertificateSummary) -> Bool {
        switch self {
        case .dns(let host): certificate.dnsNames?.contains { DNSPattern.matches($0, host) } ?? false
        case .ip(let address): certificate.ipAddresses?.contains(address) ?? false
        }
    }

    /// The name as a person writes it.
    package var text: String {
        switch self {
        case .dns(let host): host.ascii
        case .ip(let address): address.description
        }
    }
}
