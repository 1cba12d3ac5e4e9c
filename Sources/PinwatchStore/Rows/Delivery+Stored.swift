internal import PinwatchCore

extension Delivery {
    /// Columns in the order that ``init(row:)`` reads.
    static let columns = """
        delivery.id, delivery.message_id, delivery.type, delivery.channel, delivery.alert_id, delivery.state, \
        delivery.next_attempt_at, delivery.created_at, delivery.retried_at, delivery.asked
        """
    static let columnCount = 10

    /// Reads a delivery without its body and attempts.
    init(row: Row) throws(StoreError) {
        self.init(
            id: try row.integer(0), messageID: try row.text(1), type: try row.text(2), channel: try row.text(3),
            alertID: try row.integerOrNil(4).map { AlertID($0) }, body: [], state: try row.word(5), attempts: [],
            nextAttemptAt: try row.instantOrNil(6), createdAt: try row.instant(7),
            retriedAt: try row.instantOrNil(8), isAskedFor: try row.flag(9))
    }
}

extension Database {
    /// Deliveries with body and attempts.
    func deliveries(_ clause: String, _ values: Values) throws(StoreError) -> [Delivery] {
        var deliveries: [Delivery] = []
        for row in try rows("SELECT \(Delivery.columns), body FROM delivery \(clause)", values) {
            var delivery = try Delivery(row: row)
            delivery.body = try row.blob(Delivery.columnCount)
            delivery.attempts = try attempts(of: delivery.id)
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// A delivery's attempts, oldest first.
    func attempts(of delivery: Int64) throws(StoreError) -> [Attempt] {
        var attempts: [Attempt] = []
        for row in try rows(
            "SELECT at, status, error, duration_ms FROM attempt WHERE delivery_id = :delivery ORDER BY id",
            [("delivery", .integer(delivery))])
        {
            attempts.append(
                Attempt(
                    at: try row.instant(0), status: try row.integerOrNil(1).map { Int($0) },
                    error: try row.textOrNil(2), milliseconds: try row.integer(3)))
        }
        return attempts
    }
}

/// A list of parameters for `IN`, each with a name of its own.
struct NamedList {
    let values: Values

    init(_ name: String, _ values: [Value]) {
        self.values = values.enumerated().map { ("\(name)\($0.offset)", $0.element) }
    }

    /// `(:name0, :name1)`; never empty, since both databases refuse `()` or treat it as they like.
    var sql: String { "(" + values.map { ":" + $0.name }.joined(separator: ", ") + ")" }
}
