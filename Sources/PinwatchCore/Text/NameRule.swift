/// What names may be that other things refer to and that addresses carry: a channel's, a trust store's, a label's.
package enum NameRule {
    /// As a regular expression (ECMA-262), for documents.
    package static let pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"
    /// Completes "takes …" and "must be …".
    package static let words = "1 to 64 letters, digits, dots, hyphens and underscores, with no dot in front"

    package static func allows(_ text: String) -> Bool {
        // Addresses made of dots alone mean another place.
        (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }
}
