internal import PinwatchCore

/// `targets/preview`: what pasted text would add, told before anything is added.
enum TargetPreview {
    /// What would become of one line's host.
    enum Status: String, Sendable, CaseIterable {
        case new
        /// It is watched already.
        case known
        /// It was deleted, and would come back with its history.
        case removed
        /// An earlier line says the same.
        case duplicate
        case refused
    }

    private static let text = Member(
        "text", Kind.text(1...500_000),
        "One host to a line; commas and blanks divide too, and `#` begins a comment. At most 1,000 hosts.")
    static let shape = BodyShape().requiring(text).taking(TargetMembers.labels).taking(TargetMembers.owner)

    private struct Body: Sendable {
        let paste: TargetPaste
        let labels: [String: String]
        let owner: Owner
    }

    /// A line of the answer.
    private struct Row {
        let item: TargetPaste.Item
        let status: Status
        let reason: String?
        let known: TargetID?
        let identity: TargetIdentity?
    }

    static func answer(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let rules = await TargetRules(context)
        let body = try call.read(shape) { Self.body($0, rules, &$1) }
        let identities = body.paste.items.compactMap(\.identity)
        let known = try await context.managing.known(identities)
        let rows = body.paste.items.map { row($0, known) }
        let items = rows.map { json($0, body, context) }
        let counts = Status.allCases.map { status in
            (status.rawValue, JSON.integer(Int64(rows.count { $0.status == status })))
        }
        return Response(json: .object([("items", .array(items)), ("counts", .object(counts))]))
    }

    private static func body(_ members: BodyMembers, _ rules: TargetRules, _ reader: inout BodyReader) -> Body? {
        let labels = members.value(TargetMembers.labels, &reader)
        let owner = members.value(TargetMembers.owner, &reader)
        guard let text = members.value(Self.text, &reader) else { return nil }
        do {
            let paste = try TargetPaste(text, allowedPorts: rules.allowedPorts, idna: rules.idna)
            return Body(paste: paste, labels: labels ?? [:], owner: owner ?? .ours)
        } catch {
            switch error {
            case .tooMany:
                reader.report(
                    member: "text", "holds more than \(TargetPaste.maximumItems) hosts; divide it and add them in turn")
            }
            return nil
        }
    }

    private static func row(_ item: TargetPaste.Item, _ known: [TargetIdentity: KnownTarget]) -> Row {
        switch item.reading {
        case .identity(let identity):
            let stored = known[identity]
            let status: Status = stored.map { $0.removed ? .removed : .known } ?? .new
            return Row(item: item, status: status, reason: nil, known: stored?.id, identity: identity)
        case .duplicate(let identity, let first):
            return Row(
                item: item, status: .duplicate, reason: "the same stands in line \(first)", known: known[identity]?.id,
                identity: identity)
        case .refused(let reason):
            return Row(item: item, status: .refused, reason: reason, known: nil, identity: nil)
        }
    }

    private static func json(_ row: Row, _ body: Body, _ context: ServiceContext) -> JSON {
        let target: JSON? = row.identity.map { identity in
            .object([
                ("host", .string(identity.host.text)), ("host_unicode", .string(context.unicode(identity.host))),
                ("port", .integer(Int64(identity.port))), ("sni", .text(identity.sni?.ascii)),
                ("starttls", .text(identity.startTLS?.rawValue)),
                ("labels", body.labels.json), ("owner", .string(body.owner.rawValue)),
            ])
        }
        return .object([
            ("line", .integer(Int64(row.item.line))), ("text", .string(row.item.text)),
            ("status", .string(row.status.rawValue)), ("reason", .text(row.reason)),
            ("target_id", .text(row.known?.text)), ("target", target ?? .null),
        ])
    }
}

extension TargetPaste.Item {
    fileprivate var identity: TargetIdentity? {
        switch reading {
        case .identity(let identity): identity
        case .duplicate, .refused: nil
        }
    }
}
