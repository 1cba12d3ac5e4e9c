internal import Synchronization

/// A request's body while it arrives: kept up to its route's limit, read past beyond it, and cut off at a third bound.
struct Upload: Sendable {
    /// What is kept of it.
    private(set) var bytes: [UInt8] = []
    /// Why the request is refused once the body is over; its bytes are dropped from then on.
    private(set) var refusal: Problem?
    private var count = 0
    /// `nil` keeps nothing.
    private let limit: Int?
    private let limits: ServerLimits
    let lease: BodyBudget.Lease

    init(limit: Int?, limits: ServerLimits, budget: BodyBudget) {
        self.limit = limit
        self.limits = limits
        lease = BodyBudget.Lease(budget)
    }

    /// Takes the next piece.
    ///
    /// - Returns: Whether to go on; the connection is to be reset otherwise.
    mutating func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        count += piece.count
        guard count <= limits.swallowed else { return false }
        guard refusal == nil else { return true }
        let most = limit ?? limits.body
        if count > most {
            refuse(.bodyTooLarge(most))
        } else if limit != nil {
            let charged = max(bytes.count - limits.smallBody, 0)
            guard lease.take(max(bytes.count + piece.count - limits.smallBody, 0) - charged) else {
                refuse(.tooManyBodies)
                return true
            }
            unsafe bytes.append(contentsOf: piece)
        }
        return true
    }

    private mutating func refuse(_ problem: Problem) {
        refusal = problem
        bytes = []
        lease.release()
    }
}

extension Problem {
    static func bodyTooLarge(_ bytes: Int) -> Problem {
        Problem(413, "The request's body is larger than the \(bytes) bytes that this path takes.")
    }

    static let tooManyBodies = Problem(
        503, "The service is busy reading other requests. Try again in a moment.", headers: [.init("Retry-After", "5")])
}
