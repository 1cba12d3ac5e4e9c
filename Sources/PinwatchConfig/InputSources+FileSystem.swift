internal import CLinux
internal import Glibc
internal import PinwatchCore

extension InputSources {
    /// The machine's file system, read with bounds.
    ///
    /// - Parameter environment: The process's environment, which only the executable looks at.
    package static func fileSystem(environment: @escaping @Sendable (_ name: String) -> String?) -> InputSources {
        InputSources(
            environment: environment,
            readFile: { (path: String, limit: Int) throws(HostProblem) -> [UInt8] in
                try FileSystem.read(path, limit: limit)
            },
            listFiles: { (pattern: String, folder: String) throws(HostProblem) -> [String] in
                try FileSystem.matches(pattern, folder: folder)
            },
            realPath: { (path: String) throws(HostProblem) -> String in try FileSystem.realPath(path) })
    }
}

private enum FileSystem {
    static func read(_ path: String, limit: Int) throws(HostProblem) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe that nobody writes to would never return.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw HostProblem("\(path) cannot be read: \(reason(errno))") }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw HostProblem("\(path) is not a regular file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HostProblem("\(path) cannot be read: \(reason(errno))") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        throw HostProblem("\(path) is larger than \(limit) bytes, the most that is read")
    }

    static func matches(_ pattern: String, folder: String) throws(HostProblem) -> [String] {
        // Only what the pattern says is a pattern; a folder may be called a[b].
        let escaped = folder.reduce(into: "") { $0 += "*?[\\".contains($1) ? "\\\($1)" : String($1) }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        switch unsafe glob(absolute(pattern, in: escaped), 0, nil, &found) {
        case 0: break
        case GLOB_NOMATCH: return []
        default: throw HostProblem("\(pattern) cannot be looked up in \(folder)")
        }
        let paths = unsafe UnsafeBufferPointer(start: found.gl_pathv, count: Int(found.gl_pathc))
        return unsafe paths.compactMap { unsafe $0.map { unsafe String(cString: $0) } }.sorted()
    }

    static func realPath(_ path: String) throws(HostProblem) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw HostProblem("\(path) cannot be found: \(reason(errno))")
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func absolute(_ pattern: String, in folder: String) -> String {
        InputSources.absolute(pattern, in: folder)
    }

    private static func reason(_ code: Int32) -> String {
        unsafe String(cString: pinwatch_error_text(code)).lowercased()
    }
}
