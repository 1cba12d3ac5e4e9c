internal import PinwatchCore

/// What a command takes on its line.
struct ArgumentSyntax: Sendable {
    /// Options with a value, such as `--config FILE`.
    var options: Set<String> = []
    /// Options without one, such as `--json`.
    var flags: Set<String> = []
    /// Options that may be given more than once.
    var repeatable: Set<String> = []
    /// For options of several values (`--pins FILE…`): whether a further word belongs to them.
    var more: [String: @Sendable (String) -> Bool] = [:]
    /// How many words may stand beside the options.
    var words: ClosedRange<Int> = 0...0
}

/// A fault of the command line, or of what it names: exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A command line read by an ``ArgumentSyntax``: options as `--name value` or `--name=value`, `--` ends them.
struct Arguments {
    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(_ line: [String], syntax: ArgumentSyntax) throws(UsageError) {
        var rest = line[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if syntax.flags.contains(parts[0]) {
                guard parts.count == 1 else { throw UsageError("\(parts[0]) takes no value") }
                flags.insert(parts[0])
            } else if syntax.options.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw UsageError("\(parts[0]) needs a value")
                }
                guard values[parts[0]] == nil || syntax.repeatable.contains(parts[0]) else {
                    throw UsageError("\(parts[0]) is given twice; give it once")
                }
                values[parts[0], default: []].append(value)
                guard let belongs = syntax.more[parts[0]] else { continue }
                while let next = rest.first, !next.hasPrefix("-"), belongs(next) {
                    values[parts[0], default: []].append(next)
                    rest.removeFirst()
                }
            } else {
                let known = (syntax.options.union(syntax.flags)).sorted().joined(separator: ", ")
                throw UsageError("unknown option \(parts[0]); this command takes \(known.isEmpty ? "none" : known)")
            }
        }
        guard syntax.words.contains(words.count) else {
            throw UsageError(
                words.count < syntax.words.lowerBound
                    ? "something is missing after the command; see --help"
                    : "\"\(words[syntax.words.upperBound])\" is one word too many; see --help")
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { values[option]?.first }

    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// A whole number of an option within bounds, or `nil` where it is not given.
    func number(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(option) takes a whole number from \(bounds), not \"\(text)\"")
        }
        return number
    }

    /// The time of an option, or now where it is not given.
    func time(_ option: String) throws(UsageError) -> Instant {
        guard let text = self[option] else { return Machine.now() }
        guard let instant = Instant(rfc3339: text) else {
            throw UsageError(
                "\(option) takes an RFC 3339 time with its zone, such as 2026-11-30T12:00:00Z, not \"\(text)\"")
        }
        return instant
    }
}
