internal import PinwatchCore

/// The tokens of a source, with their brackets matched and the code told apart that only debug builds have.
struct LintedSource {
    let file: String
    let tokens: [Token]
    /// Its conditions, in the order of their places.
    let branches: [Branch]
    private let brackets: Brackets
    private let debugOnly: Set<Int>
    /// The first places of every word, in their order.
    private let index: [String: [Int]]
    /// Words that follow one which declares them.
    let declared: Set<String>
    /// Tokens under a condition of the preprocessor that is neither `DEBUG` nor its opposite.
    let conditional: Set<Int>

    init(_ text: String, file: String) {
        let tokens = Tokenizer.tokens(text)
        brackets = Brackets(tokens)
        branches = BranchReader.branches(tokens, brackets)
        let shipped = Set(ConditionalCode.compiled(tokens, for: .release).tokens.map(\.mark))
        var debugOnly = Set(tokens.indices.filter { !shipped.contains(tokens[$0].mark) })
        let runs = BuildType.left(tokens, brackets, branches, for: .release).runs
        for index in tokens.indices where !runs[index] { debugOnly.insert(index) }
        self.file = file
        self.tokens = tokens
        self.debugOnly = debugOnly
        conditional = Self.conditional(tokens)
        index = Self.index(tokens)
        let declaring: Set<String> = ["class", "struct", "enum", "typealias", "let", "var", "func", "val", "fun"]
        declared = Set(
            zip(tokens, tokens.dropFirst()).lazy.filter { $0.0.word.map(declaring.contains) ?? false }
                .compactMap(\.1.word))
    }

    private static func conditional(_ tokens: [Token]) -> Set<Int> {
        var (found, depth): (Set<Int>, [Bool]) = ([], [])
        for (index, token) in tokens.enumerated() {
            if case .directive(let line) = token.kind {
                let words = line.dropFirst().split { $0 == " " || $0 == "\t" || $0 == "(" }
                if words.first?.hasPrefix("if") ?? false { depth.append(isOpen(line)) }
                if words.first == "endif" { _ = depth.popLast() }
            } else if depth.contains(true) {
                found.insert(index)
            }
        }
        return found
    }

    /// `#if STAGING`, `#ifdef FOO`; a platform or a compiler is no such condition, nor is an include guard.
    private static func isOpen(_ line: String) -> Bool {
        ![
            "DEBUG", "os(", "canImport", "swift(", "compiler(", "arch(", "targetEnvironment", "hasFeature", "TARGET_",
            "__", "_H", "NDEBUG",
        ].contains(where: line.contains)
    }

    func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }
    func isSign(_ sign: Character, _ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].isSign(sign)
    }
    func end(of open: Int) -> Int? { brackets.end(of: open) }
    func opener(of index: Int) -> Int { brackets.opener(of: index) }
    func isDebugOnly(_ index: Int) -> Bool { debugOnly.contains(index) }

    /// The places of words in their order, as many as are worth telling.
    func places(of words: Set<String>) -> [Int] {
        Array(words.flatMap { index[$0] ?? [] }.sorted().prefix(Self.limit))
    }

    private static func index(_ tokens: [Token]) -> [String: [Int]] {
        var index: [String: [Int]] = [:]
        for (place, token) in tokens.enumerated() {
            guard let word = token.word, index[word, default: []].count < limit else { continue }
            index[word, default: []].append(place)
        }
        return index
    }

    /// Every word, once.
    var words: some Collection<String> { index.keys }

    /// The most places of one kind that are told of a file.
    static let limit = 50

    func has(_ wanted: Set<String>) -> Bool { wanted.contains { index[$0] != nil } }

    /// The body of the function around a place; all of the source where there is none.
    func function(around index: Int) -> Range<Int> {
        var (open, outermost, steps) = (opener(of: index), -1, 0)
        while open >= 0, steps < 200 {
            steps += 1
            if isSign("{", open) {
                outermost = open
                if header(of: open).contains(where: { ["func", "fun", "init"].contains($0) }) { break }
            }
            open = opener(of: open)
        }
        guard outermost >= 0 else { return tokens.indices }
        return outermost..<(end(of: outermost) ?? tokens.count)
    }

    /// The words before a block, back to the statement before it.
    private func header(of open: Int) -> [String] {
        var (words, index): ([String], Int) = ([], open - 1)
        while index >= 0, open - index < 120, !isSign("{", index), !isSign("}", index), !isSign(";", index) {
            if let word = word(index) { words.append(word) }
            index -= 1
        }
        return words
    }

    /// The body of the declaration whose name stands at a place: `name(…) throws Reason {…}`, in Kotlin also `= value`.
    func body(ofFunctionAt place: Int) -> Range<Int>? {
        guard isSign("(", place + 1), let close = end(of: place + 1) else { return nil }
        if isSign("=", close + 1) { return close + 2..<min(close + 3, tokens.count) }
        var open = close + 1
        while open < close + 16, !isSign("{", open), word(open) != nil || ".,->:".contains(where: { isSign($0, open) })
        {
            open += 1
        }
        guard isSign("{", open), let end = end(of: open) else { return nil }
        return open + 1..<end
    }

    /// Kotlin or Java, by words that Swift and Objective-C do not have.
    var isOfJVM: Bool {
        !has(["func", "NSString", "implementation"])
            && has(["fun", "OkHttpClient", "CertificatePinner", "BuildConfig", "javax", "java", "android", "androidx"])
    }

    /// A word that no text but an app's source begins its lines with.
    var looksLikeSource: Bool {
        has([
            "import", "class", "struct", "func", "fun", "package", "interface", "implementation", "include", "let",
            "val",
            "void", "enum", "protocol",
        ]) || tokens.contains { if case .directive = $0.kind { true } else { false } }
    }

    /// A problem at a token; in code of debug builds alone it is a note.
    func problem(
        _ rule: LintRule, _ severity: LintSeverity, at index: Int, _ message: String, _ advice: String
    ) -> LintProblem {
        let isDebug = isDebugOnly(index)
        return LintProblem(
            rule, isDebug ? .note : severity, file: file, mark: tokens[index].mark,
            message: isDebug ? message + " Only debug builds have this code." : message, advice: advice)
    }
}

/// All sources of a hand-over: some traps show only where two are seen together.
struct LintedSources {
    let all: [LintedSource]
    private let words: Set<String>
    private let declared: Set<String>

    init(_ files: [LintedFile]) {
        let all = files.compactMap { if case .source(let source) = $0.content { source } else { nil } }
        self.all = all
        words = all.reduce(into: []) { $0.formUnion($1.words) }
        declared = all.reduce(into: []) { $0.formUnion($1.declared) }
    }

    func have(_ wanted: Set<String>) -> Bool { !words.isDisjoint(with: wanted) }

    /// Whether the app declares a type or constant of this name itself.
    func declare(_ name: String) -> Bool { declared.contains(name) }
}
