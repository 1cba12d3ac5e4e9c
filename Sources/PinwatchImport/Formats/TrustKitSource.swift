internal import PinwatchCore

/// TrustKit's dictionary in Swift or Objective-C (pin-semantics 2.1): read into what a property list would hold.
struct TrustKitSource {
    private var source: SourceReader
    private var draft: Draft

    static func recognises(_ text: String) -> Bool {
        text.holds("kTSKPinnedDomains") || text.holds("\"TSKPinnedDomains\"")
    }

    static func read(_ text: String, file: String, variant: Variant) -> Draft {
        var reading = TrustKitSource(
            source: SourceReader(text, for: variant), draft: Draft(.trustKitSource, file: file, system: .ios))
        reading.collect()
        return reading.draft
    }

    private init(source: SourceReader, draft: Draft) {
        self.source = source
        self.draft = draft
    }

    private mutating func collect() {
        source.note(&draft)
        for index in source.tokens.indices where isDomainsKey(at: index) {
            readConfiguration(source.value(at: index + 2).value)
            source.askOfCondition(around: index, key: "policy.domains", &draft)
        }
        if draft.layers.isEmpty {
            draft.remark(nil, "no dictionary of pinned domains stands here")
            draft.ask(
                "value", "What stands under kTSKPinnedDomains, and where? Hand that source over too.",
                key: "policy.domains", mustAnswer: true)
        }
        if draft.layers.count > 1 {
            draft.remark(nil, "several TrustKit configurations stand here; each became a layer of its own")
            draft.ask(
                "stack", "Which of the TrustKit configurations is the app started with?", key: "layers",
                at: draft.layers[1].policy.mark, mustAnswer: true)
        }
        draft.ask("platform", "Which is the oldest system that the release supports?", key: "platform")
        draft.ask(
            "stack",
            "Do the app's connections pass through TrustKit (swizzling on, or its validator called by the session's "
                + "delegate)? Those that do not are not pinned by it.", key: "stack")
    }

    private mutating func readConfiguration(_ value: SourceValue) {
        var domains: [Node.Member] = []
        if case .table(let pairs, _) = value {
            for pair in pairs { domains += member(pair, of: "the pinned domains") }
        } else {
            ask(value, "the dictionary of pinned domains")
        }
        domains = once(domains, "the configuration in force of a domain that stands twice,")
        let configuration = Node.mapping([("TSKPinnedDomains", .mapping(domains, value.mark))], value.mark)
        draft.layers.append(
            NativeLayer(client: .trustKitIOS, policy: TrustKitConfiguration.policy(configuration, &draft)))
    }

    private func isDomainsKey(at index: Int) -> Bool {
        guard source.isSign(":", at: index + 1), let token = source.token(index) else { return false }
        return token.word == "kTSKPinnedDomains" || token.kind == .text("TSKPinnedDomains")
    }

    /// The first of each key; which one is in force, where several are, only the app's code tells.
    private mutating func once(_ members: [Node.Member], _ question: String) -> [Node.Member] {
        var (kept, seen): ([Node.Member], Set<String>) = ([], [])
        for member in members {
            guard !seen.insert(member.key).inserted else {
                kept.append(member)
                continue
            }
            draft.remark(member.keyMark, "\"\(member.key)\" stands twice; the app takes one of them, or throws")
            ask(.text(member.key, member.keyMark), question)
        }
        return kept
    }

    private mutating func member(_ pair: SourceValue.Pair, of what: String) -> [Node.Member] {
        let key: String
        switch pair.key {
        case .text(let text, _): key = text
        case .name(let name, _) where Self.last(name).hasPrefix("kTSK"): key = Self.constant(Self.last(name))
        case .name, .flag, .number, .list, .table, .call, .unresolved:
            ask(pair.key, "a key of \(what)")
            return []
        }
        guard key.utf8.count <= PropertyList.keyLimit, let value = node(pair.value, of: key) else { return [] }
        return [Node.Member(key: key, keyMark: pair.key.mark, value: value)]
    }

    /// The string behind a constant of TrustKit's: its name without the `k`, but for the one with the typing error.
    private static func constant(_ name: String) -> String {
        name == "kTSKExcludeSubdomainFromParentPolicy" ? TrustKitConfiguration.excludeKey : String(name.dropFirst())
    }

    private static func last(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    private mutating func node(_ value: SourceValue, of key: String) -> Node? {
        switch value {
        case .text(let text, let mark): return .text(text, mark)
        case .flag(let flag, let mark): return .flag(flag, mark)
        case .number(let digits, let mark): return .number(digits, mark)
        case .list(let items, let mark):
            return .list(items.compactMap { node($0, of: key) }, mark)
        case .table(let pairs, let mark):
            let members = pairs.flatMap { member($0, of: "\"\(key)\"") }
            return .mapping(once(members, "the value in force of a key that stands twice in \"\(key)\","), mark)
        case .call, .name, .unresolved:
            // What TrustKit reports to changes no verdict, however it is put together.
            if !key.hasPrefix("TSKReport") { ask(value, "\(key)'s value") }
            return nil
        }
    }

    private mutating func ask(_ value: SourceValue, _ what: String) {
        draft.remark(value.mark, "\(what) is put together where the app runs: \(value.shown)")
        draft.ask(
            "value", "What is \(what) at line \(value.mark.line): \(value.shown)?", key: "policy.domains",
            at: value.mark, mustAnswer: true)
    }
}
