extension SQLiteMigration {
    /// The files that pin sets were read from, as they were handed over, numbered from 1. They go when the pin set is
    /// removed, not only when its row does.
    static let originalsSchema = """
        CREATE TABLE pin_set_original (
          pin_set_id INTEGER NOT NULL REFERENCES pin_set (id) ON DELETE CASCADE, number INTEGER NOT NULL,
          name TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (pin_set_id, number)
        ) STRICT;

        """
}
