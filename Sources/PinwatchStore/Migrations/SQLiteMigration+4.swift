extension SQLiteMigration {
    /// What lists over all targets are read by. An index ends in the row's own number, so that each of these gives its
    /// rows in the order in which they are listed.
    static let listedSchema = """
        ALTER TABLE upcoming ADD COLUMN share REAL;
        CREATE INDEX upcoming_kind ON upcoming (kind, ends_at);
        CREATE INDEX upcoming_target ON upcoming (target_id, ends_at) WHERE target_id IS NOT NULL;
        CREATE INDEX upcoming_pin_set ON upcoming (pin_set_id, ends_at) WHERE pin_set_id IS NOT NULL;
        CREATE INDEX verdict_listed ON verdict (pin_set_id);
        CREATE INDEX verdict_kind ON verdict (kind);

        """
}
