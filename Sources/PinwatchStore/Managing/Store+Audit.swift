package import PinwatchCore

extension Store {
    package func audit(_ request: PageRequest) async throws -> Page<AuditRecord> {
        try await read { database in
            try request.refuseSort()
            try request.allow(filters: ["action", "actor", "object_type"])
            var listing = Listing(
                "audit", columns: AuditRecord.columns, source: "audit", keys: ["audit.id"], descending: true)
            if let actions = try request.words("action", AuditAction.self) {
                listing.add("audit.action", among: actions.map { .text($0.rawValue) })
            }
            if let actors = request.texts("actor") { listing.add("audit.actor", among: actors) }
            if let types = request.texts("object_type") { listing.add("audit.object_type", among: types) }
            return try listing.page(request, from: database) { row in try AuditRecord(row: row) }
        }
    }

    package func note(_ record: AuditRecord) async throws {
        try await writer.note(record)
    }
}

extension Writer {
    fileprivate func note(_ record: AuditRecord) throws(StoreError) {
        try transaction { database throws(StoreError) in try database.append(record) }
    }
}

extension Database {
    func append(_ record: AuditRecord) throws(StoreError) {
        try run(
            """
            INSERT INTO audit (at, actor, via, role, token_id, address, action, object_type, object_id, object_name,
              changes)
            VALUES (:at, :actor, :via, :role, :token, :address, :action, :type, :id, :name, :changes)
            """,
            [
                ("at", .at(record.at)), ("actor", .text(record.principal.name)),
                ("via", .text(record.principal.via.rawValue)), ("role", .text(record.principal.role.rawValue)),
                ("token", .optional(record.principal.tokenID)), ("address", .address(record.address)),
                ("action", .text(record.action.rawValue)), ("type", .text(record.object.type)),
                ("id", .text(record.object.id)), ("name", .text(record.object.name)),
                ("changes", .text(record.changes.text)),
            ])
    }
}

extension AuditRecord {
    fileprivate static let columns = """
        id, at, actor, via, role, token_id, address, action, object_type, object_id, object_name, changes
        """

    fileprivate init(row: Row) throws(StoreError) {
        guard let changes = JSON(stored: try row.text(11)) else { throw row.wrong(11, "JSON") }
        self.init(
            id: try row.integer(0), at: try row.instant(1),
            principal: Principal(
                name: try row.text(2), via: try row.word(3), role: try row.word(4), tokenID: try row.integerOrNil(5)),
            address: try row.addressOrNil(6), action: try row.word(7),
            object: AuditObject(type: try row.text(8), id: try row.text(9), name: try row.text(10)), changes: changes)
    }
}
