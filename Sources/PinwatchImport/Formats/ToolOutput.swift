internal import PinwatchCore

/// Hashes as common tools print them: lines that say what they are of, and lines that are no hash at all.
enum ToolOutput {
    /// What openssl and keytool print beside.
    static func isNoise(_ line: Substring) -> Bool {
        let text = line.lowercased()
        let isOfKey = ["writing ", "read "].contains(where: text.hasPrefix) && text.trimmed.hasSuffix(" key")
        return isOfKey || text.trimmed == "certificate fingerprints:" || label(text[...])?.name == "md5"
    }

    /// The hash of a line with a label, in the notation of bare pins; `nil` for any other line.
    ///
    /// `openssl x509 -fingerprint` and keytool hash whole certificates; of what `openssl dgst` and `sha256sum` have
    /// hashed their lines say nothing.
    static func word(_ line: Substring) -> String? {
        if let sum = checksum(line) { return sum }
        guard let (name, value) = label(line) else { return nil }
        let digits = value.filter { $0 != ":" && !$0.isWhitespace }
        guard let bytes = Hex.bytes(digits) else { return nil }
        switch (name, bytes.count) {
        case ("sha256 fingerprint", 32), ("sha256", 32): return "cert-sha256:" + digits.lowercased()
        case ("sha1 fingerprint", 20), ("sha1", 20): return "cert-sha1:" + digits.lowercased()
        case (let name, 20), (let name, 32): return name.hasSuffix(")") ? digits : nil
        case _: return nil
        }
    }

    /// Without the SHA-1 of a certificate where a listing of its hashes has the SHA-256 too.
    static func withoutDoubles(_ words: [BarePins.Word], told: (BarePins.Word) -> Void) -> [BarePins.Word] {
        var kept: [BarePins.Word] = []
        for (index, word) in words.enumerated() {
            let isSHA1 = word.text.hasPrefix("cert-sha1:")
            let beside = [index - 1, index + 1].filter(words.indices.contains).map { words[$0] }
            let isDouble =
                isSHA1
                && beside.contains { other in
                    other.text.hasPrefix("cert-sha256:") && abs(other.mark.line - word.mark.line) == 1
                }
            if isDouble { told(word) } else { kept.append(word) }
        }
        return kept
    }

    /// `SHA256 Fingerprint=…`, `SHA-256: …`, `SHA2-256(stdin)= …`, `SHA256 (leaf.der) = …`: the name in lower case, with
    /// `)` alone for what was hashed, and what follows.
    private static func label(_ line: Substring) -> (name: String, value: Substring)? {
        guard let sign = line.lastIndex(of: "=") ?? line.firstIndex(of: ":") else { return nil }
        let written = line[..<sign].lowercased().trimmed
        let value = line[line.index(after: sign)...]
        if written.hasSuffix(")") {
            let hash = written.prefix { $0 != "(" }.filter { $0 != " " }
            return ["", "sha256", "sha2-256", "sha1", "sha-256", "sha-1"].contains(hash) ? (")", value) : nil
        }
        let name = written.replacing("sha-", with: "sha").replacing("sha2-256", with: "sha256")
        return ["sha256 fingerprint", "sha256", "sha1 fingerprint", "sha1", "md5"].contains(name) ? (name, value) : nil
    }

    /// `HEX  leaf.der` and `HEX *stdin`, as `sha256sum` and `openssl dgst -r` print.
    private static func checksum(_ line: Substring) -> String? {
        let digits = line.prefix { $0.isHexDigit }
        let rest = line.dropFirst(digits.count)
        guard digits.utf8.count == 64, rest.hasPrefix("  ") || rest.hasPrefix(" *"), rest.count > 2 else { return nil }
        let name = rest.dropFirst(2)
        return name.allSatisfy { $0.isHexDigit || $0.isWhitespace } ? nil : String(digits)
    }
}
