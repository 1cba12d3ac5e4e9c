internal import PinwatchCore

extension Operation {
    static func listAllVerdicts(_ query: ListQuery) -> Operation {
        Operation(
            "listVerdicts", "Lists what releases make of what all targets serve: each answer but accepts.", .pinSets,
            query: .list(query), answers: [.ok(.page(of: .named(.targetVerdict)))])
    }

    static func listRunway(_ query: ListQuery) -> Operation {
        Operation(
            "listRunway", "Lists what will end, soonest first: certificates, pins, and releases that stop working.",
            .overview, query: .list(query), answers: [.ok(.page(of: .named(.upcoming)))])
    }

    static let readCoverage = Operation(
        "readCoverage", "Names hosts that are pinned and not watched, and watched and not pinned.", .overview,
        answers: [.ok(.coverage)])

    static let readMatrix = Operation(
        "readTargetMatrix", "Shows what every release makes of everything that a target serves now.", .targets,
        answers: [.ok(.matrix)])

    static let preflight = Operation(
        "preflight", "Says what releases would make of a new certificate, key or request; stores nothing.", .pinSets,
        body: Preflights.schema, answers: [.ok(.preflight)])
}
