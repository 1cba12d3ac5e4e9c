import PinwatchCore
import Testing

@testable import PinwatchStore

@Suite("Silences and acknowledgements") struct ManagingAlertsTests {
    @Test func `a silence covers alerts in its own transaction, and its end is told by the clock`() async throws {
        let (fixture, target, id) = try await StoreFixture.broken()
        let store = fixture.store
        let preview = try await store.previewSilence(once(ends: noon + 600))
        #expect(preview.alerts.contains { $0.alert.id == id } && preview.alertCount == preview.alerts.count)
        #expect(preview.targets.map(\.label) == ["api.example.com"] && preview.targetCount == 1)
        let made = try await store.addSilence(once(ends: noon + 600), change(at: noon + 10))
        #expect(made.state == .active && made.createdBy == "ann" && made.alerts == preview.alertCount)
        let silenced = try #require(try await store.alert(id)).alert
        #expect(silenced.state == .silenced && silenced.silencedBy == made.id.text)
        #expect(try await fixture.owed(at: noon + 10).isEmpty)
        // A new problem in the silence is not told, at its end it is; the old one has been told.
        _ = try await store.addPinSet(pinDefinition("bank", keys: [3]), change(at: noon + 20))
        try await fixture.judge(at: noon + 20)
        #expect(try await fixture.owed(at: noon + 20).isEmpty)
        try await fixture.judge(at: noon + 599)
        #expect(try await store.alert(id)?.alert.state == .silenced)
        try await fixture.judge(at: noon + 600)
        #expect(try await store.alert(id)?.alert.state == .open)
        let told = try await fixture.owed(at: noon + 600)
        #expect(!told.isEmpty && Set(told) == ["ops alert.opened"])
        #expect(try await store.silence(made.id, now: noon + 600)?.state == .ended)
        #expect(try await store.alerts(PageRequest(filters: ["target_id": [target.id.text]])).total > 0)
        #expect(try await store.alerts(PageRequest(filters: ["target_id": ["99"]])).total == 0)
    }

    @Test func `a recording in a silence and one after its end go by the clock, judged or not`() async throws {
        let (fixture, target, id) = try await StoreFixture.broken()
        _ = try await fixture.store.addSilence(once(ends: noon + 600), change(at: noon + 10))
        try await fixture.record(target, key: 3, at: noon + 300)
        #expect(try await fixture.store.alert(id)?.alert.state == .silenced)
        try await fixture.record(target, key: 4, at: noon + 700)
        #expect(try await fixture.store.alert(id)?.alert.state == .open)
    }

    @Test func `a weekly silence begins and ends by the clock`() async throws {
        let (fixture, _, id) = try await StoreFixture.broken()
        // noon is 2030-03-17T17:46:40Z, a Sunday.
        let weekly = Silence.Weekly(weekdays: [.sun], fromMinute: 18 * 60, toMinute: 19 * 60, zone: "UTC")
        var silence = once(ends: noon)
        (silence.endsAt, silence.weekly) = (nil, weekly)
        let made = try await fixture.store.addSilence(silence, change())
        #expect(made.state == .pending)
        let begin = noon + 800
        for (now, state, alert) in [
            (begin - 1, SilenceRecord.State.pending, AlertState.open), (begin, .active, .silenced),
            (begin + 3_599, .active, .silenced), (begin + 3_600, .pending, .open),
            (begin + 7 * 86_400, .active, .silenced),
        ] {
            try await fixture.judge(at: now)
            #expect(try await fixture.store.silence(made.id, now: now)?.state == state)
            #expect(try await fixture.store.alert(id)?.alert.state == alert)
        }
    }

    @Test func `silences are listed by state, changed, and ended by hand`() async throws {
        let (fixture, _, id) = try await StoreFixture.broken()
        let store = fixture.store
        let active = try await store.addSilence(once(ends: noon + 600), change()).id
        var later = once(ends: noon + 900)
        later.startsAt = noon + 700
        let pending = try await store.addSilence(later, change()).id
        let ended = try await store.addSilence(once(Silence.Matchers(kinds: [.scanStale]), ends: noon + 5), change()).id
        let listed = try await store.silences(PageRequest(), now: noon + 5)
        #expect(listed.items.map(\.id) == [active, pending, ended] && listed.total == 3)
        let first = try await store.silences(PageRequest(limit: 2), now: noon + 5)
        let rest = try await store.silences(PageRequest(limit: 2, cursor: first.next), now: noon + 5)
        #expect((first.items + rest.items).map(\.id) == [active, pending, ended])
        let filter = PageRequest(filters: ["state": ["pending", "ended"]])
        #expect(try await store.silences(filter, now: noon + 5).items.map(\.id) == [pending, ended])

        let changed = try await store.changeSilence(active, change(at: noon + 6, expecting: 1)) {
            silence throws(ChangeRefusal) in silence.endsAt = noon + 50
        }
        #expect(changed.revision == 2 && changed.silence.endsAt == noon + 50)
        await #expect(throws: ChangeRefusal.revised(current: 2)) {
            try await store.removeSilence(active, change(at: noon + 7, expecting: 1))
        }
        try await store.removeSilence(active, change(at: noon + 8))
        #expect(try await store.alert(id)?.alert.state == .open)
        #expect(try await store.silence(active, now: noon + 8)?.state == .ended)
        for refused in [active, ended] {
            let refusal = await #expect(throws: ChangeRefusal.self) {
                try await store.removeSilence(refused, change(at: noon + 9))
            }
            guard case .conflict? = refusal else { throw try #require(refusal) }
        }
        let empty = await #expect(throws: ChangeRefusal.self) {
            try await store.addSilence(once(Silence.Matchers(), ends: noon + 600), change())
        }
        guard case .invalid("matchers", _)? = empty else { throw try #require(empty) }
        #expect(
            try await fixture.audited().prefix(2)
                == ["silence.delete api.example.com", "silence.update api.example.com"])
        try await store.prune(Configuration.Retention(), now: noon + 366 * 86_400)
        #expect(try await store.silences(PageRequest(), now: noon).total == 0)
    }

    @Test func `an acknowledgement is told once, and taken back is told to nobody`() async throws {
        let commits = Commits()
        let (fixture, _, id) = try await StoreFixture.broken(commits: commits)
        let store = fixture.store
        _ = commits.take()
        let first = try await store.acknowledge(id, note: "on it", change(at: noon + 1)).alert
        #expect(first.state == .acknowledged && first.acknowledged?.by == "ann" && first.acknowledged?.note == "on it")
        #expect(try await fixture.owed(at: noon + 1) == ["ops alert.acknowledged"])
        #expect(commits.take().map(\.owed) == [1])
        #expect(try await store.acknowledge(id, note: nil, change(at: noon + 2)).alert.acknowledged?.note == nil)
        #expect(try await store.unacknowledge(id, change(at: noon + 3)).alert.state == .open)
        #expect(try await fixture.owed(at: noon + 3).count == 1)
        await #expect(throws: ChangeRefusal.unknown) {
            try await store.acknowledge(AlertID(99), note: nil, change())
        }
        _ = try await fixture.synchronize(fixture.configuration(channels: ["ops"]), at: noon + 4)
        try await fixture.judge(at: noon + 4)
        let over = await #expect(throws: ChangeRefusal.self) {
            try await store.acknowledge(id, note: nil, change(at: noon + 5))
        }
        guard case .conflict? = over else { throw try #require(over) }
        #expect(
            try await fixture.audited() == [
                "alert.unacknowledge pin.rejected api.example.com", "alert.acknowledge pin.rejected api.example.com",
                "alert.acknowledge pin.rejected api.example.com",
            ])
    }

    @Test func `events are read on from a number, and one by its number`() async throws {
        let fixture = try await StoreFixture()
        #expect(try await fixture.store.lastEventID() == 0)
        _ = try await fixture.targets("a.example", "b.example", "c.example")
        #expect(try await fixture.store.lastEventID() == 3)
        #expect(try await fixture.store.events(after: 1, limit: 1).map(\.id) == [2])
        #expect(try await fixture.store.event(3)?.event.subject == "c.example")
        #expect(try await fixture.store.event(4) == nil)
    }
}
