internal import CLinux
internal import Glibc
internal import PinwatchCore

/// The process's standard streams. Facts go to stdout, one line an error to stderr. Words may quote files, arguments and
/// peers, so whatever could steer a terminal or hide in it is written as an escape.
enum Terminal {
    static func out(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.visible() }
        write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }

    /// What is meant to become a file: to the byte as it stands, unless a person looks at it on a terminal.
    static func file(_ text: String) {
        guard isatty(STDOUT_FILENO) == 0 else { return out(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    static func out(_ json: JSON) { write(json.indented + "\n", to: STDOUT_FILENO) }
    static func error(_ text: String) { write("pinwatch: " + text.visible() + "\n", to: STDERR_FILENO) }

    /// Ends the process with a command's status.
    static func end(_ status: CheckExit) -> Never { exit(status.rawValue) }

    /// One line of the service's log, which ``Log`` makes.
    static func log(line: String) { write(line + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
        }
    }
}
