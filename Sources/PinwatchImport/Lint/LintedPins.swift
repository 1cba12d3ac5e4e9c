internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchTLS

/// What was imported, decoded by its clients, with what lint says of it.
struct LintedPins {
    struct Part {
        let imported: Imported
        let root: Node
        let definition: PinSetDefinition
        /// Whether a question stands open that pins depend on.
        let isPartial: Bool
    }

    let parts: [Part]
    let found: [FoundKey]
    /// One for each question that a verdict would have to guess at.
    private let unresolved: [LintProblem]
    private let facts: LintFacts

    init(_ imported: [Imported], linter: Linter) throws(ImportProblems) {
        found = imported.first?.found ?? []
        unresolved = imported.flatMap(Self.unresolved)
        facts = LintFacts(
            now: linter.now, certificates: linter.context.references + found.compactMap(\.summary),
            suffixes: linter.resources.publicSuffixes)
        var (parts, faults): ([Part], [Problem]) = ([], [])
        for one in imported {
            let isPartial = one.questions.contains(where: \.mustAnswer)
            for root in one.files {
                do {
                    let definition = try Self.definition(root, of: one, linter)
                    parts.append(Part(imported: one, root: root, definition: definition, isPartial: isPartial))
                } catch {
                    // What is still to be answered may be what the decoder misses.
                    if !isPartial { faults += error.list }
                }
            }
        }
        guard faults.isEmpty else { throw ImportProblems(faults) }
        self.parts = parts
    }

    private static func definition(
        _ root: Node, of imported: Imported, _ linter: Linter
    ) throws(InputProblems) -> PinSetDefinition {
        if imported.format == .native, let file = imported.originals.first { return try linter.native(file).get() }
        return try PinFileDecoder.definition(
            from: root, source: "", file: imported.origin, managedBy: .api, trustStores: nil,
            resources: linter.resources)
    }

    var problems: [LintProblem] {
        let layers = parts.flatMap(\.definition.layers)
        return parts.flatMap { problems(of: $0, among: layers) }
            + PolicyLint.differences(parts.filter { !$0.isPartial }.map(\.definition)) + pem + unresolved
    }

    private static func unresolved(_ imported: Imported) -> [LintProblem] {
        imported.questions.filter(\.mustAnswer).map { question in
            LintProblem(
                .unresolved, .warning, file: imported.origin, mark: imported.places[question],
                message: "What holds here is not told, and not examined: \(question.words)",
                advice: "Hand over what answers it, or write \(question.key) in a pin file and lint that.")
        }
    }

    /// Hosts that the pins of a file cover.
    func pin(_ host: String, in file: String) -> Bool {
        parts.contains { part in
            part.imported.origin == file
                && part.definition.layers.contains { !$0.policy.pins(for: host, now: facts.now).isEmpty }
        }
    }

    private func problems(of part: Part, among layers: [PinLayer]) -> [LintProblem] {
        let nodes = NativePinFile.layers(of: part.root)
        return part.definition.layers.enumerated().flatMap { index, layer in
            let places = LintPlaces(part.imported, policy: nodes.indices.contains(index) ? nodes[index].policy : nil)
            return PolicyLint.traps(of: layer, in: part.definition, facts: facts, others: layers)
                .filter { !part.isPartial || !$0.rule.needsAllPins && !Self.isUnresolved($0.pin) }
                .map {
                    LintProblem($0, client: layer.client, file: part.imported.origin, mark: places.mark(of: $0))
                }
        }
    }

    /// A build setting of Xcode's whose value is still to be given.
    private static func isUnresolved(_ pin: Pin?) -> Bool {
        pin.map { $0.text.contains("$(") || $0.text.contains("${") } ?? false
    }

    /// Certificates that Apple's clients drop from a bundle.
    private var pem: [LintProblem] {
        let bundled: Set<Client> = [.alamofire, .alamofire4, .afnetworking]
        let client = parts.flatMap(\.definition.layers).map(\.client).first(where: bundled.contains)
        guard let client else { return [] }
        let (loaded, dropped) = (found.filter(\.isLoaded), found.filter { !$0.isLoaded && $0.summary != nil })
        let files = dropped.map(\.file).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return files.map { file in
            LintProblem(
                .pemCertificate, loaded.isEmpty ? .error : .warning, client: client, file: file,
                message: "\(file) is PEM, and the app loads DER alone: it drops the file without an error"
                    + (loaded.isEmpty ? ", and is left with no pin." : "."),
                advice: "Convert it: openssl x509 -in \(file) -outform der -out certificate.cer")
        }
    }
}

extension FoundKey {
    fileprivate var isLoaded: Bool {
        switch material {
        case .certificate(_, let isDER): isDER
        case .publicKey, .request: false
        }
    }
}
