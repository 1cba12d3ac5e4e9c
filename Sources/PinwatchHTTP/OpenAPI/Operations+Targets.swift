internal import PinwatchCore

extension Operation {
    static func listTargets(_ query: ListQuery) -> Operation {
        Operation(
            "listTargets", "Lists the TLS services that are watched.", .targets, query: .list(query),
            answers: [.ok(.page(of: .named(.target)))])
    }

    static let createTargets = Operation(
        "createTargets", "Adds a target, or up to 1,000 of them together: all or none.", .targets,
        body: .one(of: [.named(.targetBody), .list(of: .named(.targetBody), 1...TargetPaste.maximumItems)]),
        answers: [
            .created(
                .one(of: [.named(.target), .object([("items", .list(of: .named(.target)))])]))
        ],
        refusals: [(409, "It is watched already; the detail has its id, and of a list its place.")])

    static let previewTargets = Operation(
        "previewTargets", "Says what pasted text would add, and adds nothing.", .targets,
        body: TargetPreview.shape.schema, answers: [.ok(.named(.targetPreview))])

    static let readTarget = Operation(
        "readTarget", "Shows a target.", .targets, answers: [.ok(.named(.target))])

    static let changeTarget = Operation(
        "changeTarget", "Changes how a target is watched (RFC 7396).", .targets, body: .named(.targetEdit),
        answers: [.ok(.named(.target))], isConditional: true, refusals: [managedByConfig])

    static let deleteTarget = Operation(
        "deleteTarget", "Stops watching a target. Its history stays, and returns with it if it is added again.",
        .targets, answers: [.done], isConditional: true, refusals: [managedByConfig])

    static let scanTarget = Operation(
        "scanTarget", "Scans a target out of turn, also one that is paused.", .targets,
        query: .fields([TargetScan.wait]),
        answers: [
            .ok(.scanDone, "What the scan saw, once it is recorded."),
            .accepted(.scanQueued, "The scan is queued, or was not done when the wait ended."),
        ],
        refusals: [(409, "The scanner takes no more at the moment.")])

    static func listSpans(_ query: ListQuery) -> Operation {
        Operation(
            "listTargetSpans", "Lists the times in which a target served a chain: open ones first, then newest.",
            .targets, query: .list(query), answers: [.ok(.page(of: .named(.span)))])
    }

    static func listObservations(_ query: ListQuery) -> Operation {
        Operation(
            "listTargetObservations", "Lists what scans of a target saw, equal ones in a row as one; newest first.",
            .targets, query: .list(query), answers: [.ok(.page(of: .named(.observationRun)))])
    }

    static func listVerdicts(_ query: ListQuery) -> Operation {
        Operation(
            "listTargetVerdicts", "Lists what releases make of a target: each answer but accepts, which are counted.",
            .targets, query: .list(query), answers: [.ok(.verdicts)])
    }

    static let readCertificate = Operation(
        "readCertificate", "Shows a certificate, as JSON, or with `.pem` or `.der` after its digest as a file.",
        .certificates,
        answers: [
            Answer(
                status: 200, about: "As asked.",
                content: [
                    ("application/json", .named(.certificate)), ("application/x-pem-file", .text),
                    ("application/pkix-cert", .binary),
                ])
        ])

    static let readKey = Operation(
        "readKey", "Shows where and when a public key was served.", .certificates, answers: [.ok(.named(.key))])

    /// What every change of a thing may meet that the configuration file can hold too.
    static let managedByConfig = (status: 409, about: "It is set in the configuration file, and is changed there.")
}
