extension SQLiteMigration {
    /// What is known of leaves' revocation, and when each is looked at next: null while no target serves it. Without a
    /// status nobody has looked yet. Leaves that are served already are looked at soon.
    static let revocationSchema = """
        CREATE TABLE revocation (
          sha256 BLOB PRIMARY KEY REFERENCES certificate (sha256) ON DELETE CASCADE,
          status TEXT, source TEXT, this_update_at INTEGER, next_update_at INTEGER, revoked_at INTEGER, reason TEXT,
          detail TEXT, checked_at INTEGER, next_check_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX revocation_due ON revocation (next_check_at) WHERE next_check_at IS NOT NULL;
        INSERT INTO revocation (sha256, next_check_at)
        SELECT DISTINCT link.sha256, 0 FROM span JOIN chain_certificate link ON link.chain_id = span.chain_id
        WHERE span.closed_at IS NULL AND link.position = 0;

        """
}
