internal import PinwatchCore

extension Operation {
    static let readSummary = Operation(
        "readSummary", "Answers whether all is well, in one sentence and with what stands behind it.", .overview,
        answers: [.ok(.named(.summary))])

    static func listFindings(_ query: ListQuery) -> Operation {
        Operation(
            "listFindings", "Lists what is wrong now: worst first, then oldest.", .findings, query: .list(query),
            answers: [.ok(.page(of: .named(.finding)))])
    }

    static func listAlerts(_ query: ListQuery) -> Operation {
        Operation(
            "listAlerts", "Lists findings that somebody is told of, newest first.", .alerts, query: .list(query),
            answers: [.ok(.page(of: .named(.alertRecord)))])
    }

    static let readAlert = Operation(
        "readAlert", "Shows an alert.", .alerts, answers: [.ok(.named(.alertRecord))])

    static let acknowledgeAlert = Operation(
        "acknowledgeAlert", "Says that somebody knows of an alert, which ends its reminders.", .alerts,
        body: Alerts.acknowledgement.schema, bodyIsOptional: true, answers: [.ok(.named(.alertRecord))],
        refusals: [(409, "It is over already.")])

    static let unacknowledgeAlert = Operation(
        "unacknowledgeAlert", "Opens an acknowledged alert again.", .alerts, answers: [.ok(.named(.alertRecord))],
        refusals: [(409, "It is not acknowledged.")])

    static func listSilences(_ query: ListQuery) -> Operation {
        Operation(
            "listSilences", "Lists times in which nobody is told of certain alerts: active ones first.", .silences,
            query: .list(query), answers: [.ok(.page(of: .named(.silence)))])
    }

    static let createSilence = Operation(
        "createSilence", "Silences certain alerts for a time, or every week.", .silences,
        body: SilenceBody.shape.schema, answers: [.created(.named(.silence))],
        refusals: [(409, "Something that there is stands against it.")])

    static let previewSilence = Operation(
        "previewSilence", "Says what a silence would cover, and silences nothing.", .silences,
        body: SilenceBody.shape.schema, answers: [.ok(.named(.silencePreview))])

    static let readSilence = Operation(
        "readSilence", "Shows a silence.", .silences, answers: [.ok(.named(.silence))])

    static let changeSilence = Operation(
        "changeSilence", "Changes a silence's end or comment (RFC 7396).", .silences, body: SilenceEdit.shape.schema,
        answers: [.ok(.named(.silence))], isConditional: true, refusals: [managedByConfig])

    static let deleteSilence = Operation(
        "deleteSilence", "Ends a silence at once. Alerts that stand are told then.", .silences, answers: [.done],
        isConditional: true, refusals: [managedByConfig])

    static func listEvents(_ query: ListQuery) -> Operation {
        Operation(
            "listEvents", "Lists what happened, newest first.", .events, query: .list(query),
            answers: [.ok(.page(of: .named(.event)))])
    }

    static let readEvent = Operation("readEvent", "Shows an event.", .events, answers: [.ok(.named(.event))])

    static let streamEvents = Operation(
        "streamEvents", "Sends events as they happen (Server-Sent Events), with a comment every 15 s.", .events,
        query: .fields([
            Parameter(
                name: "after", about: "Go on behind the event of this id; the header `Last-Event-ID` does the same.",
                schema: .text(pattern: "^(0|[1-9][0-9]{0,17})$"))
        ]),
        answers: [
            Answer(
                status: 200,
                about: "Events as `id`, `event` (its kind) and `data` (the event); and `event: change` without an id, "
                    + "whose data names in `what` the lists that may look different now.",
                content: [("text/event-stream", .text)])
        ])

    static func listDeliveries(_ query: ListQuery) -> Operation {
        Operation(
            "listDeliveries", "Lists messages to channels, newest first.", .deliveries, query: .list(query),
            answers: [.ok(.page(of: .named(.delivery)))])
    }

    static let readDelivery = Operation(
        "readDelivery", "Shows a delivery with its tries and its message.", .deliveries,
        answers: [.ok(.named(.deliveryWithMessage))])

    static let retryDelivery = Operation(
        "retryDelivery", "Tries a dead or pending delivery again now, with all tries before it.", .deliveries,
        answers: [.accepted(.named(.delivery), "It is due now.")],
        refusals: [(409, "It was delivered, or its channel is no longer there.")])
}
