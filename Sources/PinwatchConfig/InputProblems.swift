package import PinwatchCore

/// Everything that is wrong with a file and those it names: at least one problem, file by file, from top to bottom.
package struct InputProblems: Error, Hashable, Sendable, CustomStringConvertible {
    package let list: [Problem]

    init(_ found: [Problem]) {
        let files = found.map(\.file).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        list = files.flatMap { file in
            found.filter { $0.file == file }.sorted { Self.place($0) < Self.place($1) }
        }
    }

    /// The problems of a text's form and those of its meaning; what was refused by its form has no meaning to complain of.
    static func joined(_ form: [Problem], _ meaning: [Problem]) -> [Problem] {
        let refused = Set(form.compactMap(\.mark))
        return form + meaning.filter { problem in !(problem.mark.map(refused.contains) ?? false) }
    }

    private static func place(_ problem: Problem) -> (Int, Int) { (problem.mark?.line ?? 0, problem.mark?.column ?? 0) }

    init(file: String, mark: Mark? = nil, _ message: String) {
        list = [Problem(file: file, mark: mark, message: message)]
    }

    /// One line per problem.
    package var description: String {
        list.map(\.description).joined(separator: "\n")
    }
}
