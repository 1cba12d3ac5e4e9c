internal import FoundationEssentials

extension PinFileReading {
    /// What was understood of files, for somebody who is asked whether to keep it.
    ///
    /// - Parameter existing: The stored pin set of the same identity.
    package func json(existing: PinSetID?) -> JSON {
        let pinSet = definition.map { JSON.object($0.members() + [("problems", $0.problems)]) }
        return .object([
            ("format", .string(format)), ("format_words", .string(formatWords)), ("origin", .string(origin)),
            ("source", .text(source)), ("pin_set", pinSet ?? .null), ("exists", .text(existing?.text)),
            ("problems", .array(problems.map(\.placed))),
            ("remarks", .array(remarks.prefix(LintProblem.shown).map(\.json))),
            ("questions", .array(questions.prefix(LintProblem.shown).map(\.json))), ("keys", .array(keys.map(\.json))),
            ("lint", .array(lint.prefix(LintProblem.shown).map(\.json))),
        ])
    }
}

extension Problem {
    /// `{field, message}`, where `field` is a place in the text as `line:column`.
    fileprivate var placed: JSON {
        .object([("field", .text(mark.map { "\($0.line):\($0.column)" })), ("message", .string(message))])
    }
}

extension Remark {
    /// `{file, line, column, message}`.
    package var json: JSON {
        .object([
            ("file", .string(file)), ("line", .whole(mark?.line)), ("column", .whole(mark?.column)),
            ("message", .string(message)),
        ])
    }
}

extension Question {
    /// `{id, words, key, must_answer}`.
    package var json: JSON {
        .object([
            ("id", .string(id)), ("words", .string(words)), ("key", .string(key)), ("must_answer", .bool(mustAnswer)),
        ])
    }
}

extension PinnableKey {
    /// `{file, kind, subject, not_after}` and its five hashes: of keys as pins are written, the others in hexadecimal digits.
    package var json: JSON {
        .object([
            ("file", .string(file)), ("kind", .string(kind.rawValue)), ("subject", .text(subject)),
            ("not_after", .time(notAfter)), ("spki", .text(spki?.pin)),
            ("spki_sha1", .text(spkiSHA1.map { Pin.spkiSHA1(text: PinText.canonical($0)).text })),
            ("certificate_sha256", .text(certificate?.hex)),
            ("certificate_sha1", .text(certificateSHA1.map { Hex.text($0) })),
            ("raw_key_sha256", .text(rawKey?.hex)),
        ])
    }
}

extension HandedFile {
    /// `{name, text}`, or `{name, base64}` for what is no text.
    package var json: JSON {
        let content: (String, JSON) =
            if let text = String(validating: bytes, as: UTF8.self) {
                ("text", .string(text))
            } else {
                ("base64", .string(Data(bytes).base64EncodedString()))
            }
        return .object([("name", .string(name)), content])
    }
}
