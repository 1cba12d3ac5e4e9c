extension AlamofireEvaluator {
    private static let keys = [
        "evaluator", "pins", "evaluators", "perform_default_validation", "validate_host", "accept_self_signed",
    ]

    /// - Parameters:
    ///   - depth: 1 for a host's own evaluator, one more for each composite around it.
    ///   - idle: Receives a sentence for each key that this evaluator has no use for.
    init?(from node: Node, what: String, depth: Int = 1, idle: inout [String], reader: inout NodeReader) {
        let before = reader.problems.count
        guard let entry = reader.mapping(node, what, allowed: Self.keys),
            let word = entry.required("evaluator", &reader).flatMap({ reader.word($0, "evaluator", of: Word.self) })
        else { return nil }
        for key in Self.keys where !word.keys.contains(key) && entry[key] != nil {
            idle.append("\(key) of \(what) does nothing: the evaluator \(word.rawValue) has no such argument")
        }
        let validation = Validation(
            isDefault: Self.flag("perform_default_validation", entry, &reader) ?? true,
            coversHost: Self.flag("validate_host", entry, &reader) ?? true)
        let evaluator: AlamofireEvaluator?
        switch word {
        case .standard: evaluator = .standard(validation)
        case .revocation: evaluator = .revocation(validation)
        case .disabled: evaluator = .disabled
        case .publicKeys: evaluator = Self.pins(entry, &reader).map { .keys(BundledPins($0, as: .keys), validation) }
        case .pinnedCertificates:
            let acceptsSelfSigned = Self.flag("accept_self_signed", entry, &reader) ?? false
            evaluator = Self.pins(entry, &reader).map {
                .certificates(BundledPins($0, as: .certificates), validation, acceptsSelfSigned: acceptsSelfSigned)
            }
        case .composite:
            evaluator = Self.children(entry, what, depth: depth, idle: &idle, &reader).map { .composite($0) }
        }
        guard reader.problems.count == before, let evaluator else { return nil }
        self = evaluator
    }

    private static func pins(_ entry: NodeMapping, _ reader: inout NodeReader) -> [Pin]? {
        entry.required("pins", &reader).flatMap { reader.pins($0, "pins") }
    }

    private static func flag(_ key: String, _ entry: NodeMapping, _ reader: inout NodeReader) -> Bool? {
        entry[key].flatMap { reader.flag($0, key) }
    }

    private static func children(
        _ entry: NodeMapping, _ what: String, depth: Int, idle: inout [String], _ reader: inout NodeReader
    ) -> [AlamofireEvaluator]? {
        guard let list = entry.required("evaluators", &reader) else { return nil }
        guard depth < Self.depth else {
            reader.report(list.mark, "evaluators of \(what): composites may nest \(Self.depth) deep at most")
            return nil
        }
        let items = reader.sequence(list, "evaluators of \(what)") ?? []
        var children: [AlamofireEvaluator] = []
        for (index, item) in items.enumerated() {
            let child = AlamofireEvaluator(
                from: item, what: "evaluator \(index + 1) of \(what)", depth: depth + 1, idle: &idle, reader: &reader)
            if let child { children.append(child) }
        }
        return children
    }
}

extension AlamofireEvaluator.Word {
    /// The keys that mean something to it.
    fileprivate var keys: [String] {
        switch self {
        case .publicKeys: ["evaluator", "pins", "perform_default_validation", "validate_host"]
        case .pinnedCertificates:
            ["evaluator", "pins", "perform_default_validation", "validate_host", "accept_self_signed"]
        case .standard: ["evaluator", "validate_host"]
        case .revocation: ["evaluator", "perform_default_validation", "validate_host"]
        case .composite: ["evaluator", "evaluators"]
        case .disabled: ["evaluator"]
        }
    }
}

extension AlamofireEvaluator {
    /// The word of the policy.
    var word: String {
        let word: Word =
            switch self {
            case .standard: .standard
            case .revocation: .revocation
            case .certificates: .pinnedCertificates
            case .keys: .publicKeys
            case .composite: .composite
            case .disabled: .disabled
            }
        return word.rawValue
    }

    /// Every pin as written, children's included.
    var pins: [Pin] { bundles.flatMap(\.written) }

    /// Those that the app holds once it has loaded them.
    var loadedPins: [Pin] { bundles.flatMap(\.loaded) }

    func matches(_ pin: Pin, _ certificate: CertificateSummary) -> Bool {
        bundles.contains { $0.loaded.contains(pin) && $0.matches(pin, certificate) }
    }

    private var bundles: [BundledPins] {
        switch self {
        case .certificates(let pins, _, _), .keys(let pins, _): [pins]
        case .composite(let children): children.flatMap(\.bundles)
        case .standard, .revocation, .disabled: []
        }
    }
}
