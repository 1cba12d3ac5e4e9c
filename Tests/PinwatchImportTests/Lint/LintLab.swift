import PinwatchConfig
import PinwatchCore
import PinwatchNames
import PinwatchTLS

@testable import PinwatchImport

/// Lint of files as the program sets it up, at a fixed time.
enum LintLab {
    private static let resources = PolicyResources(
        loadFile: { (path: String) throws(HostProblem) -> [UInt8] in throw HostProblem("no file \(path)") },
        readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in try PinFileReader.read(bytes) },
        readXML: { (text: String) throws(HostProblem) -> XMLElement in try XMLReader.root(of: text) },
        publicSuffixes: LibPSL(), idna: LibIDN2())

    static func lint(_ files: [HandedFile], _ context: ImportContext = ImportContext()) throws -> [LintProblem] {
        let linter = Linter(
            context: context, now: Instant(unixSeconds: 1_796_000_000), resources: resources,
            native: { file in
                do throws(InputProblems) {
                    let text = String(decoding: file.bytes, as: UTF8.self)
                    return .success(
                        try PinFileDecoder.definition(fromAPI: text, trustStores: nil, resources: resources))
                } catch {
                    return .failure(error)
                }
            })
        return try linter.lint(files)
    }

    /// `line severity rule`, one for each problem.
    static func said(_ problems: [LintProblem]) -> [String] {
        problems.map { "\($0.mark?.line ?? 0) \($0.severity.rawValue) \($0.rule.rawValue)" }
    }

    /// What is said of one text.
    static func said(_ text: String, of rules: Set<LintRule>) throws -> [String] {
        said(try lint([Sample.file("it", text)]).filter { rules.contains($0.rule) })
    }
}
