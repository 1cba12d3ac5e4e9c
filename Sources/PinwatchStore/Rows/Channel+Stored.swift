internal import PinwatchCore

extension StoredChannel {
    /// Columns in the order that ``init(row:)`` reads.
    static let columns = """
        channel.name, channel.kind, channel.url_host, channel.allow_private, channel.secrets, channel.managed_by, \
        channel.sealed_url, channel.sealed_secret, channel.sealed_previous
        """
    static let columnCount = 9

    init(row: Row) throws(StoreError) {
        var sealed: Sealed?
        if let url = try row.blobOrNil(6) {
            sealed = Sealed(url: url, secrets: [try row.blobOrNil(7), try row.blobOrNil(8)].compactMap { $0 })
        }
        self.init(
            name: try row.text(0), kind: try row.word(1), urlHost: try row.text(2), allowPrivate: try row.flag(3),
            managedBy: try row.word(5), secretCount: try row.whole(4), sealed: sealed)
    }

    var values: Values {
        [
            ("name", .text(name)), ("kind", .text(kind.rawValue)), ("url_host", .text(urlHost)),
            ("allow_private", .flag(allowPrivate)), ("secrets", .integer(Int64(secretCount))),
            ("managed_by", .text(managedBy.rawValue)), ("sealed_url", .optional(sealed?.url)),
            ("sealed_secret", .optional(sealed?.secrets.first)),
            ("sealed_previous", .optional(sealed?.secrets.dropFirst().first)),
        ]
    }

    /// A channel of the configuration file, of which nothing secret is stored.
    init(_ channel: Channel) {
        self.init(
            name: channel.name, kind: channel.kind, urlHost: channel.urlHost, allowPrivate: channel.allowPrivate,
            managedBy: .config, secretCount: channel.secrets.count, sealed: nil)
    }
}

extension Database {
    func storedChannel(_ name: String) throws(StoreError) -> StoredChannel? {
        let found = try row(
            "SELECT \(StoredChannel.columns) FROM channel WHERE name = :name", [("name", .text(name))])
        guard let row = found else { return nil }
        return try StoredChannel(row: row)
    }
}
