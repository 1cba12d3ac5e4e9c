extension SQLiteMigration {
    /// What the API manages: revisions of targets and pin sets, channels with sealed secrets, routes, silences, sessions
    /// and the audit trail.
    static let managedSchema = watched + told + silenced + guarded

    private static let watched = """
        ALTER TABLE target ADD COLUMN address_policy TEXT;
        ALTER TABLE target ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE target ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE target ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
        UPDATE target SET created_at = added_at, updated_at = added_at;

        ALTER TABLE pin_set ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE pin_set ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE pin_set ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
        -- When a pin set came was not kept: no earlier than the first target.
        UPDATE pin_set SET created_at = coalesce((SELECT min(added_at) FROM target), 0);
        UPDATE pin_set SET updated_at = created_at;
        CREATE INDEX pin_set_app ON pin_set (app, id);
        ALTER TABLE verdict ADD COLUMN kind TEXT NOT NULL DEFAULT '';
        UPDATE verdict SET kind = json_extract(body, '$.deciding.kind');
        CREATE INDEX verdict_pin_set ON verdict (pin_set_id, kind, target_id);
        CREATE INDEX verdict_accepted_pin_set ON verdict_accepted (pin_set_id);

        CREATE INDEX event_class ON event (class, id) WHERE class IS NOT NULL;

        """

    private static let told = """
        -- How a channel fares stands in channel_state. What is secret is sealed, and NULL for a channel of the file.
        CREATE TABLE channel (
          name TEXT PRIMARY KEY, kind TEXT NOT NULL, url_host TEXT NOT NULL,
          allow_private INTEGER NOT NULL CHECK (allow_private IN (0, 1)), secrets INTEGER NOT NULL,
          managed_by TEXT NOT NULL, revision INTEGER NOT NULL, created_at INTEGER NOT NULL,
          sealed_url BLOB, sealed_secret BLOB, sealed_previous BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE route (
          id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, managed_by TEXT NOT NULL,
          revision INTEGER NOT NULL, created_at INTEGER NOT NULL
        ) STRICT;

        -- asked: somebody wants it tried now, whatever its channel's pause; until the try. Tries and lifetime count from
        -- retried_at.
        ALTER TABLE delivery ADD COLUMN retried_at INTEGER;
        ALTER TABLE delivery ADD COLUMN asked INTEGER NOT NULL DEFAULT 0 CHECK (asked IN (0, 1));
        CREATE INDEX delivery_asked ON delivery (channel, id) WHERE asked = 1;

        """

    private static let silenced = """
        CREATE TABLE silence (
          id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, weekly INTEGER NOT NULL CHECK (weekly IN (0, 1)),
          starts_at INTEGER NOT NULL, ends_at INTEGER, created_by TEXT NOT NULL, created_at INTEGER NOT NULL,
          managed_by TEXT NOT NULL, revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX silence_ends ON silence (ends_at) WHERE ends_at IS NOT NULL;

        -- at_silence: the finding as it was when the silence began, which is what channels have last heard of.
        ALTER TABLE alert ADD COLUMN at_silence TEXT;
        ALTER TABLE alert ADD COLUMN target_id INTEGER;
        UPDATE alert SET target_id = json_extract(finding, '$.target');
        CREATE INDEX alert_target ON alert (target_id, id) WHERE target_id IS NOT NULL;
        CREATE INDEX alert_silenced ON alert (silenced_by) WHERE silenced_by IS NOT NULL;

        """

    private static let guarded = """
        ALTER TABLE token ADD COLUMN last_used_at INTEGER;
        CREATE TABLE session (
          sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
          token_id INTEGER NOT NULL REFERENCES token (id) ON DELETE CASCADE,
          created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_token ON session (token_id);
        CREATE INDEX session_expires ON session (expires_at);

        CREATE TABLE audit (
          id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, via TEXT NOT NULL,
          role TEXT NOT NULL, token_id INTEGER, address BLOB NOT NULL, action TEXT NOT NULL, object_type TEXT NOT NULL,
          object_id TEXT NOT NULL, object_name TEXT NOT NULL, changes TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_at ON audit (at);
        CREATE INDEX audit_action ON audit (action, id);
        CREATE INDEX audit_actor ON audit (actor, id);
        CREATE INDEX audit_object ON audit (object_type, id);

        """
}
