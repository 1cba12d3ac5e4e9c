extension SQLiteMigration {
    /// Targets on an authority that no trust store vouches for, and the authorities under suspicion. A target without a
    /// row has a path, or nothing is known of it; so a table of few rows where nothing is wrong. An address has an empty
    /// domain.
    static let vantageSchema = """
        CREATE TABLE target_authority (
          target_id INTEGER PRIMARY KEY REFERENCES target (id) ON DELETE CASCADE, authority TEXT NOT NULL,
          domain TEXT NOT NULL, since_at INTEGER NOT NULL, moved INTEGER NOT NULL CHECK (moved IN (0, 1))
        ) STRICT;
        CREATE INDEX target_authority_since ON target_authority (authority, since_at);
        CREATE INDEX target_authority_domain ON target_authority (authority, moved, domain);

        CREATE TABLE suspicion (
          authority TEXT PRIMARY KEY, name TEXT NOT NULL, begun_at INTEGER NOT NULL, eased_at INTEGER,
          active INTEGER NOT NULL CHECK (active IN (0, 1))
        ) STRICT;

        """
}
