internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchImport

extension PinFileReading {
    /// What an importer understood, each release with what is wrong with its own files; what is wrong with others, such
    /// as certificates, stands with the first.
    ///
    /// - Parameter trustStores: The names that a native file's `trust_store` may take.
    static func all(
        _ imported: [Imported], trustStores: Set<String>, lint: [LintProblem]
    ) -> [PinFileReading] {
        var places: [String: Int] = [:]
        for (index, part) in imported.enumerated() {
            for file in part.originals where places[file.name] == nil { places[file.name] = index }
        }
        let own = Dictionary(grouping: lint) { places[$0.file] ?? 0 }
        return imported.enumerated().map { index, part in
            PinFileReading(part, trustStores: trustStores, lint: own[index] ?? [])
        }
    }

    /// Held against what a pin set must be.
    private init(_ imported: Imported, trustStores: Set<String>, lint: [LintProblem]) {
        let source = imported.source
        var (definition, problems): (PinSetDefinition?, [Problem]) = (nil, [])
        if let source, !imported.questions.contains(where: \.mustAnswer) {
            do throws(InputProblems) {
                definition = try imported.definition(source, trustStores: trustStores)
            } catch {
                problems = error.list
            }
        }
        self.init(
            format: imported.format.rawValue, formatWords: imported.format.words, origin: imported.origin,
            source: source, definition: definition, problems: problems, remarks: imported.remarks,
            questions: imported.questions, keys: imported.found.map(\.pinnable), lint: lint,
            originals: imported.originals)
    }
}

extension Imported {
    /// A native file as it was handed over, else the one that the files become.
    fileprivate var source: String? {
        if format == .native, let original = originals.first {
            return String(validating: original.bytes, as: UTF8.self)
        }
        return files.first.map { NativePinFile.text(of: $0) }
    }

    fileprivate func definition(
        _ source: String, trustStores: Set<String>
    ) throws(InputProblems) -> PinSetDefinition {
        try PinFileDecoder.definition(
            fromAPI: source, trustStores: trustStores, resources: InputFile.resources
        ).kept(by: .api, origin: String(origin.prefix(200)))
    }
}
