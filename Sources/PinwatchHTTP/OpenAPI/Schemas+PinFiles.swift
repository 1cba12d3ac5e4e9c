internal import PinwatchCore

extension Schema {
    static let handedFile = one(of: [
        object([("name", text), ("text", text)]),
        object([("name", text), ("base64", text.described("Of a file that is no text."))]),
    ])

    static let pinFileReading = object([
        ("format", text), ("format_words", text.described("As a sentence calls it.")),
        ("origin", text.described("The files that it was read from.")),
        ("source", text.orNull.described("The native pin file that they become; null where too little is known.")),
        (
            "pin_set",
            object(understood + [("problems", problems)]).orNull.described(
                "What the native file says; null where something stands against it.")
        ),
        ("exists", id.orNull.described("The stored pin set of the same app, release, variant and stack.")),
        (
            "problems",
            list(of: object([("field", text.orNull.described("`line:column`.")), ("message", text)])).described(
                "Why the native file cannot be taken as it stands.")
        ),
        (
            "remarks",
            list(
                of: object([
                    ("file", text), ("line", integer(1...).orNull), ("column", integer(1...).orNull),
                    ("message", text),
                ])
            ).described("What was left out or could not be resolved.")
        ),
        ("questions", list(of: question)), ("keys", list(of: pinnableKey)), ("lint", list(of: named(.lintProblem))),
    ])

    private static let question = object([
        ("id", text), ("words", text), ("key", text.described("The key of the native file that answers it.")),
        ("must_answer", flag.described("Whether a verdict without the answer would be a guess.")),
    ])

    private static let pinnableKey = object([
        ("file", text), ("kind", word(PinnableKey.Kind.self)), ("subject", text.orNull), ("not_after", time.orNull),
        ("spki", pin.orNull), ("spki_sha1", text(pattern: "^sha1/[A-Za-z0-9+/]{27}=$").orNull),
        ("certificate_sha256", digest.orNull), ("certificate_sha1", text(pattern: "^[0-9a-f]{40}$").orNull),
        ("raw_key_sha256", digest.orNull.described("Of the key alone, which no client pins.")),
    ])
}
