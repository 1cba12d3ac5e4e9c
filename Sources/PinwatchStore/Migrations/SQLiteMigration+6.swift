extension SQLiteMigration {
    /// Rollouts that have begun and not ended; what they came to is in events. Chains are named by their bytes, for a
    /// chain may go before the rollout that is about it.
    static let rolloutSchema = """
        CREATE TABLE rollout (
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE, from_chain BLOB NOT NULL,
          to_chain BLOB NOT NULL, started_at INTEGER NOT NULL, moved INTEGER NOT NULL, addresses INTEGER NOT NULL,
          PRIMARY KEY (target_id, from_chain, to_chain)
        ) STRICT;

        """
}
