package import PinwatchCore

extension Store {
    package func channels() async throws -> [ChannelRecord] {
        try await read { database in
            try database.rows("\(ChannelRecord.query) ORDER BY channel.name").map { row in
                try ChannelRecord(row: row, from: database)
            }
        }
    }

    package func channel(_ name: String) async throws -> ChannelRecord? {
        try await read { database in try database.channelRecord(name) }
    }

    /// What the courier opens the seals of: the channels that came by the API, by name.
    package func sealedChannels() async throws -> [StoredChannel] {
        try await read { database in
            try database.rows(
                "SELECT \(StoredChannel.columns) FROM channel WHERE sealed_url IS NOT NULL ORDER BY name"
            ).map { try StoredChannel(row: $0) }
        }
    }

    /// Replaces what is sealed, in one transaction: for another key.
    ///
    /// - Parameter seal: Gives the new seals of a channel; `nil` leaves them as they are. What it throws undoes all.
    /// - Returns: How many channels were sealed again.
    @discardableResult
    package func reseal(
        _ change: Change, _ seal: @escaping @Sendable (StoredChannel) throws -> StoredChannel.Sealed?
    ) async throws -> Int {
        try await manage(change) { recording in
            let sealed = try recording.database.rows(
                "SELECT \(StoredChannel.columns) FROM channel WHERE sealed_url IS NOT NULL ORDER BY name"
            ).map { try StoredChannel(row: $0) }
            var count = 0
            for var channel in sealed {
                guard let new = try seal(channel) else { continue }
                channel.sealed = new
                try recording.replaceSeal(of: channel)
                try recording.note(change, .secretsReseal, channel.audited)
                count += 1
            }
            return count
        }
    }

    package func addChannel(
        _ channel: StoredChannel, urlHash: [UInt8], _ change: Change
    ) async throws -> ChannelRecord {
        try await manage(change) { recording in
            guard try recording.database.storedChannel(channel.name) == nil else {
                throw ChangeRefusal.exists(id: channel.name)
            }
            var channel = channel
            channel.managedBy = .api
            try recording.keep(channel, urlHash: urlHash, enables: true)
            try recording.refreshChannels()
            try recording.note(change, .channelCreate, channel.audited, FieldChanges(from: nil, to: channel.fields))
            return try recording.record(ofChannel: channel.name)
        }
    }

    package func changeChannel(
        _ name: String, _ change: Change,
        _ edit: @escaping @Sendable (inout StoredChannel, _ urlHash: inout [UInt8]) throws(ChangeRefusal) -> Void
    ) async throws -> ChannelRecord {
        try await manage(change) { recording in
            let (known, hash) = try recording.managedChannel(name, change)
            var (channel, urlHash) = (known, hash)
            try edit(&channel, &urlHash)
            (channel.name, channel.managedBy) = (name, .api)
            guard channel != known || urlHash != hash else { return try recording.record(ofChannel: name) }
            let isOtherSecret = channel.sealed?.secrets != known.sealed?.secrets
            try recording.keep(channel, urlHash: urlHash, enables: isOtherSecret || urlHash != hash)
            var changes = FieldChanges(from: known.fields, to: channel.fields)
            if urlHash != hash { changes.note(secret: "url") }
            if isOtherSecret { changes.note(secret: "secret") }
            try recording.note(change, .channelUpdate, channel.audited, changes)
            return try recording.record(ofChannel: name)
        }
    }

    package func removeChannel(_ name: String, _ change: Change) async throws {
        try await manage(change) { recording in
            let (known, _) = try recording.managedChannel(name, change)
            let routes = try recording.database.storedRoutes().filter { $0.route.channels.contains(name) }
            guard routes.isEmpty else {
                let ids = routes.map { String($0.id) }.joined(separator: ", ")
                throw ChangeRefusal.conflict("routes name the channel (\(ids)); change or delete them first")
            }
            try recording.remove(channel: name)
            try recording.refreshChannels()
            try recording.note(change, .channelDelete, known.audited)
        }
    }
}

extension Recording {
    /// Puts the channels' names in force as a start would: the file's in its order, then the API's by name.
    fileprivate mutating func refreshChannels() throws(StoreError) {
        var own: [String] = []
        for row in try database.rows(
            "SELECT name FROM channel WHERE managed_by = :api ORDER BY name",
            [("api", .text(ManagedBy.api.rawValue))])
        {
            own.append(try row.text(0))
        }
        var configured: Set<String> = []
        for row in try database.rows(
            "SELECT name FROM channel WHERE managed_by = :config", [("config", .text(ManagedBy.config.rawValue))])
        {
            configured.insert(try row.text(0))
        }
        policy.channels = policy.channels.filter { configured.contains($0) } + own
    }

    /// The revision moves on, so that an edit of the old seal is refused.
    fileprivate mutating func replaceSeal(of channel: StoredChannel) throws(StoreError) {
        let values = channel.values.filter { $0.name == "name" || $0.name.hasPrefix("sealed_") }
        try database.run(
            """
            UPDATE channel SET sealed_url = :sealed_url, sealed_secret = :sealed_secret,
              sealed_previous = :sealed_previous, revision = revision + 1
            WHERE name = :name
            """, values)
        commit.define(.channels)
    }

    /// A channel that is there and may be changed so, with its URL's hash.
    fileprivate func managedChannel(_ name: String, _ change: Change) throws -> (StoredChannel, [UInt8]) {
        guard let known = try database.channelRecord(name) else { throw ChangeRefusal.unknown }
        try change.check(known.channel.managedBy, revision: known.revision)
        let hash = try database.row(
            "SELECT url_hash FROM channel_state WHERE name = :name", [("name", .text(name))])?.blob(0)
        return (known.channel, hash ?? [])
    }

    fileprivate func record(ofChannel name: String) throws -> ChannelRecord {
        guard let record = try database.channelRecord(name) else { throw ChangeRefusal.unknown }
        return record
    }
}

extension StoredChannel {
    fileprivate var audited: AuditObject { AuditObject(type: "channel", id: name, name: name) }
}

extension Database {
    fileprivate func channelRecord(_ name: String) throws(StoreError) -> ChannelRecord? {
        let found = try row("\(ChannelRecord.query) WHERE channel.name = :name", [("name", .text(name))])
        guard let row = found else { return nil }
        return try ChannelRecord(row: row, from: self)
    }
}

extension ChannelRecord {
    fileprivate static let query = """
        SELECT \(StoredChannel.columns), channel.revision, channel.created_at, state.disabled_at,
          coalesce(state.failures, 0), state.last_error
        FROM channel LEFT JOIN channel_state state ON state.name = channel.name
        """

    fileprivate init(row: Row, from database: any Database) throws(StoreError) {
        let first = StoredChannel.columnCount
        let channel = try StoredChannel(row: row)
        let delivered = try database.row(
            """
            SELECT (SELECT max(at) FROM attempt WHERE attempt.delivery_id = delivery.id) FROM delivery
            WHERE channel = :name AND state = 'delivered' ORDER BY id DESC LIMIT 1
            """, [("name", .text(channel.name))])
        self.init(
            channel: channel, revision: try row.integer(first), createdAt: try row.instant(first + 1),
            disabledAt: try row.instantOrNil(first + 2), failures: try row.whole(first + 3),
            lastError: try row.textOrNil(first + 4), lastDeliveryAt: try delivered?.instantOrNil(0))
    }
}
