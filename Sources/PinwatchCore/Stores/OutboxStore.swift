/// What the courier needs of the store. Each method is one transaction.
///
/// What was written at a time that lies ahead of `now` waits by a clock that has been set back since, so its time
/// counts as come.
package protocol OutboxStore: Sendable {
    /// Items of `channels` whose hold has ended, oldest first, at most `limit`; an item never overtakes an older one of the same alert.
    func dueItems(channels: [String], now: Instant, limit: Int) async throws -> [OutboxItem]

    /// Stores composed messages and removes the items that they tell, together. An item that is already gone makes the
    /// delivery that tells it not be stored: another composer was first.
    func compose(_ messages: [ComposedMessage]) async throws

    /// Pending deliveries of a channel whose time has come, oldest first, at most `limit`. None about an alert of which
    /// an older message to the channel is pending, so that a channel hears of an alert's changes in their order. While
    /// there are such that somebody asked for, these alone, whatever their time.
    func dueDeliveries(channel: String, now: Instant, limit: Int) async throws -> [Delivery]

    /// Appends the attempt and moves the delivery on. `channelGone` also disables the channel and marks its pending
    /// deliveries dead. Attempts beyond the newest 50 of a delivery are dropped.
    func record(_ attempt: Attempt, of delivery: Int64, result: AttemptResult, now: Instant) async throws

    /// The earliest instant at which an item or a delivery becomes due by the clock; `nil` if nothing waits. A delivery
    /// behind an older one of its alert counts once that is settled.
    func nextDue(channels: [String]) async throws -> Instant?
}

/// A message ready to be stored, and the items that it tells.
package struct ComposedMessage: Sendable {
    package let messageID: String
    package let type: String
    package let channel: String
    package let alertID: AlertID?
    package let body: [UInt8]
    package let items: [Int64]
    package let createdAt: Instant

    package init(
        messageID: String, type: String, channel: String, alertID: AlertID?, body: [UInt8], items: [Int64],
        createdAt: Instant
    ) {
        self.messageID = messageID
        self.type = type
        self.channel = channel
        self.alertID = alertID
        self.body = body
        self.items = items
        self.createdAt = createdAt
    }
}
