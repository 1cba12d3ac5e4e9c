internal import PinwatchCore

/// OkHttp's `CertificatePinner` in Kotlin or Java (pin-semantics 5).
struct OkHttpSource {
    private let built: OkHttpPinners
    private var draft: Draft

    static func recognises(_ text: String) -> Bool { text.holds("CertificatePinner") }

    static func read(_ text: String, file: String, context: ImportContext) -> Draft {
        var reading = OkHttpSource(
            built: OkHttpPinners(SourceReader(text, for: context.variant)),
            draft: Draft(.okHttpSource, file: file, system: .android))
        return reading.finished(context)
    }

    private init(built: OkHttpPinners, draft: Draft) {
        self.built = built
        self.draft = draft
    }

    private mutating func finished(_ context: ImportContext) -> Draft {
        let source = built.source
        source.note(&draft)
        let client: Client = context.client == .okhttp3 ? .okhttp3 : .okhttp
        for pinner in built.pinners {
            let policy = policy(pinner.entries)
            draft.layers.append(NativeLayer(client: client, policy: policy))
        }
        askOfPinners()
        if source.isExhausted {
            draft.remark(nil, "the source nests too deeply to be read to its end")
            draft.ask(
                "value", "Which hosts and pins does the rest of the source add?", key: "policy.pins", mustAnswer: true)
        }
        if draft.layers.isEmpty { draft.layers = [NativeLayer(client: client, policy: policy([]))] }
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

    private mutating func policy(_ entries: [OkHttpPinners.Entry]) -> Node {
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
        return .mapping([("pins", .list(items, mark))], mark)
    }

    /// What of the pinners only the app's code tells, beside their pins.
    private mutating func askOfPinners() {
        for pinner in built.pinners {
            for place in pinner.places { built.source.askOfCondition(around: place, key: "policy.pins", &draft) }
        }
        if built.pinners.count > 1 {
            draft.remark(nil, "several pinners are built here; each became a layer of its own")
            draft.ask(
                "stack", "Which OkHttpClient has which of the pinners?", key: "layers", at: built.pinners[1].mark,
                mustAnswer: true)
        }
        guard built.pinners.isEmpty else { return }
        draft.remark(nil, "no call of CertificatePinner.Builder's add was found, so nothing is pinned")
        if let mark = built.unread {
            draft.ask(
                "value", "What does the app add to the pinner that is built at line \(mark.line)?",
                key: "policy.pins", at: mark, mustAnswer: true)
        }
    }

    /// OkHttp throws for prefixes of other kinds; the native notation has none for them, so they are named.
    private mutating func pin(_ value: SourceValue, of pattern: String) -> Node? {
        guard case .text(let text, let mark) = value else {
            unresolved(value, "a pin of \(pattern)")
            return nil
        }
        if !OkHttpPinners.isPin(value) {
            draft.remark(
                mark, "OkHttp throws for the pin \"\(text.prefix(60))\": it must begin with sha256/ or sha1/")
            return .rawPin(text, mark)
        }
        return .text(text, mark)
    }

    private mutating func unresolved(_ value: SourceValue, _ what: String) {
        draft.remark(value.mark, "\(what) is put together where the app runs: \(value.shown)")
        draft.ask(
            "value", "What is \(what) at line \(value.mark.line): \(value.shown)?", key: "policy.pins",
            at: value.mark, mustAnswer: true)
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
