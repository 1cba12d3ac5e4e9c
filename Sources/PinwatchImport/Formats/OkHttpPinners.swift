internal import PinwatchCore

/// The pinners that a source builds, each with what is added to it: every `add("pattern", "sha256/…")` of a
/// `CertificatePinner.Builder()` and every `Pin("pattern", "sha256/…")`.
struct OkHttpPinners {
    struct Entry {
        let pattern: SourceValue
        let pins: [SourceValue]
    }

    struct Pinner {
        let mark: Mark
        /// The tokens that build it and add to it.
        var places: [Int]
        var entries: [Entry] = []
    }

    private(set) var source: SourceReader
    /// Those that something is added to, in the order in which they are built.
    private(set) var pinners: [Pinner] = []
    /// Where a pinner is built that nothing seems to be added to, though more than `build()` follows.
    private(set) var unread: Mark?
    /// Variables that hold a builder, with the pinner that each built last.
    private var builders: [String: Int] = [:]
    /// The pinner whose calls go on up to a token.
    private var chain: (pinner: Int?, end: Int) = (nil, 0)

    init(_ source: SourceReader) {
        self.source = source
        for index in source.tokens.indices where source.word(at: index) == "CertificatePinner" {
            if let name = variable(ofBuilderAt: index) { builders[name] = -1 }
        }
        collect()
        pinners.removeAll { $0.entries.isEmpty }
    }

    private mutating func collect() {
        var index = 0
        while index < source.tokens.count, !source.isExhausted {
            let word = source.word(at: index)
            if word == "CertificatePinner", index >= chain.end { begin(at: index) }
            guard word == "add" || word == "Pin", source.isSign("(", at: index + 1), let end = entry(at: index) else {
                index += 1
                continue
            }
            index = end
        }
    }

    /// A pinner begins with `CertificatePinner.Builder()` or `CertificatePinner(…)`; the type's name alone begins none.
    private mutating func begin(at index: Int) {
        let isBuilder = source.word(at: index + 2) == "Builder" && source.isSign(".", at: index + 1)
        guard isBuilder || source.isSign("(", at: index + 1) else { return }
        let open = isBuilder ? index + 3 : index + 1
        chain = (nil, endOfChain(open))
        guard source.isSign("(", at: open), let mark = source.token(index)?.mark else { return }
        chain.pinner = pinners.count
        pinners.append(Pinner(mark: mark, places: [index]))
        if let name = variable(ofBuilderAt: index) { builders[name] = pinners.count - 1 }
        if source.word(at: open + 3) != "build", unread == nil { unread = mark }
    }

    /// Takes the call at a token; where it ends, or `nil` for one that adds to no pinner.
    private mutating func entry(at index: Int) -> Int? {
        let call = source.arguments(at: index + 1)
        let values = call.arguments.flatMap { Self.flattened($0.value) }
        let receiver = source.isSign(".", at: index - 1) ? source.word(at: index - 2) : nil
        let builder = receiver.flatMap { builders[$0] }
        let isPinner = index < chain.end || builder != nil || source.word(at: index) == "Pin"
        guard let pattern = values.first, isPinner || values.dropFirst().contains(where: Self.isPin),
            values.count > 1 || isPinner
        else { return nil }
        if pinners.isEmpty, let mark = source.token(index)?.mark { pinners.append(Pinner(mark: mark, places: [])) }
        // What is added to a builder from elsewhere is taken for the last one's.
        let known = builder.flatMap { $0 < 0 ? nil : $0 } ?? (index < chain.end ? chain.pinner : nil)
        let pinner = known ?? pinners.count - 1
        pinners[pinner].entries.append(Entry(pattern: pattern, pins: Array(values.dropFirst())))
        pinners[pinner].places.append(index)
        return call.end
    }

    /// `b` of `val b = CertificatePinner.Builder()`, its type and Java's `new` passed over.
    private func variable(ofBuilderAt index: Int) -> String? {
        guard source.word(at: index + 2) == "Builder" else { return nil }
        let equals = source.word(at: index - 1) == "new" ? index - 2 : index - 1
        guard source.isSign("=", at: equals), let name = source.word(at: equals - 1) else { return nil }
        let isType = name == "Builder" && source.word(at: equals - 3) == "CertificatePinner"
        return isType && source.isSign(":", at: equals - 4) ? source.word(at: equals - 5) : name
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

    static func isPin(_ value: SourceValue) -> Bool {
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
}
