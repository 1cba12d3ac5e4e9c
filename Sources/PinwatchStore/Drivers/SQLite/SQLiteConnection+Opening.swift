extension SQLiteConnection {
    /// Opens the one connection that writes: makes or migrates the schema, or refuses a file that is newer or not ours
    /// before anything was written.
    ///
    /// - Parameter options: If they say that it serves, the ``ServiceLock`` is taken before anything is changed.
    static func writer(path: String, options: StoreOptions) throws(StoreError) -> SQLiteConnection {
        let busyMilliseconds = options.busyMilliseconds
        let file = SQLiteFile(path: path)
        let known = Int64(SQLiteMigration.all.count)
        switch try file.content() {
        case .foreign(let what): throw .foreign(path: path, what: what)
        case .empty:
            try file.create()
            options.checkpoint("store.open.after_create")
            let lock = options.serves ? try ServiceLock(database: path) : nil
            let connection = try SQLiteConnection(path: path, mode: .write, busyMilliseconds: busyMilliseconds)
            connection.serviceLock = lock
            // Before WAL, so that the header says whose the file is even if the process dies now.
            try connection.migrate(to: known, checkpoint: options.checkpoint)
            try connection.settle()
            options.checkpoint("store.open.after_settings")
            return connection
        case .ours(let version):
            guard version <= known else { throw .newer(path: path, version: version, known: known) }
            // The newest header may still be in the WAL; a connection that cannot write leaves it there.
            let looking = try SQLiteConnection(path: path, mode: .read, busyMilliseconds: busyMilliseconds)
            let current = try looking.number("PRAGMA user_version")
            guard current <= known else { throw .newer(path: path, version: current, known: known) }
            let lock = options.serves ? try ServiceLock(database: path) : nil
            let connection = try SQLiteConnection(path: path, mode: .write, busyMilliseconds: busyMilliseconds)
            connection.serviceLock = lock
            try connection.settle()
            try connection.migrate(to: known, checkpoint: options.checkpoint)
            return connection
        }
    }

    /// Opens a connection for reading. The writer must have opened the file before.
    static func reader(path: String, busyMilliseconds: Int32) throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .read, busyMilliseconds: busyMilliseconds)
        try connection.script("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -8000;")
        return connection
    }

    /// The writer's settings. FULL syncs the WAL at every commit: an alert owed survives power loss, and a batch of
    /// scans pays for one sync. Debian compiles secure_delete in, which would zero freed pages: what is deleted here
    /// is public.
    private func settle() throws(StoreError) {
        try script(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;
            PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 16777216; PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000;
            """)
    }

    /// Runs the migrations that the file lacks, each a transaction with its record in `migration`.
    private func migrate(to known: Int64, checkpoint: (StaticString) -> Void) throws(StoreError) {
        guard try number("PRAGMA user_version") < known else { return }
        for (number, migration) in zip(Int64(1)..., SQLiteMigration.all) {
            try write { () throws(StoreError) in
                // Asked within the transaction: another process may have opened the file at the same time.
                guard try self.number("PRAGMA user_version") < number else { return }
                try script(migration.sql)
                checkpoint("store.open.after_schema")
                try run(
                    "INSERT INTO migration (number, name) VALUES (:number, :name)",
                    [("number", .integer(number)), ("name", .text(migration.name))])
                try script(
                    "PRAGMA application_id = \(SQLiteFile.applicationID); PRAGMA user_version = \(number);")
                checkpoint("store.open.before_commit")
            }
            checkpoint("store.open.after_commit")
        }
    }

    /// Moves the WAL into the database and empties it, as far as readers let it.
    func checkpoint() throws(StoreError) {
        _ = try rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
