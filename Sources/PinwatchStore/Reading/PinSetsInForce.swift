internal import PinwatchCore
internal import Synchronization

/// The pin sets in force where those who only read find them: their pins are not in the rows but in the policy.
///
/// They are shown a moment after the commit of their rows. So a reader takes them first and the rows second, and holds
/// their revisions against one another: rows can only be ahead, and after the writer's next turn they are not.
final class PinSetsInForce: Sendable {
    private let shown = Mutex<[PinSet]>([])

    func show(_ pinSets: [PinSet]) { shown.withLock { $0 = pinSets } }

    var byID: [PinSetID: PinSet] {
        Dictionary(shown.withLock(\.self).map { ($0.id, $0) }) { first, _ in first }
    }
}

extension Store {
    /// Commits that may come between the writer's turn and a reading, before the reading is given up.
    private static let rounds = 5

    /// Reads rows together with the pin sets in force of the same commit, on a reading connection.
    func readPinSets<Result: Sendable>(
        _ body: @Sendable ([PinSetID: PinSet], any Database) throws -> Result
    ) async throws -> Result {
        for _ in 0..<Self.rounds {
            let inForce = writer.pinSetsInForce.byID
            do {
                return try await read { database in try body(inForce, database) }
            } catch is PinSetBehind {
                await writer.turn()
            }
        }
        throw StoreError.unreadableRow(column: 0, why: "a pin set is stored and not in force")
    }
}

extension Writer {
    /// Returns once what was committed before is taken over.
    fileprivate func turn() {}
}

/// That a row is ahead of the pin sets that were shown when its reading began.
private struct PinSetBehind: Error {}

extension [PinSetID: PinSet] {
    /// The pin set that a row tells of, in the row's state.
    func pinSet(_ id: PinSetID, revision: Int64) throws -> PinSet {
        guard let pinSet = self[id], pinSet.revision == revision else { throw PinSetBehind() }
        return pinSet
    }
}
