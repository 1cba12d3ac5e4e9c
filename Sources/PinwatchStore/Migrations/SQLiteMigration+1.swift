extension SQLiteMigration {
    /// Columns that move with every scan stand in narrow tables (`target_status`, `span_sighting`, `serving`,
    /// `observation_sighting`, `installation`) and in no index. Absent parts of keys are empty text or bytes, since NULLs are never
    /// equal.
    static let firstSchema = targets + certificates + history + findings + alerts + configuration + tallies

    private static let targets = """
        CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE target (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          host TEXT NOT NULL, is_address INTEGER NOT NULL CHECK (is_address IN (0, 1)),
          port INTEGER NOT NULL, sni TEXT NOT NULL, starttls TEXT NOT NULL,
          owner TEXT NOT NULL, labels TEXT NOT NULL, period_s INTEGER, addresses TEXT NOT NULL,
          trust_store TEXT NOT NULL, paused INTEGER NOT NULL CHECK (paused IN (0, 1)), managed_by TEXT NOT NULL,
          added_at INTEGER NOT NULL, removed_at INTEGER,
          UNIQUE (host, port, sni, starttls)
        ) STRICT;
        CREATE INDEX target_removed ON target (removed_at) WHERE removed_at IS NOT NULL;

        CREATE TABLE target_label (
          name TEXT NOT NULL, value TEXT NOT NULL,
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
          PRIMARY KEY (name, value, target_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX target_label_target ON target_label (target_id);

        -- on_time_until_at: the last second at which the last scan is no older than one and a half periods.
        CREATE TABLE target_status (
          target_id INTEGER PRIMARY KEY REFERENCES target (id) ON DELETE CASCADE, on_time_until_at INTEGER,
          last_scan_at INTEGER, last_chain_at INTEGER, failures INTEGER NOT NULL, failing_since_at INTEGER,
          period_s INTEGER NOT NULL
        ) STRICT;

        -- One row for each target that is configured now: what lists sort and filter by.
        CREATE TABLE target_standing (
          target_id INTEGER PRIMARY KEY REFERENCES target (id) ON DELETE CASCADE,
          host TEXT NOT NULL, owner TEXT NOT NULL, condition INTEGER NOT NULL,
          stale INTEGER NOT NULL CHECK (stale IN (0, 1)),
          critical INTEGER NOT NULL, warning INTEGER NOT NULL, info INTEGER NOT NULL, addresses INTEGER NOT NULL,
          leaf BLOB, leaf_ends_at INTEGER NOT NULL,
          scanned INTEGER NOT NULL CHECK (scanned IN (0, 1)), failing INTEGER NOT NULL CHECK (failing IN (0, 1))
        ) STRICT;
        CREATE INDEX target_standing_host ON target_standing (host, target_id);
        CREATE INDEX target_standing_condition ON target_standing (condition, host, target_id);
        CREATE INDEX target_standing_ends ON target_standing (leaf_ends_at, target_id);
        CREATE INDEX target_standing_stale ON target_standing (stale, host, target_id);
        CREATE INDEX target_standing_owner ON target_standing (owner, host, target_id);

        -- One row: the newest scan of all.
        CREATE TABLE installation (id INTEGER PRIMARY KEY CHECK (id = 1), last_scan_at INTEGER) STRICT;
        INSERT INTO installation (id) VALUES (1);

        CREATE TABLE address_resolution (
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
          address BLOB NOT NULL, last_resolved_at INTEGER NOT NULL,
          PRIMARY KEY (target_id, address)
        ) STRICT, WITHOUT ROWID;

        """

    private static let certificates = """
        CREATE TABLE certificate (
          sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32), spki BLOB, subject TEXT,
          not_before_at INTEGER, not_after_at INTEGER, first_seen_at INTEGER NOT NULL, der BLOB NOT NULL
        ) STRICT;
        CREATE INDEX certificate_spki ON certificate (spki, first_seen_at) WHERE spki IS NOT NULL;
        CREATE TABLE public_key (
          spki BLOB PRIMARY KEY CHECK (length(spki) = 32), family TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE chain (
          id BLOB PRIMARY KEY CHECK (length(id) = 32), weak TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE chain_certificate (
          chain_id BLOB NOT NULL REFERENCES chain (id) ON DELETE CASCADE, position INTEGER NOT NULL,
          sha256 BLOB NOT NULL REFERENCES certificate (sha256),
          PRIMARY KEY (chain_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX chain_certificate_sha256 ON chain_certificate (sha256);

        """

    private static let history = """
        CREATE TABLE span (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
          key_family TEXT NOT NULL, chain_id BLOB NOT NULL REFERENCES chain (id),
          first_seen_at INTEGER NOT NULL, closed_at INTEGER, flaps INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX span_target ON span (target_id, closed_at);
        CREATE INDEX span_chain ON span (chain_id);
        CREATE INDEX span_closed ON span (closed_at) WHERE closed_at IS NOT NULL;
        CREATE TABLE span_sighting (
          span_id INTEGER PRIMARY KEY REFERENCES span (id) ON DELETE CASCADE,
          last_seen_at INTEGER NOT NULL, scans INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE serving (
          span_id INTEGER NOT NULL REFERENCES span (id) ON DELETE CASCADE,
          address BLOB NOT NULL, profile TEXT NOT NULL, first_seen_at INTEGER NOT NULL,
          last_seen_at INTEGER NOT NULL, current INTEGER NOT NULL CHECK (current IN (0, 1)),
          PRIMARY KEY (span_id, address, profile)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE observation (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
          address BLOB NOT NULL, profile TEXT NOT NULL, current INTEGER NOT NULL CHECK (current IN (0, 1)),
          outcome TEXT NOT NULL, detail TEXT NOT NULL, tls_version TEXT, cipher TEXT, alpn TEXT,
          key_family TEXT NOT NULL, chain_id BLOB REFERENCES chain (id), scts INTEGER NOT NULL,
          first_at INTEGER NOT NULL, stapled_ocsp BLOB
        ) STRICT;
        CREATE INDEX observation_target ON observation (target_id, id);
        CREATE INDEX observation_current ON observation (target_id) WHERE current = 1;
        CREATE INDEX observation_run ON observation (target_id, address, profile, id);
        CREATE INDEX observation_chain ON observation (chain_id) WHERE chain_id IS NOT NULL;
        CREATE TABLE observation_sighting (
          observation_id INTEGER PRIMARY KEY REFERENCES observation (id) ON DELETE CASCADE,
          last_at INTEGER NOT NULL, times INTEGER NOT NULL, failures INTEGER NOT NULL, duration_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE event (
          id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, at INTEGER NOT NULL, target_id INTEGER,
          subject TEXT NOT NULL, class TEXT, quiet INTEGER NOT NULL CHECK (quiet IN (0, 1)),
          summary TEXT NOT NULL, evidence TEXT NOT NULL
        ) STRICT;
        CREATE INDEX event_target ON event (target_id, id);
        CREATE INDEX event_kind ON event (kind, id);
        CREATE INDEX event_at ON event (at);

        """

    private static let findings = """
        CREATE TABLE finding (
          id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, scope_key TEXT NOT NULL, kind TEXT NOT NULL,
          severity INTEGER NOT NULL, target_id INTEGER, pin_set_id INTEGER,
          stale INTEGER NOT NULL CHECK (stale IN (0, 1)), since_at INTEGER NOT NULL, alert_id INTEGER,
          body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX finding_scope ON finding (scope_key);
        CREATE INDEX finding_order ON finding (severity, since_at, id);
        CREATE INDEX finding_kind ON finding (kind, severity, since_at, id);
        CREATE INDEX finding_target ON finding (target_id) WHERE target_id IS NOT NULL;
        CREATE INDEX finding_alert ON finding (alert_id) WHERE alert_id IS NOT NULL;

        CREATE TABLE verdict (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          pin_set_id INTEGER NOT NULL, target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
          address BLOB NOT NULL, key_family TEXT NOT NULL, chain_id BLOB NOT NULL, body TEXT NOT NULL,
          UNIQUE (target_id, pin_set_id, address, key_family, chain_id)
        ) STRICT;
        CREATE TABLE verdict_accepted (
          target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE, pin_set_id INTEGER NOT NULL,
          count INTEGER NOT NULL,
          PRIMARY KEY (target_id, pin_set_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE upcoming (
          id INTEGER PRIMARY KEY AUTOINCREMENT, scope_key TEXT NOT NULL, kind TEXT NOT NULL, ends_at INTEGER NOT NULL,
          target_id INTEGER, pin_set_id INTEGER, subject TEXT NOT NULL, summary TEXT NOT NULL
        ) STRICT;
        CREATE INDEX upcoming_scope ON upcoming (scope_key);
        CREATE INDEX upcoming_ends ON upcoming (ends_at);
        -- When each scope must be judged again though nothing is observed; no row for never.
        CREATE TABLE evaluation (scope_key TEXT PRIMARY KEY, next_change_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX evaluation_due ON evaluation (next_change_at);

        """

    private static let alerts = """
        CREATE TABLE alert (
          id INTEGER PRIMARY KEY AUTOINCREMENT, finding_key TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
          severity TEXT NOT NULL, opened_at INTEGER NOT NULL, acknowledged_by TEXT, acknowledged_at INTEGER,
          acknowledged_note TEXT, silenced_by TEXT, resolved_at INTEGER, reminders INTEGER NOT NULL,
          told TEXT NOT NULL, subjects TEXT NOT NULL, finding TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX alert_open ON alert (finding_key) WHERE resolved_at IS NULL;
        CREATE INDEX alert_state ON alert (state, id);
        CREATE INDEX alert_resolved ON alert (resolved_at) WHERE resolved_at IS NOT NULL;

        CREATE TABLE outbox (
          id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, alert_id INTEGER,
          hold_until_at INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX outbox_due ON outbox (channel, hold_until_at);
        CREATE INDEX outbox_alert ON outbox (alert_id, id) WHERE alert_id IS NOT NULL;

        CREATE TABLE delivery (
          id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
          channel TEXT NOT NULL, alert_id INTEGER, state TEXT NOT NULL, next_attempt_at INTEGER,
          created_at INTEGER NOT NULL, body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX delivery_pending ON delivery (channel, next_attempt_at, id) WHERE state = 'pending';
        CREATE INDEX delivery_state ON delivery (state, id);
        CREATE INDEX delivery_channel ON delivery (channel, id);
        CREATE INDEX delivery_created ON delivery (created_at);
        -- Every alert that a delivery tells, of which delivery.alert_id is the first: what keeps their order.
        CREATE TABLE delivery_alert (
          delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE, alert_id INTEGER NOT NULL,
          PRIMARY KEY (delivery_id, alert_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX delivery_alert_alert ON delivery_alert (alert_id, delivery_id);
        CREATE TABLE attempt (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
          at INTEGER NOT NULL, status INTEGER, error TEXT, duration_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX attempt_delivery ON attempt (delivery_id, id);

        """

    private static let configuration = """
        CREATE TABLE pin_set (
          id INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT NOT NULL, release TEXT NOT NULL, variant TEXT NOT NULL,
          stack TEXT NOT NULL, share REAL, trust_store TEXT, source TEXT NOT NULL, files TEXT NOT NULL, origin TEXT NOT NULL,
          managed_by TEXT NOT NULL, removed_at INTEGER,
          UNIQUE (app, release, variant, stack)
        ) STRICT;
        CREATE INDEX pin_set_removed ON pin_set (removed_at) WHERE removed_at IS NOT NULL;
        CREATE TABLE channel_state (
          name TEXT PRIMARY KEY, url_hash BLOB NOT NULL, disabled_at INTEGER, failures INTEGER NOT NULL,
          last_error TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE token (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, role TEXT NOT NULL, sha256 BLOB NOT NULL UNIQUE,
          created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER
        ) STRICT;

        """
}
