internal import PinwatchCore

extension Recording {
    /// Stores a channel under its name. Another URL or secret enables one that was disabled; `urlHash` tells the former.
    mutating func keep(_ channel: StoredChannel, urlHash: [UInt8], enables: Bool) throws(StoreError) {
        try database.run(
            """
            INSERT INTO channel (name, kind, url_host, allow_private, secrets, managed_by, revision, created_at,
              sealed_url, sealed_secret, sealed_previous)
            VALUES (:name, :kind, :url_host, :allow_private, :secrets, :managed_by, 1, :now, :sealed_url,
              :sealed_secret, :sealed_previous)
            ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, url_host = excluded.url_host,
              allow_private = excluded.allow_private, secrets = excluded.secrets, managed_by = excluded.managed_by,
              revision = channel.revision + 1, sealed_url = excluded.sealed_url,
              sealed_secret = excluded.sealed_secret, sealed_previous = excluded.sealed_previous
            """, channel.values + [("now", .at(now))])
        commit.define(.channels)
        try remember(urlHash: urlHash, of: channel.name, enables: enables)
    }

    private func remember(urlHash: [UInt8], of name: String, enables: Bool) throws(StoreError) {
        let values: Values = [("name", .text(name)), ("hash", .blob(urlHash))]
        let known = try database.row("SELECT url_hash FROM channel_state WHERE name = :name", [values[0]])?.blob(0)
        if known == urlHash, !enables { return }
        if known == [], !enables { return try mark(urlHash, of: name) }
        try database.run(
            """
            INSERT INTO channel_state (name, url_hash, failures) VALUES (:name, :hash, 0)
            ON CONFLICT (name) DO UPDATE SET url_hash = excluded.url_hash, disabled_at = NULL, failures = 0,
              last_error = NULL
            """, values)
        try database.schedule(.channel(name), at: now)
    }

    /// Keeps the hash of a URL of which none was kept: nothing says that it is another one.
    func mark(_ urlHash: [UInt8], of name: String) throws(StoreError) {
        try database.run(
            "UPDATE channel_state SET url_hash = :hash WHERE name = :name",
            [("name", .text(name)), ("hash", .blob(urlHash))])
    }

    /// Drops what is owed to it.
    mutating func remove(channel name: String) throws(StoreError) {
        let values: Values = [("name", .text(name))]
        try database.run("DELETE FROM channel WHERE name = :name", values)
        try database.run("DELETE FROM channel_state WHERE name = :name", values)
        try database.run("DELETE FROM outbox WHERE channel = :name", values)
        try database.run(
            """
            UPDATE delivery SET state = 'dropped', next_attempt_at = NULL, asked = 0
            WHERE channel = :name AND state = 'pending'
            """, values)
        try database.schedule(.channel(name), at: now)
        commit.define(.channels)
        commit.topics.insert(.deliveries)
    }
}
