/// What a command tells its caller.
enum ExitStatus: Int32 {
    case fine = 0
    /// The answer is bad: something is rejected, invalid or mismatched.
    case bad = 1
    /// Usage or input error.
    case usage = 2
    /// Could not tell.
    case unknown = 3

    /// The worst over several subjects, in the order 2, 1, 3, 0.
    static func worst(_ all: some Sequence<ExitStatus>) -> ExitStatus {
        let order: [ExitStatus] = [.usage, .bad, .unknown, .fine]
        return all.min { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) } ?? .fine
    }
}
