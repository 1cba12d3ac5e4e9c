internal import PinwatchCore

extension Target {
    /// Columns in the order that ``init(row:at:)`` reads.
    static let columns = """
        target.id, target.host, target.is_address, target.port, target.sni, target.starttls, target.owner, \
        target.labels, target.period_s, target.addresses, target.trust_store, target.paused, target.managed_by, \
        target.address_policy
        """
    static let columnCount = 14

    init(row: Row, at column: Int) throws(StoreError) {
        let host = try row.text(column + 1)
        var labels: [String: String] = [:]
        guard case .object(let members)? = JSON(stored: try row.text(column + 7)) else {
            throw row.wrong(column + 7, "a JSON object")
        }
        for case (let name, .string(let value)) in members { labels[name] = value }
        let sni = try row.text(column + 4)
        let settings = TargetSettings(
            identity: TargetIdentity(
                host: try Self.host(host, isAddress: try row.flag(column + 2)),
                port: UInt16(truncatingIfNeeded: try row.integer(column + 3)),
                sni: sni.isEmpty ? nil : HostName(checked: sni), startTLS: try row.wordOrNil(column + 5)),
            owner: try row.word(column + 6), labels: labels, periodSeconds: try row.integerOrNil(column + 8),
            addresses: try row.text(column + 9).split(separator: " ").compactMap { IPAddress(String($0)) },
            addressPolicy: try row.wordOrNil(column + 13), trustStore: try row.text(column + 10),
            paused: try row.flag(column + 11),
            managedBy: try row.word(column + 12))
        self.init(id: TargetID(try row.integer(column)), settings: settings)
    }

    private static func host(_ text: String, isAddress: Bool) throws(StoreError) -> TargetHost {
        guard isAddress else { return .name(HostName(checked: text)) }
        guard let address = IPAddress(text) else {
            throw .unreadableRow(column: 1, why: "`\(text)` is no address")
        }
        return .address(address)
    }

    /// A target as an outbox item holds it: what it was when the cause was seen.
    var stored: JSON {
        .object([
            ("id", .integer(id.rawValue)), ("host", .string(host.text)), ("is_address", .bool(identity.isAddress)),
            ("port", .integer(Int64(identity.port))), ("sni", .text(identity.sni?.ascii)),
            ("starttls", .text(identity.startTLS?.rawValue)), ("owner", .string(settings.owner.rawValue)),
            ("labels", settings.storedLabels), ("period", .stored(settings.periodSeconds)),
            ("addresses", .strings(settings.addresses.map(\.description))),
            ("address_policy", .text(settings.addressPolicy?.rawValue)),
            ("trust_store", .string(settings.trustStore)), ("paused", .bool(settings.paused)),
            ("managed_by", .string(settings.managedBy.rawValue)),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        var labels: [String: String] = [:]
        if case .object(let members) = stored.json("labels") {
            for case (let name, .string(let value)) in members { labels[name] = value }
        }
        let settings = TargetSettings(
            identity: TargetIdentity(
                host: try Self.host(try stored.text("host"), isAddress: try stored.flag("is_address")),
                port: UInt16(truncatingIfNeeded: try stored.integer("port")),
                sni: try stored.textOrNil("sni").map { HostName(checked: $0) },
                startTLS: try stored.wordOrNil("starttls")),
            owner: try stored.word("owner"), labels: labels, periodSeconds: try stored.integerOrNil("period"),
            addresses: try stored.texts("addresses").compactMap { IPAddress($0) },
            addressPolicy: try stored.wordOrNil("address_policy"), trustStore: try stored.text("trust_store"),
            paused: try stored.flag("paused"),
            managedBy: try stored.word("managed_by"))
        self.init(id: TargetID(try stored.integer("id")), settings: settings)
    }
}

extension TargetIdentity {
    var isAddress: Bool {
        switch host {
        case .name: false
        case .address: true
        }
    }

    /// The columns that make a target the same one.
    var values: Values {
        [
            ("host", .text(host.text)), ("port", .integer(Int64(port))), ("sni", .text(sni?.ascii ?? "")),
            ("starttls", .text(startTLS?.rawValue ?? "")),
        ]
    }
}

extension TargetSettings {
    var storedLabels: JSON {
        .object(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The columns beside the identity's.
    var values: Values {
        [
            ("owner", .text(owner.rawValue)), ("labels", .text(storedLabels.text)),
            ("period_s", .optional(periodSeconds)),
            ("addresses", .text(addresses.map(\.description).joined(separator: " "))),
            ("address_policy", .optional(addressPolicy?.rawValue)), ("trust_store", .text(trustStore)),
            ("paused", .flag(paused)), ("managed_by", .text(managedBy.rawValue)),
        ]
    }
}
