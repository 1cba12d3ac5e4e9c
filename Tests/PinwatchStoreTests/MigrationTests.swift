import FoundationEssentials
import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchStore

@Suite("A database of the first schema") struct MigrationTests {
    @Test func `is brought to this one with all that it holds`() async throws {
        let directory = try TestDirectory()
        let path = directory.path + "/pinwatch.db"
        try makeFirst(at: path)
        let store = try await Store.open(path: path, now: noon)
        let target = try #require(try await store.target(TargetID(1)))
        #expect(target.revision == 1 && target.createdAt == noon - 500 && target.target.settings.addressPolicy == nil)
        let alert = try #require(try await store.alert(AlertID(1)))
        #expect(alert.alert.told == ["ops"] && alert.alert.atSilence == nil)
        let mine = PageRequest(filters: ["target_id": ["1"]])
        #expect(try await store.alerts(mine).items.map(\.alert.id) == [AlertID(1)])
        #expect(try await store.writer.statement("SELECT kind FROM verdict") == [[.text("reject_pin")]])
        #expect(try await store.token(sha256: digest(5))?.lastUsedAt == nil)
        let due = try await store.dueDeliveries(channel: "ops", now: noon, limit: 9)
        #expect(due.map(\.messageID) == ["msg_1"] && due.map(\.retriedAt) == [nil])
        var configuration = Configuration(
            listen: ListenAddress(address: address("127.0.0.1"), port: 0), database: path)
        configuration.targets = [settings("a.example")]
        configuration.pinSets = [pinDefinition("shop", keys: [2], managedBy: .config)]
        configuration.channels = [channel("ops")]
        let known = try await store.synchronize(
            configuration, trustStores: [:], urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins, now: noon)
        #expect(known.targets.map(\.target.id) == [TargetID(1)] && known.pinSets.map(\.id) == [PinSetID(1)])
        #expect(try await store.channels().map(\.channel.name) == ["ops"])
        #expect(try await store.deliveries(PageRequest()).items.map(\.state) == [.pending])
        #expect(
            try await store.writer.statement("SELECT CAST(url_hash AS TEXT), failures FROM channel_state") == [
                [.text("https://ops.example"), .integer(2)]
            ])
        #expect(try await store.writer.statement("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try await store.writer.statement("PRAGMA foreign_key_check").isEmpty)
        try await store.close()
        #expect(try Data(contentsOf: URL(filePath: path)).firstRange(of: Data("unkeyed hash of a URL".utf8)) == nil)
    }

    @Test func `of the second schema keeps its counts, and its lines of reloads with all they list`() async throws {
        let directory = try TestDirectory()
        let path = directory.path + "/pinwatch.db"
        try makeFirst(at: path)
        try raise(path, to: 2)
        let store = try await Store.open(path: path, now: noon)
        #expect(
            try await store.writer.statement("SELECT * FROM pin_set_tally") == [
                [.integer(1), .text("reject_pin"), .integer(1)]
            ])
        #expect(try await store.writer.statement("SELECT * FROM pin_set_reach") == [[.integer(1), .integer(1)]])
        let lines = try await store.audit(PageRequest()).items.map(\.changes.text)
        let listed = ["a", "a", "b.c"].map {
            #"{"section":"routes","name":"\#($0)","what":"added","detail":"é"}"#
        }.joined(separator: ",")
        #expect(lines == ["{}", #"{"configuration":{"from":null,"to":[\#(listed)]}}"#])
        try await store.close()
    }

    /// Brings a database of the first version to a later one, with lines of reloads as that wrote them.
    private func raise(_ path: String, to number: Int) throws {
        let database = try SQLiteConnection(path: path, mode: .write, busyMilliseconds: 100)
        for migration in SQLiteMigration.all[1..<number] { try database.script(migration.sql) }
        try database.script("INSERT INTO migration VALUES (\(number), 'raised'); PRAGMA user_version = \(number);")
        let item = #"{"what":"added","detail":"é"}"#
        for changes in [#"{"routes.a":\#(item),"routes.a":\#(item),"routes.b.c":\#(item)}"#, "{}"] {
            try database.run(
                """
                INSERT INTO audit (at, actor, via, role, address, action, object_type, object_id, object_name, changes)
                VALUES (0, 'SIGHUP', 'signal', 'admin', x'', 'settings.reload', 'settings', 'settings', 'f', :changes)
                """, [("changes", .text(changes))])
        }
    }

    /// What the first version wrote.
    private func makeFirst(at path: String) throws {
        let database = try SQLiteConnection(path: path, mode: .write, busyMilliseconds: 100)
        let pins = pinDefinition("shop", keys: [2], managedBy: .config)
        let wrong = finding("pin.rejected/1/1", target: TargetID(1)).stored.text
        let verdict = ReleaseVerdict(layers: [], deciding: Verdict(.rejectPin, code: "no_match", reason: "none"))
        try database.script(SQLiteMigration.all[0].sql)
        try database.script(
            """
            INSERT INTO migration VALUES (1, 'first schema');
            PRAGMA application_id = \(SQLiteFile.applicationID); PRAGMA user_version = 1;
            INSERT INTO target (host, is_address, port, sni, starttls, owner, labels, addresses, trust_store, paused,
              managed_by, added_at)
            VALUES ('a.example', 0, 443, 'a.example', '', 'ours', '{}', '', 'system', 0, 'config', \((noon - 500).unixSeconds));
            INSERT INTO target_status (target_id, failures, period_s) VALUES (1, 0, 300);
            INSERT INTO target_standing VALUES (1, 'a.example', 'ours', 1, 0, 0, 0, 0, 0, NULL, 9, 0, 0);
            INSERT INTO channel_state (name, url_hash, failures)
            VALUES ('ops', CAST('unkeyed hash of a URL' AS BLOB), 2);
            INSERT INTO delivery (message_id, type, channel, alert_id, state, next_attempt_at, created_at, body)
            VALUES ('msg_1', 'alert.opened', 'ops', 1, 'pending', 0, 0, x'7b7d');
            """)
        try database.run(
            """
            INSERT INTO alert (finding_key, kind, state, severity, opened_at, reminders, told, subjects, finding)
            VALUES ('pin.rejected/1/1', 'pin.rejected', 'open', 'critical', 0, 0, '["ops"]', '[]', :finding)
            """, [("finding", .text(wrong))])
        try database.run(
            """
            INSERT INTO verdict (pin_set_id, target_id, address, key_family, chain_id, body)
            VALUES (1, 1, x'', '', x'', :body)
            """, [("body", .text(verdict.stored.text))])
        try database.run(
            """
            INSERT INTO pin_set (app, release, variant, stack, source, files, origin, managed_by)
            VALUES ('shop', '1', 'release', 'default', :source, '[]', 'api', 'config')
            """, [("source", .text(pins.source))])
        try database.run(
            "INSERT INTO token (name, role, sha256, created_at) VALUES ('a', 'admin', :sha256, 0)",
            [("sha256", .digest(digest(5)))])
    }
}
