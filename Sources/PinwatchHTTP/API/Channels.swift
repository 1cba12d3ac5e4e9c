internal import PinwatchCore

/// `channels`: where alerts are sent to. What is secret of one is sealed before it is stored, and shown once at most.
enum Channels {
    static func routes(_ context: ServiceContext) -> [Route] {
        let admin = Access.role(.admin)
        let query = ListQuery()
        return [
            Route(.get, "/api/v1/channels", .listChannels(query), access: admin) { call in
                let page = try Page(of: try await context.managing.channels(), try query.request(call))
                let outlooks = await context.administration.channelOutlooks()
                return page.response { .object($0.members(outlooks[$0.channel.name] ?? .init())) }
            },
            Route(.post, "/api/v1/channels", .createChannel, access: admin, body: .json) { call in
                try await create(call, context)
            },
            Route(.get, "/api/v1/channels/{id}", .readChannel, access: admin) { call in
                try await response(try await find(call, context), context)
            },
            Route(.patch, "/api/v1/channels/{id}", .changeChannel, access: admin, body: .json) { call in
                try await change(call, context)
            },
            Route(.delete, "/api/v1/channels/{id}", .deleteChannel, access: admin) { call in
                let name = call.parameter("id")
                try await context.change(.channel, call) { try await $0.removeChannel(name, $1) }
                return Response(status: 204)
            },
            Route(.post, "/api/v1/channels/{id}/test", .testChannel, access: admin) { call in
                try await test(call, context)
            },
        ]
    }

    private static func find(_ call: Call, _ context: ServiceContext) async throws -> ChannelRecord {
        try Noun.channel.found(try await context.managing.channel(call.parameter("id")))
    }

    private static func create(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let running = context.administration
        let body = try call.read(ChannelBody.shape) { ChannelBody($0, &$1) }
        let made = body.kind.signs && body.secret == nil ? running.newWebhookSecret() : nil
        let draft = ChannelDraft(
            name: body.name, kind: body.kind, url: body.url, secrets: (made ?? body.secret).map { [$0] } ?? [],
            allowPrivate: body.allowPrivate)
        let record = try await context.change(.channel, call) { store, change in
            let sealed = try running.seal(draft)
            return try await store.addChannel(sealed.channel, urlHash: sealed.urlHash, change)
        }
        return try await response(record, context, showing: made, status: 201)
            .adding([Noun.channel.location(of: record.channel.name)])
    }

    private static func change(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let running = context.administration
        let edit = try call.read(ChannelEdit.shape) { ChannelEdit($0, &$1) }
        let made = edit.rotates ? running.newWebhookSecret() : nil
        let name = call.parameter("id")
        let record = try await context.change(.channel, call) { store, change in
            try await store.changeChannel(name, change) { stored, urlHash throws(ChangeRefusal) in
                try edit.check(stored)
                guard edit.isSealed else {
                    stored.allowPrivate = edit.allowPrivate ?? stored.allowPrivate
                    return
                }
                (stored, urlHash) = try running.seal(edit.draft(of: stored, newSecret: made))
            }
        }
        return try await response(record, context, showing: made)
    }

    private static func test(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let name = try await find(call, context).channel.name
        let attempt = try await context.change(.channel, call) { store, change in
            try await store.note(
                AuditRecord(change, .channelTest, AuditObject(type: "channel", id: name, name: name)))
            return try await context.administration.test(channel: name)
        }
        return Response(
            json: .object([
                ("delivered", .bool(attempt.error == nil)), ("status", .whole(attempt.status)),
                ("error", .text(attempt.error)), ("ms", .integer(attempt.milliseconds)),
            ]))
    }

    /// - Parameter secret: One that was made here, and is not shown again.
    private static func response(
        _ record: ChannelRecord, _ context: ServiceContext, showing secret: Secret? = nil, status: Int = 200
    ) async throws -> Response {
        let outlook = await context.administration.channelOutlooks()[record.channel.name] ?? .init()
        let shown = secret.map { [("secret", JSON.string($0.revealed))] } ?? []
        return Response(
            status: status, json: .object(record.members(outlook) + shown), revision: record.revision)
    }
}

extension Channel.Kind {
    /// Whether its messages are signed, and so need a secret.
    var signs: Bool {
        switch self {
        case .webhook: true
        case .slack: false
        }
    }
}

/// A body that adds a channel.
struct ChannelBody: Sendable {
    private static let nameMember = Member(
        "name", Kind.name, "Its id: 1 to 64 letters, digits, dots, hyphens and underscores.")
    private static let kindMember = Member("type", Kind.word(of: Channel.Kind.self), "What is sent there, and how.")
    static let urlMember = Member(
        "url", Kind.line(8...2_048).example(.string("http://127.0.0.1:8065/hooks/pins")),
        "An http or https URL. Kept sealed, and never shown again.")
    static let secretMember = Member(
        "secret", Kind.line(1...200).example(.null), orNull: true,
        "`whsec_` and base64 of 24 to 64 bytes, to sign webhooks with; without one, one is made.")
    static let allowPrivateMember = Member(
        "allow_private", Kind.flag, "Whether loopback and private addresses may be connected to.")

    static let shape = BodyShape()
        .requiring(nameMember).requiring(kindMember).requiring(urlMember).taking(secretMember)
        .taking(allowPrivateMember)

    let name: String
    let kind: Channel.Kind
    let url: Secret
    let secret: Secret?
    let allowPrivate: Bool

    init?(_ members: BodyMembers, _ reader: inout BodyReader) {
        let name = members.value(Self.nameMember, &reader)
        let kind = members.value(Self.kindMember, &reader)
        let url = members.value(Self.urlMember, &reader)
        let secret = members.value(Self.secretMember, &reader)
        let allowPrivate = members.value(Self.allowPrivateMember, &reader)
        if secret != nil, kind?.signs == false {
            reader.report(member: "secret", "is not used by this type, whose messages are not signed; leave it out")
        }
        guard let name, let kind, let url else { return nil }
        self.name = name
        self.kind = kind
        self.url = Secret(url)
        self.secret = secret.map { Secret($0) }
        self.allowPrivate = allowPrivate ?? false
    }
}

/// A change of a channel.
struct ChannelEdit: Sendable {
    /// Never null: a channel that signs cannot be without one.
    private static let secretMember = Member(
        "secret", Kind.line(1...200), "A secret that replaces those there are.")
    private static let rotateMember = Member(
        "rotate_secret", Kind.flag,
        "With true a new secret is made and shown this once; the one before stays valid until the next rotation.")

    static let shape = BodyShape()
        .taking(ChannelBody.urlMember)
        .taking(secretMember)
        .taking(rotateMember).taking(ChannelBody.allowPrivateMember)

    private let url: Secret?
    private let secret: Secret?
    let rotates: Bool
    let allowPrivate: Bool?

    init(_ members: BodyMembers, _ reader: inout BodyReader) {
        url = members.value(ChannelBody.urlMember, &reader).map { Secret($0) }
        if members["secret"] == .null {
            reader.report(
                member: "secret",
                "cannot be taken away, since messages are signed with it; give another, or have one made by rotate_secret"
            )
            secret = nil
        } else {
            secret = members.value(Self.secretMember, &reader).map { Secret($0) }
        }
        rotates = members.value(Self.rotateMember, &reader) ?? false
        allowPrivate = members.value(ChannelBody.allowPrivateMember, &reader)
        if secret != nil, rotates {
            reader.report(member: "rotate_secret", "makes a secret, and one is given; send one of the two")
        }
    }

    /// Whether anything secret changes, and so must be sealed anew.
    var isSealed: Bool { url != nil || secret != nil || rotates }

    func check(_ channel: StoredChannel) throws(ChangeRefusal) {
        guard secret != nil || rotates, !channel.kind.signs else { return }
        throw .invalid(
            field: rotates ? "rotate_secret" : "secret",
            message: "channels of type \(channel.kind.rawValue) have no secret, since their messages are not signed")
    }

    func draft(of channel: StoredChannel, newSecret: Secret?) -> ChannelDraft {
        ChannelDraft(
            name: channel.name, kind: channel.kind, url: url, secrets: (newSecret ?? secret).map { [$0] },
            keepsPreviousSecret: rotates, allowPrivate: allowPrivate ?? channel.allowPrivate, current: channel)
    }
}
