internal import PinwatchCore

extension Route {
    /// Equal for equal routes, whatever order they were written in, channels apart.
    var stored: JSON {
        .object([
            ("severities", .strings(severities.map(\.rawValue).sorted())),
            ("kinds", .strings(kinds.map(\.rawValue).sorted())),
            ("labels", .object(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ("events", .strings(events.map(\.rawValue).sorted())), ("channels", .strings(channels)),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        self.init(
            severities: Set(try stored.words("severities")), kinds: Set(try stored.words("kinds")),
            labels: try stored.dictionary("labels"), events: Set(try stored.words("events")),
            channels: try stored.texts("channels"))
    }

    /// What can be changed of a route, by the API's names.
    var fields: [(String, JSON)] {
        [
            ("severity", .strings(severities.map(\.rawValue).sorted())),
            ("kind", .strings(kinds.map(\.rawValue).sorted())),
            ("labels", .object(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ("events", .strings(events.map(\.rawValue).sorted())), ("channels", .strings(channels)),
        ]
    }

    /// As people know it: the channels that it leads to.
    var label: String { "to " + channels.joined(separator: ", ") }
}

extension RouteRecord {
    static let columns = "id, body, managed_by, revision"

    init(row: Row) throws(StoreError) {
        self.init(
            id: try row.integer(0), route: try Route(stored: StoredObject(try row.text(1))),
            managedBy: try row.word(2), revision: try row.integer(3))
    }
}

extension Database {
    /// In the order made.
    func storedRoutes() throws(StoreError) -> [RouteRecord] {
        var routes: [RouteRecord] = []
        for row in try rows("SELECT \(RouteRecord.columns) FROM route ORDER BY id") {
            routes.append(try RouteRecord(row: row))
        }
        return routes
    }
}
