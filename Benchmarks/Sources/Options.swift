/// Why a measurement came to nothing.
enum BenchmarkError: Error, CustomStringConvertible {
    case usage(String)
    case setup(String)
    /// The scanner stopped before every scan was handed over.
    case endedEarly(left: Int)

    var description: String {
        switch self {
        case .usage(let what): what
        case .setup(let what): "cannot be set up: \(what)"
        case .endedEarly(let left): "the scanner ended with \(left) scans outstanding"
        }
    }
}

/// The command line: `MODE NAME VALUE…`, every value given, for a script writes it.
struct Options {
    enum Mode: String, CaseIterable {
        /// Passes over unchanged targets, measured.
        case scan
        /// One pass over live targets while others stall, until the last live one is recorded.
        case stall
        /// As `scan`, and waits for a line on standard input before the passes and before it closes the database.
        case periods
        /// Targets that fall due within one second, live ones among bad ones.
        case crowd
        /// Periods by the schedule and a fast clock; waits for lines as `periods` does.
        case rounds
        /// Fills a database for the service to serve: `targets`, each with a span of each of `chains`.
        case seed
        /// What a verdict costs: `targets` of them over the last of `chains`.
        case verdicts
    }

    let mode: Mode
    let port: UInt16
    /// The port of a server that accepts and never speaks; needed where `stalling` is above 0.
    let stallPort: UInt16
    /// The port of a server that sends a byte at a time; needed where `dripping` is above 0.
    let dripPort: UInt16
    /// The port of a server that sends a certificate message of megabytes; 0 for none.
    let longPort: UInt16
    /// A PEM file of the one anchor.
    let root: String
    let database: String
    /// Base64 of the served leaf's SPKI SHA-256.
    let pin: String
    let targets: Int
    let stalling: Int
    let dripping: Int
    /// Targets that are in the database and never due.
    let stored: Int
    /// Seconds that the clock of `rounds` goes in one.
    let speed: Int
    /// Passes before the measured ones.
    let warmUp: Int
    let passes: Int
    let inFlight: Int
    /// PEM files of chains as sent, oldest first; needed by `seed` and `verdicts`.
    let chains: [String]

    init(_ arguments: [String]) throws(BenchmarkError) {
        guard let word = arguments.first, let mode = Mode(rawValue: word) else {
            throw .usage("the first argument is one of \(Mode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        var values: [String: String] = [:]
        for index in stride(from: 1, to: arguments.count - 1, by: 2) { values[arguments[index]] = arguments[index + 1] }
        func text(_ name: String) throws(BenchmarkError) -> String {
            guard let value = values[name] else { throw .usage("\(name) is missing") }
            return value
        }
        func number(_ name: String, or standard: Int? = nil) throws(BenchmarkError) -> Int {
            if let standard, values[name] == nil { return standard }
            let value = try text(name)
            guard let number = Int(value), (0...1_000_000).contains(number) else {
                throw .usage("\(name) takes a number from 0 to 1000000, not \(value)")
            }
            return number
        }
        self.mode = mode
        port = UInt16(clamping: try number("--port"))
        stallPort = UInt16(clamping: try number("--stall-port", or: 0))
        dripPort = UInt16(clamping: try number("--drip-port", or: 0))
        longPort = UInt16(clamping: try number("--long-port", or: 0))
        root = try text("--root")
        database = try text("--database")
        pin = try text("--pin")
        targets = try number("--targets")
        stalling = try number("--stalling", or: 0)
        dripping = try number("--dripping", or: 0)
        stored = try number("--stored", or: 0)
        speed = try number("--speed", or: 1)
        warmUp = try number("--warm-up", or: 1)
        passes = try number("--passes", or: 1)
        inFlight = try number("--in-flight", or: 512)
        chains = (values["--chains"] ?? "").split(separator: ",").map { String($0) }
    }
}
