internal import PinwatchCore

/// Alamofire's server trust in Swift (pin-semantics 1.1 and 1.2), with the certificates of the bundle handed over beside.
struct AlamofireSource {
    /// A server trust manager that is made, with the place of its name among the tokens.
    struct Making {
        let arguments: [SourceValue.Argument]
        let mark: Mark
        let place: Int
    }

    var source: SourceReader
    var draft: Draft
    let bundle: CertificateBundle
    /// Types that the source declares itself.
    let declared: [String: Mark]

    static func recognises(_ text: String) -> Bool {
        ["ServerTrustManager", "ServerTrustPolicyManager", "TrustEvaluator("].contains(where: text.holds)
    }

    static func read(_ text: String, file: String, found: [FoundKey], variant: Variant) -> Draft {
        var reading = AlamofireSource(text, file: file, found: found, variant: variant)
        reading.collect()
        return reading.draft
    }

    private init(_ text: String, file: String, found: [FoundKey], variant: Variant) {
        source = SourceReader(text, for: variant)
        draft = Draft(.alamofireSource, file: file, system: .ios)
        bundle = CertificateBundle(found)
        var declared: [String: Mark] = [:]
        for index in source.tokens.indices {
            guard let word = source.word(at: index), ["class", "struct", "enum", "typealias"].contains(word) else {
                continue
            }
            if let name = source.word(at: index + 1) { declared[name] = source.token(index + 1)?.mark }
        }
        self.declared = declared
    }

    private mutating func collect() {
        source.note(&draft)
        warnOfDeclarations()
        let modern = managers(["ServerTrustManager"] + subclasses(of: "ServerTrustManager"))
        let legacy = managers(["ServerTrustPolicyManager"] + subclasses(of: "ServerTrustPolicyManager"))
        for manager in modern { readModern(manager) }
        for manager in legacy { readLegacy(manager) }
        if modern.isEmpty, legacy.isEmpty {
            draft.remark(nil, "no server trust manager is made here, so these evaluators bind no session")
            draft.ask(
                "host_lookup", "Where is the ServerTrustManager made, and for which hosts? Hand that source over too.",
                key: "policy.evaluators",
                at: source.tokens.first { $0.word?.hasSuffix("TrustEvaluator") ?? false }?.mark, mustAnswer: true)
        }
        for manager in modern + legacy { source.askOfCondition(around: manager.place, key: "policy", &draft) }
        if modern.count + legacy.count > 1 {
            draft.remark(nil, "several server trust managers are made here; each became a layer of its own")
            draft.ask(
                "stack", "Which session uses which of the server trust managers?", key: "layers",
                at: (modern + legacy)[1].mark, mustAnswer: true)
        }
        draft.ask("client_version", "Which version of Alamofire is it?", key: "client_version")
        draft.ask("platform", "Which is the oldest system that the release supports?", key: "platform")
        draft.ask("stack", "Do all requests go through the session that has this manager?", key: "stack")
    }

    private mutating func managers(_ names: [String]) -> [Making] {
        var found: [Making] = []
        for index in source.tokens.indices {
            guard let word = source.word(at: index), names.contains(word) else { continue }
            let isInit = source.isSign(".", at: index + 1) && source.word(at: index + 2) == "init"
            let open = isInit ? index + 3 : index + 1
            guard source.isSign("(", at: open), source.word(at: index - 1) != "func" else { continue }
            let arguments = source.arguments(at: open).arguments
            found.append(Making(arguments: arguments, mark: source.token(index)?.mark ?? .start, place: index))
        }
        return found
    }

    /// The pairs of hosts and what is done for them.
    mutating func hosts(_ arguments: [SourceValue.Argument], _ label: String, at mark: Mark) -> [SourceValue.Pair] {
        guard let argument = arguments.first(where: { $0.label == label }) else {
            draft.remark(mark, "there is no argument \(label) here")
            return []
        }
        guard case .table(let pairs, _) = argument.value else {
            unresolved(argument.value, "the dictionary of hosts")
            return []
        }
        return pairs.filter { pair in
            if case .text(let host, _) = pair.key, host.utf8.count <= PropertyList.keyLimit { return true }
            unresolved(pair.key, "a host")
            return false
        }
    }

    mutating func unresolved(_ value: SourceValue, _ what: String) {
        draft.remark(value.mark, "\(what) is put together where the app runs: \(value.shown)")
        draft.ask(
            "value", "What is \(what) at line \(value.mark.line): \(value.shown)?", key: "policy",
            at: value.mark, mustAnswer: true)
    }

    private mutating func readModern(_ manager: Making) {
        let pairs = hosts(manager.arguments, "evaluators", at: manager.mark)
        var evaluators: [Node.Member] = []
        for pair in pairs {
            guard case .text(let host, let mark) = pair.key, let node = evaluator(pair.value, host: host) else {
                continue
            }
            evaluators.append(Node.Member(key: host, keyMark: mark, value: node))
        }
        let all = manager.arguments.first { $0.label == "allHostsMustBeEvaluated" }
        let members: [(String, Node?)] = [
            ("all_hosts_must_be_evaluated", all.flatMap { flag($0) }),
            ("evaluators", .mapping(once(evaluators), manager.mark)),
        ]
        draft.layers.append(NativeLayer(client: .alamofire, policy: .mapping(members, manager.mark)))
    }

    /// A dictionary with a key twice makes the app trap at its start.
    mutating func once(_ members: [Node.Member]) -> [Node.Member] {
        var (kept, seen): ([Node.Member], Set<String>) = ([], [])
        for member in members {
            if seen.insert(member.key).inserted {
                kept.append(member)
            } else {
                draft.remark(
                    member.keyMark, "\(member.key) stands twice in one dictionary, over which the app ends as it starts"
                )
            }
        }
        return kept
    }

    mutating func flag(_ argument: SourceValue.Argument) -> Node? {
        if case .flag(let flag, let mark) = argument.value { return .flag(flag, mark) }
        unresolved(argument.value, argument.label ?? "a flag")
        return nil
    }

    private mutating func evaluator(_ value: SourceValue, host: String) -> Node? {
        var (name, arguments, mark) = ("", [SourceValue.Argument](), value.mark)
        switch value {
        case .call(let called, let given, let place): (name, arguments, mark) = (called, given, place)
        case .name(let named, let place): (name, mark) = (named, place)
        case .text, .flag, .number, .list, .table, .unresolved:
            unresolved(value, "the evaluator of \(host)")
            return nil
        }
        let short = name.hasPrefix("Alamofire.") ? String(name.dropFirst(10)) : name
        let bare = short.hasSuffix(".init") ? String(short.dropLast(5)) : short
        if declared[bare] != nil, AlamofireNames.evaluators[bare] != nil {
            draft.remark(mark, "\(host) is left out: its \(bare) is the app's own")
            return nil
        }
        guard let word = AlamofireNames.evaluators[bare] else {
            unknown(bare, host: host, at: mark)
            return nil
        }
        var members: [(String, Node?)] = [("evaluator", .word(word, mark))]
        for argument in arguments { members += self.members(of: argument, word: word, host: host) }
        if word == "public_keys" { members.append(("pins", bundle.keys(at: mark, &draft))) }
        if word == "pinned_certificates" { members.append(("pins", bundle.certificates(at: mark, &draft))) }
        return .mapping(members, mark)
    }

    private mutating func members(
        of argument: SourceValue.Argument, word: String, host: String
    ) -> [(String, Node?)] {
        switch argument.label {
        case "performDefaultValidation": return [("perform_default_validation", flag(argument))]
        case "validateHost": return [("validate_host", flag(argument))]
        case "acceptSelfSignedCertificates": return [("accept_self_signed", flag(argument))]
        case "keys", "certificates":
            draft.remark(
                argument.value.mark,
                "\(host) has its own \(argument.label ?? ""): every certificate that was handed over "
                    + "is taken for one of them")
            draft.ask(
                "bundle",
                "Which of the certificates that were handed over are those of \(host): \(argument.value.shown)?",
                key: "policy.evaluators", at: argument.value.mark, mustAnswer: bundle.count > 1)
            return []
        case "evaluators" where word == "composite":
            guard case .list(let items, let mark) = argument.value else {
                unresolved(argument.value, "the evaluators of \(host)")
                return []
            }
            return [("evaluators", .list(items.compactMap { evaluator($0, host: host) }, mark))]
        case "options": return []
        case let label:
            unknown("\(word)'s argument \(label ?? argument.value.shown)", host: host, at: argument.value.mark)
            return []
        }
    }

    mutating func unknown(_ name: String, host: String, at mark: Mark) {
        let known = AlamofireNames.taught[name.split(separator: " ").last.map(String.init) ?? name]
        let hint = known.map { "; articles teach it, and \($0)" } ?? ""
        draft.remark(mark, "Alamofire has no \(name)\(hint)")
        draft.ask(
            "evaluator",
            "What does \(name) do for \(host) (line \(mark.line))? Hand over the source that declares it, or "
                + "write the entry by hand.", key: "policy.evaluators", at: mark, mustAnswer: true)
    }
}
