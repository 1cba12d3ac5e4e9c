internal import PinwatchCore

/// A value as source writes it, as far as it stands there.
indirect enum SourceValue: Hashable {
    struct Argument: Hashable {
        /// Swift's and Kotlin's argument name, or a part of an Objective-C message.
        let label: String?
        let value: SourceValue
    }

    struct Pair: Hashable {
        let key: SourceValue
        let value: SourceValue
    }

    case text(String, Mark)
    case flag(Bool, Mark)
    case number(String, Mark)
    case list([SourceValue], Mark)
    case table([Pair], Mark)
    /// A call or an initialiser; `name` holds what stands before it, dots included.
    case call(String, [Argument], Mark)
    case name(String, Mark)
    /// What only running the code would tell: its source, shortened.
    case unresolved(String, Mark)

    var mark: Mark {
        switch self {
        case .text(_, let mark), .flag(_, let mark), .number(_, let mark), .list(_, let mark), .table(_, let mark),
            .call(_, _, let mark), .name(_, let mark), .unresolved(_, let mark):
            mark
        }
    }

    /// As a message quotes it.
    var shown: String {
        switch self {
        case .text(let text, _): "\"\(text.prefix(60))\""
        case .flag(let flag, _): String(flag)
        case .number(let digits, _): digits
        case .list: "a list"
        case .table: "a dictionary"
        case .call(let name, _, _): "\(name)(…)"
        case .name(let name, _): name
        case .unresolved(let source, _): source
        }
    }
}
