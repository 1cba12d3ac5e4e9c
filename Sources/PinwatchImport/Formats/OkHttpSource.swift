internal import PinwatchCore

/// OkHttp's `CertificatePinner` in Kotlin or Java (pin-semantics 5).
struct OkHttpSource {
    private var source: SourceReader
    private var draft: Draft
    private var entries: [(pattern: SourceValue, pins: [SourceValue])] = []

    static func recognises(_ text: String) -> Bool { text.holds("CertificatePinner") }

    static func read(_ text: String, file: String, context: ImportContext) -> Draft {
        var reading = OkHttpSource(
            source: SourceReader(text, for: context.variant), draft: Draft(.okHttpSource, file: file, system: .android))
        reading.collect()
        return reading.finished(context)
    }

    private init(source: SourceReader, draft: Draft) {
        self.source = source
        self.draft = draft
    }

    /// Every `add("pattern", "sha256/…")` and `Pin("pattern", "sha256/…")`.
    private mutating func collect() {
        let builders = builderNames()
        var index = 0
        // Up to where the calls belong to a `CertificatePinner.Builder()` that stands before them.
        var chainEnd = 0
        while index < source.tokens.count, !source.isExhausted {
            let word = source.word(at: index)
            if index >= chainEnd, word == "CertificatePinner", source.word(at: index + 2) == "Builder" {
                chainEnd = endOfChain(index + 3)
            }
            guard word == "add" || word == "Pin", source.isSign("(", at: index + 1) else {
                index += 1
                continue
            }
            let call = source.arguments(at: index + 1)
            let values = call.arguments.flatMap { Self.flattened($0.value) }
            let receiver = source.isSign(".", at: index - 1) ? source.word(at: index - 2) : nil
            let isPinner = index < chainEnd || receiver.map(builders.contains) ?? false || word == "Pin"
            if let pattern = values.first, isPinner || values.dropFirst().contains(where: Self.isPin),
                values.count > 1 || isPinner
            {
                entries.append((pattern, Array(values.dropFirst())))
                index = call.end
            } else {
                index += 1
            }
        }
    }

    /// Variables that hold a builder.
    private func builderNames() -> Set<String> {
        var names: Set<String> = []
        for index in source.tokens.indices where source.word(at: index) == "CertificatePinner" {
            guard source.word(at: index + 2) == "Builder" else { continue }
            let equals = source.word(at: index - 1) == "new" ? index - 2 : index - 1
            if source.isSign("=", at: equals), let name = source.word(at: equals - 1) { names.insert(name) }
        }
        return names
    }

    /// Behind the calls that follow one another, and the braces of Kotlin's `apply { … }`.
    private func endOfChain(_ start: Int) -> Int {
        var (index, depth) = (start, 0)
        while let token = source.token(index) {
            if case .sign(let sign) = token.kind {
                if "([{".contains(sign) { depth += 1 }
                if ")]}".contains(sign) { depth -= 1 }
                if depth < 0 || sign == ";" && depth == 0 { return index }
                if depth == 0, "=,".contains(sign) { return index }
            } else if depth == 0, !source.isSign(".", at: index - 1) {
                let opens = source.isSign("{", at: index + 1)
                if token.word != nil, !opens { return index }
            }
            index += 1
        }
        return index
    }

    private static func isPin(_ value: SourceValue) -> Bool {
        guard case .text(let text, _) = value else { return false }
        return text.hasPrefix("sha256/") || text.hasPrefix("sha1/")
    }

    /// What Kotlin's spread and Java's arrays hold.
    private static func flattened(_ value: SourceValue) -> [SourceValue] {
        switch value {
        case .list(let items, _): items
        case .call(let name, let arguments, _)
        where ["arrayOf", "listOf", "setOf", "Arrays.asList", "List.of", "Set.of", "mutableListOf"].contains(name):
            arguments.map(\.value)
        case .text, .flag, .number, .table, .call, .name, .unresolved: [value]
        }
    }

    private mutating func finished(_ context: ImportContext) -> Draft {
        let mark = entries.first?.pattern.mark ?? .start
        var items: [Node] = []
        for entry in entries {
            guard case .text(let pattern, let place) = entry.pattern else {
                unresolved(entry.pattern, "the host pattern")
                continue
            }
            let pins = entry.pins.compactMap { pin($0, of: pattern) }
            items.append(.mapping([("pattern", .text(pattern, place)), ("pins", .list(pins, place))], place))
        }
        if entries.isEmpty {
            draft.remark(nil, "no call of CertificatePinner.Builder's add was found, so nothing is pinned")
        }
        if source.isExhausted {
            draft.remark(nil, "the source nests too deeply to be read to its end")
            draft.ask(
                "value", "Which hosts and pins does the rest of the source add?", key: "policy.pins", mustAnswer: true)
        }
        source.note(&draft)
        let client: Client = context.client == .okhttp3 ? .okhttp3 : .okhttp
        draft.layers = [NativeLayer(client: client, policy: .mapping([("pins", .list(items, mark))], mark))]
        if context.client == nil {
            draft.ask(
                "client_version",
                "Which version of OkHttp is it? Below 4.3 write `client: okhttp3`: there patterns "
                    + "with ** never match.", key: "client")
        }
        draft.ask("stack", "Is this pinner given to every OkHttpClient that the app calls with?", key: "stack")
        draft.ask("platform", "Which is the app's minSdkVersion?", key: "platform")
        return draft
    }

    /// OkHttp throws for prefixes of other kinds; the native notation has none for them, so they are named.
    private mutating func pin(_ value: SourceValue, of pattern: String) -> Node? {
        guard case .text(let text, let mark) = value else {
            unresolved(value, "a pin of \(pattern)")
            return nil
        }
        if !Self.isPin(value) {
            draft.remark(
                mark, "OkHttp throws for the pin \"\(text.prefix(60))\": it must begin with sha256/ or sha1/")
            return .rawPin(text, mark)
        }
        return .text(text, mark)
    }

    private mutating func unresolved(_ value: SourceValue, _ what: String) {
        draft.remark(value.mark, "\(what) is put together where the app runs: \(value.shown)")
        draft.ask(
            "value", "What is \(what) at line \(value.mark.line): \(value.shown)?", key: "policy.pins", mustAnswer: true
        )
    }

    /// Kotlin or Java that builds the policy.
    static func write(_ policy: Node, notes: [String], in language: SourceLiteral) -> String {
        let comments =
            notes + [
                "*. covers exactly one more label and not the name itself; **. covers both and needs OkHttp 4.3.",
                "A request host with a trailing dot is not pinned. There is no expiry, so keep a backup pin.",
            ]
        let adds = (policy["pins"]?.items ?? []).map { entry in
            let pattern = language.quoted(entry["pattern"]?.scalar ?? "")
            let pins = (entry["pins"]?.items ?? []).map { language.quoted(PinNotation.prefixed($0)) }
            return "    .add(" + ([pattern] + pins).joined(separator: ", ") + ")\n"
        }
        let head = comments.map { "// \(SourceLiteral.comment($0))\n" }.joined()
        if language == .java {
            return head + """
                CertificatePinner pinner = new CertificatePinner.Builder()
                \(adds.joined())    .build();
                OkHttpClient client = new OkHttpClient.Builder().certificatePinner(pinner).build();

                """
        }
        return head + """
            val pinner = CertificatePinner.Builder()
            \(adds.joined())    .build()
            val client = OkHttpClient.Builder().certificatePinner(pinner).build()

            """
    }
}
