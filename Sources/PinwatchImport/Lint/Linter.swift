package import PinwatchConfig
package import PinwatchCore

/// Every trap, fault and doubt of what someone hands over: in sources, in property lists, and in the pins themselves.
package struct Linter: Sendable {
    let context: ImportContext
    let now: Instant
    let resources: PolicyResources
    let native: @Sendable (HandedFile) -> Result<PinSetDefinition, InputProblems>

    /// - Parameters:
    ///   - resources: What policies are read with.
    ///   - native: Reads a native pin file, with the files that it names where those may be read.
    package init(
        context: ImportContext, now: Instant, resources: PolicyResources,
        native: @escaping @Sendable (HandedFile) -> Result<PinSetDefinition, InputProblems>
    ) {
        self.context = context
        self.now = now
        self.resources = resources
        self.native = native
    }

    /// The problems in the order of the files, in each by their places.
    ///
    /// Files without pins are read as sources.
    ///
    /// - Throws: Every file that cannot be read, with why; private keys are refused.
    package func lint(_ files: [HandedFile]) throws(ImportProblems) -> [LintProblem] {
        guard files.count <= Importer.fileLimit else {
            throw ImportProblems(file: "the hand-over", "there are more than \(Importer.fileLimit) files")
        }
        var (read, faults): ([LintedFile], [Problem]) = ([], [])
        for file in files {
            do { read.append(try LintedFile(file)) } catch { faults += error.list }
        }
        guard faults.isEmpty else { throw ImportProblems(faults) }
        let pinning = read.filter(\.isImportable).map(\.file)
        let imported = pinning.isEmpty ? [] : try Importer.read(pinning, context: context)
        let pins = try LintedPins(imported, linter: self)
        let sources = LintedSources(read)
        let problems = pins.problems + SourceLint.problems(sources) + ListLint.problems(read, pins: pins)
        return Self.ordered(problems, files: files.map(\.name))
    }

    /// What a source and the policy that was read from it both say at one place is said once, with the policy's host.
    private static func ordered(_ problems: [LintProblem], files: [String]) -> [LintProblem] {
        struct Place: Hashable {
            let rule: LintRule
            let file: String
            let line: Int?
        }
        func place(_ problem: LintProblem) -> Place {
            Place(rule: problem.rule, file: problem.file, line: problem.mark?.line)
        }
        let named = Set(problems.filter { $0.client != nil }.map(place))
        var seen: Set<LintProblem> = []
        let kept = problems.filter { ($0.client != nil || !named.contains(place($0))) && seen.insert($0).inserted }
        var numbers: [String: Int] = [:]
        for (index, name) in files.enumerated() where numbers[name] == nil { numbers[name] = index }
        let keyed = kept.enumerated().map { index, problem in
            (
                problem,
                [
                    numbers[problem.file] ?? files.count, problem.mark?.line ?? 0, problem.mark?.column ?? 0, index,
                ]
            )
        }
        return keyed.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }
}
