internal import Glibc
internal import PinwatchCore
internal import PinwatchHTTP

/// The service's log: one line for each thing that an operator should know, on stderr.
///
/// A terminal gets words; anything else, such as a journal or a container's log, gets a JSON object a line with `time`
/// (RFC 3339, UTC), `level`, `part` and `message`. `PINWATCH_LOG` set to `text` or `json` decides in place of that.
enum Log {
    enum Level: String {
        case info, warning, error
    }

    /// What of the service speaks.
    enum Part: String {
        case service, configuration, monitor, courier, http, database
    }

    static func info(_ part: Part, _ message: String) { write(.info, part, message) }
    static func warning(_ part: Part, _ message: String) { write(.warning, part, message) }
    static func error(_ part: Part, _ message: String) { write(.error, part, message) }

    /// One answered request.
    static func access(_ record: AccessRecord) {
        guard case .object(let members) = record.json else { return }
        let client = record.address.map { " from \($0)" } ?? ""
        write(.info, .http, "\(record.method) \(record.path): \(record.status)\(client)", members)
    }

    /// Line ends and controls are escaped in both forms, so that no name can forge a line.
    ///
    /// - Parameter members: What the JSON form has beside the message.
    static func line(
        _ level: Level, _ part: Part, _ message: String, _ members: [(String, JSON)] = [], at now: Instant, asJSON: Bool
    ) -> String {
        guard asJSON else {
            let mark = level == .info ? "" : level.rawValue + " "
            return "\(now.rfc3339 ?? "-") \(mark)\(part.rawValue): \(message.visible())"
        }
        return JSON.object(
            [
                ("time", .time(now)), ("level", .string(level.rawValue)), ("part", .string(part.rawValue)),
                ("message", .string(message)),
            ] + members
        ).text
    }

    private static let asJSON: Bool =
        switch Machine.environment("PINWATCH_LOG") {
        case "json": true
        case "text": false
        case _: isatty(STDERR_FILENO) == 0
        }

    private static func write(_ level: Level, _ part: Part, _ message: String, _ members: [(String, JSON)] = []) {
        Terminal.log(line: line(level, part, message, members, at: Machine.now(), asJSON: asJSON))
    }
}
