import PinwatchCore
import TestSupport
import Testing

@Suite struct AlertMessageTests {
    private let links = MessageLinks(base: "https://pins.example.com/")

    private func message(_ items: [OutboxItem]) throws -> AlertMessage {
        let message = AlertMessage(id: "msg_1", items: items, links: links, unicode: { "unicode:" + $0.ascii })
        return try #require(message)
    }

    private func member(_ value: JSON, _ path: String...) -> JSON? {
        path.reduce(value) { value, key in
            guard case .object(let members) = value else { return nil }
            return members.first { $0.0 == key }?.1
        }
    }

    @Test func `One alert is the contract's envelope, member by member`() throws {
        let text = try message([AlertSamples.alertItem(alert: 7, target: AlertSamples.target(3))]).json.text
        let alert = #"""
            {"id":"7","finding_key":"pin.rejected/3/1","kind":"pin.rejected","state":"open","severity":"critical",\#
            "opened_at":"2026-11-30T12:00:00Z","acknowledged":null,"silenced_by":null,"resolved_at":null,\#
            "subjects":["api.example.com"],"subject_count":1,"reminders":0}
            """#
        let finding = #"""
            {"key":"pin.rejected/3/1","kind":"pin.rejected","stage":null,"scope":{"affected":1,"of":2},\#
            "severity":"critical","target_id":"3","pin_set_id":"1","subject":"api.example.com",\#
            "summary":"Shop iOS 5.1 rejects api.example.com.","next_step":"Put the old key back.","evidence":{},\#
            "since":"2026-11-30T12:00:00Z","stale":false,"affected_share":0.25}
            """#
        let target = #"""
            {"id":"3","host":"api.example.com","host_unicode":"unicode:api.example.com","port":443,\#
            "sni":"api.example.com","starttls":null,"owner":"ours","labels":{"app":"shop"}}
            """#
        #expect(
            text == #"""
                {"id":"msg_1","type":"alert.opened","timestamp":"2026-11-30T12:00:00Z","data":{"alert":\#(alert),\#
                "finding":\#(finding),"subjects":[\#(target)],"subject_count":1,"affected_share":0.25,\#
                "next_step":"Put the old key back.","links":{"dashboard":"https://pins.example.com/#/alerts/7",\#
                "api":"https://pins.example.com/api/v1/alerts/7"},"alerts":["7"]}}
                """#)
    }

    @Test func `A group is led by its worst alert, then by its oldest, and names every alert and target`() throws {
        let items = [
            AlertSamples.alertItem(
                alert: 1, target: AlertSamples.target(1), finding: AlertSamples.finding(1, severity: .info), id: 1),
            AlertSamples.alertItem(alert: 2, target: AlertSamples.target(2), at: AlertSamples.now + 9, id: 2),
            AlertSamples.alertItem(alert: 3, target: AlertSamples.target(3), at: AlertSamples.now + 5, id: 3),
            AlertSamples.alertItem(alert: 4, target: AlertSamples.target(3), at: AlertSamples.now + 5, id: 4),
        ]
        let message = try message(items)
        #expect(message.alertID == AlertID(3))
        #expect(member(message.json, "timestamp") == .time(AlertSamples.now + 5))
        #expect(member(message.json, "data", "alert", "id") == .string("3"))
        #expect(member(message.json, "data", "finding", "key") == .string("pin.rejected/3/1"))
        #expect(member(message.json, "data", "alerts") == .strings(["3", "4", "2", "1"]))
        #expect(message.targets.map(\.id.rawValue) == [3, 2, 1])
        #expect(member(message.json, "data", "subject_count") == .integer(3))
    }

    @Test func `At most fifty targets are shown, and all are counted`() throws {
        let items = (1...120).map { AlertSamples.alertItem(alert: $0, target: AlertSamples.target($0), id: $0) }
        let json = try message(items).json
        guard case .array(let shown) = member(json, "data", "subjects") else {
            Issue.record("subjects are missing")
            return
        }
        #expect(shown.count == 50)
        #expect(member(json, "data", "subject_count") == .integer(120))
        #expect(member(json, "data", "alerts") == .strings((1...120).map(String.init)))
    }

    @Test func `An alert without a target names the finding's subject and links to its own page`() throws {
        var finding = AlertSamples.finding(0, kind: .pinSetExpiry)
        finding.subject = "shop-ios 5.2.0"
        let json = try message([AlertSamples.alertItem(alert: 5, target: nil, finding: finding)]).json
        #expect(member(json, "data", "subjects") == .array([]))
        #expect(member(json, "data", "subject_count") == .integer(0))
        #expect(member(json, "data", "alert", "subjects") == .strings(["shop-ios 5.2.0"]))
        #expect(member(json, "data", "links", "dashboard") == .string("https://pins.example.com/#/alerts/5"))
    }

    @Test func `An event carries itself, its target and links`() throws {
        let message = try message([AlertSamples.eventItem(target: AlertSamples.target(3))])
        #expect(message.type == "event.key.changed")
        #expect(message.alertID == nil)
        #expect(member(message.json, "data", "event", "class") == .string("to_pin_of_all"))
        #expect(member(message.json, "data", "alert") == nil)
        #expect(
            member(message.json, "data", "links", "api")
                == .string("https://pins.example.com/api/v1/events?target_id=3"))
    }

    @Test func `No items make no message`() {
        let message = AlertMessage(id: "msg_1", items: [], links: links, unicode: { $0.ascii })
        #expect(message == nil)
    }
}

@Suite struct AlertMessageGroupsTests {
    private func item(
        _ id: Int64, alert: Int64, _ change: AlertChangeKind = .opened, kind: FindingKind = .pinRejected
    ) -> OutboxItem {
        AlertSamples.alertItem(
            alert: alert, target: nil, change: change, finding: AlertSamples.finding(alert, kind: kind), id: id)
    }

    private func ids(_ items: [OutboxItem]) -> [[Int64]] {
        AlertMessage.groups(items).map { $0.map(\.id) }
    }

    @Test func `Findings of one kind and change share a message, others never`() {
        let items = [
            item(1, alert: 1), item(2, alert: 2, kind: .certificateExpiry), item(3, alert: 3),
            item(4, alert: 4, .resolved), item(5, alert: 5, kind: .certificateExpiry),
        ]
        #expect(ids(items) == [[1, 3], [2, 5], [4]])
    }

    @Test func `An alert's changes are told in the order in which they happened, each by its own message`() {
        let items = [
            item(1, alert: 1, .escalated), item(2, alert: 1, .updated), item(3, alert: 2, .escalated),
            item(4, alert: 1, .escalated), item(5, alert: 1, .resolved), item(6, alert: 3, .escalated),
        ]
        #expect(ids(items) == [[1, 3], [2], [4, 6], [5]])
    }

    @Test func `Each event is a message`() {
        let items = [AlertSamples.eventItem(target: nil, id: 1), AlertSamples.eventItem(target: nil, id: 2)]
        #expect(ids(items) == [[1], [2]])
    }
}
