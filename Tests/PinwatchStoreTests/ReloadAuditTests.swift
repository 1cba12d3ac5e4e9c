import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("A reload's line of the audit trail") struct ReloadAuditTests {
    @Test func `is kept with the configuration that it tells of`() async throws {
        let fixture = try await StoreFixture()
        try await synchronize(fixture, fixture.configuration(hosts: ["a.example"]))
        #expect(try await fixture.audited() == ["settings.reload pinwatch.yaml"])
    }

    @Test func `is not there where the configuration was refused`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.store.addPinSet(pinDefinition("shop", keys: [2]), change())
        _ = try await fixture.store.writer.statement("ALTER TABLE pin_set RENAME TO elsewhere")
        await #expect(throws: StoreError.self) { try await synchronize(fixture, fixture.configuration()) }
        #expect(try await fixture.audited() == ["pin_set.create shop 1"])
    }

    @Test func `that cannot be kept leaves the configuration that was in force`() async throws {
        let fixture = try await StoreFixture()
        _ = try await fixture.targets("a.example")
        _ = try await fixture.store.writer.statement("ALTER TABLE audit RENAME TO elsewhere")
        await #expect(throws: StoreError.self) {
            try await synchronize(fixture, fixture.configuration(hosts: ["b.example"]))
        }
        #expect(try await fixture.store.targets(PageRequest()).items.map(\.target.host.text) == ["a.example"])
    }

    private func synchronize(_ fixture: StoreFixture, _ configuration: Configuration) async throws {
        _ = try await fixture.store.synchronize(
            configuration, trustStores: [:], urlHash: { Array($0.url.revealed.utf8) }, readPinSet: readPins,
            noting: AuditRecord(
                Change(by: .signal, at: noon), .settingsReload,
                AuditObject(type: "settings", id: "settings", name: "pinwatch.yaml")), now: noon)
    }
}
