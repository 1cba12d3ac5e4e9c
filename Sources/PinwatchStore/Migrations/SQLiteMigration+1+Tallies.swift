extension SQLiteMigration {
    /// Sums that the overview shows, kept up by what changes them: counting 100,000 rows takes too long for a page.
    static let tallies = """
        CREATE TABLE standing_tally (
          condition INTEGER PRIMARY KEY, targets INTEGER NOT NULL, addresses INTEGER NOT NULL,
          unscanned INTEGER NOT NULL, failing INTEGER NOT NULL
        ) STRICT;
        INSERT INTO standing_tally VALUES (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0), (3, 0, 0, 0, 0);
        CREATE TRIGGER target_standing_added AFTER INSERT ON target_standing BEGIN
          UPDATE standing_tally SET targets = targets + 1, addresses = addresses + new.addresses,
            unscanned = unscanned + 1 - new.scanned, failing = failing + new.failing
          WHERE condition = new.condition;
        END;
        CREATE TRIGGER target_standing_gone AFTER DELETE ON target_standing BEGIN
          UPDATE standing_tally SET targets = targets - 1, addresses = addresses - old.addresses,
            unscanned = unscanned - 1 + old.scanned, failing = failing - old.failing
          WHERE condition = old.condition;
        END;
        CREATE TRIGGER target_standing_changed
        AFTER UPDATE OF condition, addresses, scanned, failing ON target_standing BEGIN
          UPDATE standing_tally SET targets = targets - 1, addresses = addresses - old.addresses,
            unscanned = unscanned - 1 + old.scanned, failing = failing - old.failing
          WHERE condition = old.condition;
          UPDATE standing_tally SET targets = targets + 1, addresses = addresses + new.addresses,
            unscanned = unscanned + 1 - new.scanned, failing = failing + new.failing
          WHERE condition = new.condition;
        END;

        CREATE TABLE finding_tally (severity INTEGER PRIMARY KEY, findings INTEGER NOT NULL) STRICT;
        INSERT INTO finding_tally VALUES (0, 0), (1, 0), (2, 0);
        CREATE TRIGGER finding_opened AFTER INSERT ON finding BEGIN
          UPDATE finding_tally SET findings = findings + 1 WHERE severity = new.severity;
        END;
        CREATE TRIGGER finding_closed AFTER DELETE ON finding BEGIN
          UPDATE finding_tally SET findings = findings - 1 WHERE severity = old.severity;
        END;
        CREATE TRIGGER finding_changed AFTER UPDATE OF severity ON finding WHEN old.severity <> new.severity BEGIN
          UPDATE finding_tally SET findings = findings - 1 WHERE severity = old.severity;
          UPDATE finding_tally SET findings = findings + 1 WHERE severity = new.severity;
        END;
        """
}
