internal import PinwatchCore

/// `silences`: times in which nobody is told of certain alerts.
enum Silences {
    private static let query = ListQuery(filters: [
        "state": .word(SilenceRecord.State.allCases.map(\.rawValue)), "managed_by": .managedBy,
    ])

    static func routes(_ context: ServiceContext) -> [Route] {
        let editor = Access.role(.editor)
        return [
            Route(.get, "/api/v1/silences", .listSilences(query)) { call in
                try await context.managing.silences(query.request(call), now: call.now).response(\.json)
            },
            Route(.post, "/api/v1/silences", .createSilence, access: editor, body: .json) { call in
                let silence = try await silence(in: call, context)
                let record = try await context.change(.silence, call) { try await $0.addSilence(silence, $1) }
                return response(record, status: 201).adding([Noun.silence.location(of: record.id.text)])
            },
            Route(.post, "/api/v1/silences/preview", .previewSilence, access: editor, body: .json) { call in
                let silence = try await silence(in: call, context)
                return Response(json: try await context.managing.previewSilence(silence).json)
            },
            Route(.get, "/api/v1/silences/{id}", .readSilence) { call in
                let id = SilenceID(try Noun.silence.number(in: call))
                return response(try Noun.silence.found(try await context.managing.silence(id, now: call.now)))
            },
            Route(.patch, "/api/v1/silences/{id}", .changeSilence, access: editor, body: .json) { call in
                let edit = try call.read(SilenceEdit.shape) { SilenceEdit($0, now: call.now, &$1) }
                let id = SilenceID(try Noun.silence.number(in: call))
                let record = try await context.change(.silence, call) { store, change in
                    try await store.changeSilence(id, change) { silence throws(ChangeRefusal) in
                        try edit.apply(to: &silence)
                    }
                }
                return response(record)
            },
            Route(.delete, "/api/v1/silences/{id}", .deleteSilence, access: editor) { call in
                let id = SilenceID(try Noun.silence.number(in: call))
                try await context.change(.silence, call) { try await $0.removeSilence(id, $1) }
                return Response(status: 204)
            },
        ]
    }

    private static func silence(in call: Call, _ context: ServiceContext) async throws -> Silence {
        let zones = context.administration.timeZones
        let silence = try call.read(SilenceBody.shape) {
            SilenceBody.silence($0, now: call.now, idna: context.idna, zones: zones, &$1)
        }
        for id in silence.matchers.targets.sorted() where try await context.store.target(id) == nil {
            let message = "there is no target \(id.text); /api/v1/targets lists them"
            throw Problem(
                422, "The silence names a target that is not there.",
                errors: [.init(field: "matchers.targets", message: message)])
        }
        return silence
    }

    private static func response(_ record: SilenceRecord, status: Int = 200) -> Response {
        Response(status: status, json: record.json, revision: record.revision)
    }
}

/// A change of a silence.
struct SilenceEdit: Sendable {
    static let shape = BodyShape()
        .taking(SilenceBody.endsAt).taking(SilenceBody.comment)
        .refusing(
            ["matchers", "starts_at", "weekly"],
            because: "cannot be changed; end this silence and make another")

    private let endsAt: Given<Instant>
    private let comment: Given<String>

    init(_ members: BodyMembers, now: Instant, _ reader: inout BodyReader) {
        endsAt = members.given(SilenceBody.endsAt, &reader)
        comment = members.given(SilenceBody.comment, &reader)
        if let end = endsAt.value, end <= now {
            reader.report(member: "ends_at", "must be later than now; DELETE ends a silence at once")
        }
    }

    func apply(to silence: inout Silence) throws(ChangeRefusal) {
        silence.endsAt = endsAt.merged(into: silence.endsAt)
        comment.merge(into: &silence.comment, default: "")
        if silence.endsAt == nil, silence.weekly == nil {
            throw .invalid(field: "ends_at", message: "only a weekly silence may go without an end")
        }
        if let end = silence.endsAt, end <= silence.startsAt {
            throw .invalid(field: "ends_at", message: "must be later than starts_at")
        }
    }
}
