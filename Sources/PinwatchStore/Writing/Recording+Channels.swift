internal import PinwatchCore

extension Recording {
    /// Keeps one state for each configured channel; drops what was owed to channels that are gone.
    func synchronize(channels: [(name: String, hash: [UInt8])]) throws(StoreError) {
        var stored: [String: [UInt8]] = [:]
        for row in try database.rows("SELECT name, url_hash FROM channel_state") {
            stored[try row.text(0)] = try row.blob(1)
        }
        for (name, hash) in channels {
            let known = stored.removeValue(forKey: name)
            if known == hash { continue }
            try database.run(
                """
                INSERT INTO channel_state (name, url_hash, failures) VALUES (:name, :hash, 0)
                ON CONFLICT (name) DO UPDATE SET url_hash = excluded.url_hash, disabled_at = NULL, failures = 0,
                  last_error = NULL
                """, [("name", .text(name)), ("hash", .blob(hash))])
            try database.schedule(.channel(name), at: now)
        }
        for name in stored.keys.sorted() {
            let values: Values = [("name", .text(name))]
            try database.run("DELETE FROM channel_state WHERE name = :name", values)
            try database.run("DELETE FROM outbox WHERE channel = :name", values)
            try database.run(
                """
                UPDATE delivery SET state = 'dropped', next_attempt_at = NULL
                WHERE channel = :name AND state = 'pending'
                """, values)
            try database.schedule(.channel(name), at: now)
        }
    }
}
