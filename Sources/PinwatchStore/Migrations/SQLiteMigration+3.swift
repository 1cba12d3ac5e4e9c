extension SQLiteMigration {
    /// What lists of pin sets count, kept up by what changes it: a pin set may apply to 100,000 targets. And JSON whose
    /// members have names of their own, and channels' URLs without a hash of them.
    ///
    /// `pin_set_tally` has the verdicts by kind, those of `accept` among them; `pin_set_reach` the targets that have any.
    /// A row is made by `INSERT OR IGNORE` and moved by `UPDATE`, since a trigger's own conflict clause gives way to that
    /// of the statement that fires it (lang_createtrigger.html).
    static let countedSchema = counted + verdicts + accepted + reloads + unmarked

    private static let counted = """
        CREATE TABLE pin_set_tally (
          pin_set_id INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (pin_set_id, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pin_set_reach (pin_set_id INTEGER PRIMARY KEY, targets INTEGER NOT NULL) STRICT;
        INSERT INTO pin_set_tally (pin_set_id, kind, count)
        SELECT pin_set_id, kind, count(*) FROM verdict GROUP BY pin_set_id, kind;
        INSERT INTO pin_set_tally (pin_set_id, kind, count)
        SELECT pin_set_id, 'accept', sum(count) FROM verdict_accepted GROUP BY pin_set_id
        ON CONFLICT (pin_set_id, kind) DO UPDATE SET count = count + excluded.count;
        INSERT INTO pin_set_reach (pin_set_id, targets)
        SELECT pin_set_id, count(*) FROM (
          SELECT pin_set_id, target_id FROM verdict UNION SELECT pin_set_id, target_id FROM verdict_accepted
        ) AS judged GROUP BY pin_set_id;
        CREATE TRIGGER pin_set_uncounted AFTER DELETE ON pin_set BEGIN
          DELETE FROM pin_set_tally WHERE pin_set_id = old.id;
          DELETE FROM pin_set_reach WHERE pin_set_id = old.id;
        END;

        """

    private static let verdicts = """
        CREATE TRIGGER verdict_counted AFTER INSERT ON verdict BEGIN
          INSERT OR IGNORE INTO pin_set_tally VALUES (new.pin_set_id, new.kind, 0);
          UPDATE pin_set_tally SET count = count + 1 WHERE pin_set_id = new.pin_set_id AND kind = new.kind;
          INSERT OR IGNORE INTO pin_set_reach VALUES (new.pin_set_id, 0);
          UPDATE pin_set_reach SET targets = targets + 1
          WHERE pin_set_id = new.pin_set_id AND NOT EXISTS (
            SELECT 1 FROM verdict
            WHERE target_id = new.target_id AND pin_set_id = new.pin_set_id AND number <> new.number
          ) AND NOT EXISTS (
            SELECT 1 FROM verdict_accepted WHERE target_id = new.target_id AND pin_set_id = new.pin_set_id);
        END;
        CREATE TRIGGER verdict_uncounted AFTER DELETE ON verdict BEGIN
          UPDATE pin_set_tally SET count = count - 1 WHERE pin_set_id = old.pin_set_id AND kind = old.kind;
          UPDATE pin_set_reach SET targets = targets - 1
          WHERE pin_set_id = old.pin_set_id AND NOT EXISTS (
            SELECT 1 FROM verdict WHERE target_id = old.target_id AND pin_set_id = old.pin_set_id
          ) AND NOT EXISTS (
            SELECT 1 FROM verdict_accepted WHERE target_id = old.target_id AND pin_set_id = old.pin_set_id);
        END;

        """

    private static let accepted = """
        CREATE TRIGGER verdict_accepted_counted AFTER INSERT ON verdict_accepted BEGIN
          INSERT OR IGNORE INTO pin_set_tally VALUES (new.pin_set_id, 'accept', 0);
          UPDATE pin_set_tally SET count = count + new.count WHERE pin_set_id = new.pin_set_id AND kind = 'accept';
          INSERT OR IGNORE INTO pin_set_reach VALUES (new.pin_set_id, 0);
          UPDATE pin_set_reach SET targets = targets + 1
          WHERE pin_set_id = new.pin_set_id AND NOT EXISTS (
            SELECT 1 FROM verdict WHERE target_id = new.target_id AND pin_set_id = new.pin_set_id);
        END;
        CREATE TRIGGER verdict_accepted_uncounted AFTER DELETE ON verdict_accepted BEGIN
          UPDATE pin_set_tally SET count = count - old.count WHERE pin_set_id = old.pin_set_id AND kind = 'accept';
          UPDATE pin_set_reach SET targets = targets - 1
          WHERE pin_set_id = old.pin_set_id AND NOT EXISTS (
            SELECT 1 FROM verdict WHERE target_id = old.target_id AND pin_set_id = old.pin_set_id);
        END;

        """

    /// URLs of channels were hashed without a key, so that a guess could be tried against a backup. What was there is
    /// overwritten, not only let go of; the next start marks them by a key.
    private static let unmarked = """
        PRAGMA secure_delete = ON;
        UPDATE channel_state SET url_hash = zeroblob(length(url_hash));
        UPDATE channel_state SET url_hash = x'';
        PRAGMA secure_delete = OFF;

        """

    /// Lines of reloads had a member for each thing, of which two may have had one name.
    private static let reloads = """
        UPDATE audit SET changes = json_object('configuration', json_object('from', NULL, 'to', (
          SELECT json_group_array(json_object(
            'section', substr(key, 1, instr(key, '.') - 1), 'name', substr(key, instr(key, '.') + 1),
            'what', json_extract(value, '$.what'), 'detail', json_extract(value, '$.detail')))
          FROM json_each(audit.changes))))
        WHERE action = 'settings.reload' AND changes <> '{}';

        """
}
