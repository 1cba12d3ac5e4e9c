/// The list of fingerprints that Wultra's client holds, and what the app does with its answer (pin-semantics 6).
struct WultraList: Sendable {
    struct Entry: Sendable {
        /// Compared with the certificate's own common name, letter by letter.
        let name: String
        /// Base64 of the SHA-256 over a whole leaf certificate, as written.
        let fingerprint: String
        /// The last instant at which the entry counts.
        let expires: Instant
    }

    /// What the app does where the list says nothing of a name.
    enum OnEmpty: String, CaseIterable {
        case reject, accept
    }

    let entries: [Entry]
    /// The only common names that the app accepts; `nil` for no such list.
    let expectedCommonNames: [String]?
    /// `nil` where the file does not say: reject, as documented.
    let onEmpty: OnEmpty?

    init(entries: [Entry], expectedCommonNames: [String]? = nil, onEmpty: OnEmpty? = nil) {
        self.entries = entries
        self.expectedCommonNames = expectedCommonNames
        self.onEmpty = onEmpty
    }

    init?(from node: Node, reader: inout NodeReader) {
        let before = reader.problems.count
        guard
            let policy = reader.mapping(
                node, "policy", allowed: ["fingerprints", "expected_common_names", "on_empty"])
        else { return nil }
        let items = policy.required("fingerprints", &reader).flatMap { reader.sequence($0, "fingerprints") } ?? []
        let entries = items.compactMap { Self.entry($0, &reader) }
        let names = policy["expected_common_names"].map { node in
            (reader.sequence(node, "expected_common_names") ?? []).compactMap {
                reader.string($0, "a name of expected_common_names")
            }
        }
        let onEmpty = policy["on_empty"].map { reader.word($0, "on_empty", of: OnEmpty.self) }
        guard reader.problems.count == before else { return nil }
        self.init(entries: entries, expectedCommonNames: names, onEmpty: onEmpty ?? nil)
    }

    private static func entry(_ node: Node, _ reader: inout NodeReader) -> Entry? {
        let before = reader.problems.count
        let what = "an entry of fingerprints"
        guard let entry = reader.mapping(node, what, allowed: ["name", "fingerprint", "expires"]) else { return nil }
        let name = entry.required("name", &reader).flatMap { reader.string($0, "name") }
        let fingerprint = entry.required("fingerprint", &reader).flatMap { reader.string($0, "fingerprint") }
        let expires = entry.required("expires", &reader).flatMap { reader.integer($0, "expires", in: 0...1 << 40) }
        guard reader.problems.count == before, let name, let fingerprint, let expires else { return nil }
        return Entry(name: name, fingerprint: fingerprint, expires: Instant(unixSeconds: Int64(expires)))
    }
}

extension CertificateSummary {
    /// The value of the subject's most specific commonName, from its RFC 4514 text; `nil` where it has none.
    var commonName: String? {
        var rest = Substring(subject ?? "")
        while !rest.isEmpty {
            var attribute = ""
            while let character = rest.popFirst(), character != ",", character != "+" {
                attribute.append(character)
                if character == "\\", let escaped = rest.popFirst() { attribute.append(escaped) }
            }
            if attribute.uppercased().hasPrefix("CN=") { return Self.unescaped(attribute.dropFirst(3)) }
        }
        return nil
    }

    /// RFC 4514 section 3: `\` and two hexadecimal digits is a byte, `\` and another character is that character.
    private static func unescaped(_ value: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = value.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if let pair = Hex.bytes(String(decoding: rest.prefix(2), as: UTF8.self)), let first = pair.first {
                bytes.append(first)
                rest = rest.dropFirst(2)
            } else if let next = rest.popFirst() {
                bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
