internal import Glibc

/// A real `openssl s_server` on a free port of 127.0.0.1, ended and reaped with the object.
///
/// Started by posix_spawn(3). Foundation's `Process` was seen to crash in `run()` when many suites shared a process; with
/// its `Pipe` a server costs six descriptors, and one of them is closed while a Dispatch source still watches it, which
/// dispatch_source_create(3) forbids.
package final class LoopbackOpenSSL: Sendable {
    package let port: UInt16
    private let child: pid_t

    /// - Parameter arguments: Those of `openssl s_server` besides the address; the port is read from its first line.
    /// - Throws: ``SocketProblem`` for the call that failed; for the program itself if it ended before it listened.
    package init(_ arguments: [String]) throws(SocketProblem) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SocketProblem(call: "socketpair", code: errno)
        }
        let (ours, theirs) = (ends[0], ends[1])
        let line = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "200"] + arguments
        let (code, child) = Self.spawn(line, terminal: theirs)
        close(theirs)
        guard code == 0, let port = Self.port(saidOn: ours) else {
            close(ours)
            if code == 0 { Self.end(child) }
            throw SocketProblem(call: line.joined(separator: " "), code: code)
        }
        (self.port, self.child) = (port, child)
        // Drained until the server's end, so that it never waits for a reader; nothing is said to it, and it goes on as
        // long as this end is open.
        DetachedThread.start {
            while !Self.read(ours).isEmpty {}
            close(ours)
        }
    }

    deinit {
        Self.end(child)
    }

    /// Runs the program with one socket for its input and output, and nothing else of this process's: no descriptor, no
    /// environment, and no signal blocked, as threads of Dispatch have them.
    private static func spawn(_ line: [String], terminal: Int32) -> (code: Int32, child: pid_t) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, terminal, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, terminal, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var unblocked = sigset_t()
        unsafe sigemptyset(&unblocked)
        unsafe posix_spawnattr_setsigmask(&attributes, &unblocked)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = unsafe line.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        let environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, "/usr/bin/openssl", &actions, &attributes, words + [nil], environment)
        return (code, child)
    }

    /// The port in the line `ACCEPT 127.0.0.1:PORT`; `nil` if the server ends without it.
    private static func port(saidOn descriptor: Int32) -> UInt16? {
        var text = ""
        while true {
            let bytes = read(descriptor)
            guard !bytes.isEmpty else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix("ACCEPT") }) {
                return line.split(separator: ":").last.flatMap { UInt16($0) }
            }
        }
    }

    /// What comes next; empty at the end.
    private static func read(_ descriptor: Int32) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return buffer.prefix(max(0, count))
        }
    }

    /// The number is the child's until it is waited for, so that no other process is hit.
    private static func end(_ child: pid_t) {
        kill(child, SIGKILL)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
}
