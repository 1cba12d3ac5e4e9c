internal import PinwatchCore

/// Pins alone, one or several a line, in every notation that people paste (pin-semantics 11).
struct BarePins {
    /// The most pins of one text.
    static let countLimit = 10_000
    /// The most bytes of a line with pins: an RSA key of 16,384 bits has some 4,200 digits.
    private static let lineLimit = 16_384

    /// What a pin's notation says that it is.
    enum Kind: Hashable {
        /// SHA-256 of a SubjectPublicKeyInfo.
        case spki(String)
        case spkiSHA1(String)
        case certificate(SHA256Digest)
        /// 32 bytes of a key's or a certificate's hash.
        case unknown(SHA256Digest)
        /// 20 bytes, usually of a certificate.
        case sha1([UInt8])
        /// A key itself, as .NET's `GetPublicKeyString` prints it.
        case rawKey([UInt8])
        /// OpenSSH's notation of one of its own keys.
        case openSSH
    }

    /// Whether every word of the text is a pin; comments begin with `#` or `//`.
    static func recognises(_ text: String) -> Bool {
        let words = words(text)
        return !words.isEmpty && words.allSatisfy { kind($0.text) != nil }
    }

    static func read(_ text: String, file: String, found: [FoundKey], context: ImportContext) -> Draft {
        var draft = Draft(.barePins, file: file)
        let references = context.references.map { FiveHashes($0) } + found.map { FiveHashes($0) }
        let words = ToolOutput.withoutDoubles(words(text)) {
            draft.remark($0.mark, "\($0.shown) is left out: the SHA-256 of its certificate stands beside it")
        }
        if words.count > countLimit { draft.remark(nil, "only the first \(countLimit) pins are read") }
        let pins = words.prefix(countLimit).compactMap { word in
            kind(word.text).flatMap { pin($0, word, references, context.client, &draft) }
        }
        draft.layers = ClientPins.layers(pins, at: pins.first?.mark, context: context, &draft)
        return draft
    }

    struct Word {
        let text: String
        let mark: Mark

        /// Without the name that a tool's line was given.
        var shown: String { text.hasPrefix("cert-sha1:") ? String(text.dropFirst(10)) : text }
    }

    /// Words without the quotes, commas and list marks around them; names before `=` and `:` are passed over. None of a text
    /// with a line that is no list of pins.
    static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        for (index, line) in text.lines.enumerated() where words.count <= countLimit {
            guard line.utf8.count <= lineLimit else { return [] }
            let body = line.drop { $0.isWhitespace || "-*,;".contains($0) }
            if body.hasPrefix("#") || body.hasPrefix("//") || ToolOutput.isNoise(body) { continue }
            if let word = ToolOutput.word(body) {
                words.append(Word(text: word, mark: Mark(line: index + 1, column: 1)))
                continue
            }
            // Hexadecimal may have blanks within it.
            let whole = stripped(line)
            if hex(whole.filter { !$0.isWhitespace && $0 != ":" }) != nil {
                words.append(Word(text: whole, mark: Mark(line: index + 1, column: 1)))
                continue
            }
            for part in line.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" })
            where words.count <= countLimit {
                if part.hasPrefix("#") || part.hasPrefix("//") { break }
                let word = stripped(part)
                guard !word.isEmpty, word != "-", word != "*" else { continue }
                let column = line.distance(from: line.startIndex, to: part.startIndex) + 1
                words.append(Word(text: word, mark: Mark(line: index + 1, column: column)))
            }
        }
        return words
    }

    private static func stripped(_ text: Substring) -> String {
        let isOuter: (Character) -> Bool = { $0.isWhitespace || "\"'`,;[](){}".contains($0) }
        var body = text.drop(while: isOuter)
        // The quotes of `pin-sha256="…"` belong to it.
        if let sign = body.firstRange(of: "pin-sha256=") { body = body[sign.upperBound...].drop(while: isOuter) + "" }
        while let last = body.last, isOuter(last) { body.removeLast() }
        return (text.contains("pin-sha256=") ? "pin-sha256:" : "") + body
    }

    /// `nil` for what is no pin in any notation.
    static func kind(_ text: String) -> Kind? {
        for prefix in ["sha256//", "sha256/", "pin-sha256:"] where text.hasPrefix(prefix) {
            let rest = String(text.dropFirst(prefix.count))
            return rest.isEmpty ? nil : .spki(rest)
        }
        if text.hasPrefix("sha1/") { return .spkiSHA1(String(text.dropFirst(5))) }
        if text.hasPrefix("cert-sha256:") {
            return SHA256Digest(hex: text.dropFirst(12).filter { $0 != ":" }).map { .certificate($0) }
        }
        if text.hasPrefix("cert-sha1:") { return Hex.bytes(String(text.dropFirst(10))).map { .sha1($0) } }
        if text.hasPrefix("SHA256:") { return .openSSH }
        let digits = text.filter { !$0.isWhitespace && $0 != ":" }
        if let bytes = hex(digits) {
            if let digest = SHA256Digest(bytes) { return .unknown(digest) }
            if bytes.count == 20 { return .sha1(bytes) }
            return bytes.count > 32 && (digits.hasPrefix("3082") || digits.hasPrefix("04")) ? .rawKey(bytes) : nil
        }
        guard [43, 44].contains(text.utf8.count), let bytes = PinText.bytes(base64: text) else { return nil }
        return SHA256Digest(bytes).map { .unknown($0) }
    }

    private static func hex(_ digits: String) -> [UInt8]? {
        digits.utf8.count >= 40 ? Hex.bytes(digits) : nil
    }
}
