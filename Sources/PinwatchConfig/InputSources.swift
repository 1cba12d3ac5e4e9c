package import PinwatchCore

/// Where configuration comes from. This room reads neither environment nor disk but through these.
package struct InputSources: Sendable {
    /// Why something cannot be had, in words that name it.
    package typealias Refusal = HostProblem

    /// A variable's value, `nil` if it is not set.
    package let environment: @Sendable (_ name: String) -> String?
    /// A file's bytes; throws why there are none, or that there are more than `limit`.
    package let readFile: @Sendable (_ path: String, _ limit: Int) throws(Refusal) -> [UInt8]
    /// The absolute paths that match a glob(7) pattern, which is relative to `folder` or absolute; empty where none do.
    package let listFiles: @Sendable (_ pattern: String, _ folder: String) throws(Refusal) -> [String]
    /// The absolute path of what exists there, free of symbolic links and dots.
    package let realPath: @Sendable (_ path: String) throws(Refusal) -> String

    package init(
        environment: @escaping @Sendable (_ name: String) -> String?,
        readFile: @escaping @Sendable (_ path: String, _ limit: Int) throws(Refusal) -> [UInt8],
        listFiles: @escaping @Sendable (_ pattern: String, _ folder: String) throws(Refusal) -> [String],
        realPath: @escaping @Sendable (_ path: String) throws(Refusal) -> String
    ) {
        self.environment = environment
        self.readFile = readFile
        self.listFiles = listFiles
        self.realPath = realPath
    }

    /// `path` as it stands if absolute, else inside `folder`.
    static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder == "/" ? "/" + path : folder + "/" + path
    }

    /// The folder part of a path, as dirname(1) gives it.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension InputSources {
    /// A file's bytes, and the folder that paths in it start from: absolute, free of symbolic links.
    func text(at path: String, limit: Int) throws(InputProblems) -> (text: [UInt8], folder: String) {
        do {
            return (try readFile(path, limit), try realPath(InputSources.folder(of: path)))
        } catch {
            // The problem is shown after the file's name, which the reason need not repeat.
            let reason = error.description
            throw InputProblems(file: path, reason.hasPrefix(path + " ") ? "it" + reason.dropFirst(path.count) : reason)
        }
    }
}
