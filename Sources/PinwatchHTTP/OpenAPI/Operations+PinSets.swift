internal import PinwatchCore

extension Operation {
    static func listPinSets(_ query: ListQuery) -> Operation {
        Operation(
            "listPinSets", "Lists the pins that releases of apps ship with: by app, newest release first.", .pinSets,
            query: .list(query), answers: [.ok(.page(of: .named(.pinSet)))])
    }

    static let createPinSet = Operation(
        "createPinSet", "Adds the pins of a release from a native pin file, without `file:` pins.", .pinSets,
        query: .fields([PinSets.preview]), body: PinSetBody.schema,
        answers: [
            .created(.named(.pinSetDetail)),
            .ok(.named(.pinSetPreview), "What was understood, for a preview; nothing is stored."),
        ],
        refusals: [(409, "There are pins of this app, release, variant and stack already.")])

    static let readPinSet = Operation(
        "readPinSet", "Shows a pin set with its text and what it says of targets.", .pinSets,
        answers: [.ok(.named(.pinSetDetail))])

    static let changePinSet = Operation(
        "changePinSet", "Puts another text in a pin set's place, of the same app, release, variant and stack.",
        .pinSets, body: PinSetBody.change.schema, answers: [.ok(.named(.pinSetDetail))], isConditional: true,
        refusals: [managedByConfig])

    static let deletePinSet = Operation(
        "deletePinSet", "Removes a pin set. Added again, it is the same one.", .pinSets, answers: [.done],
        isConditional: true, refusals: [managedByConfig])

    static let importPinSets = Operation(
        "importPinSets",
        "Reads the apps' own files, those of one system as one release, and stores what they pin: all or nothing.",
        .pinSets, query: .fields([PinSets.preview]), body: PinImport.shape.schema,
        answers: [
            .created(.object([("items", .list(of: .named(.pinSetDetail)))]), at: false),
            .ok(
                .object([("items", .list(of: .named(.pinFileReading)))]),
                "What was understood, for a preview; nothing is stored."),
        ],
        refusals: [(409, "There are pins of this identity already, `pin_set_id`, and they were not to be replaced.")])

    static func exportPinSet(_ query: [Parameter]) -> Operation {
        Operation(
            "exportPinSet", "Writes a pin set in a client's own format.", .pinSets, query: .fields(query),
            answers: [.plainText("What the app may hold; traps stand in it as comments.")],
            refusals: [(422, "The format cannot hold these pins.")])
    }

    static let listOriginals = Operation(
        "listPinSetOriginals", "Shows the files that a pin set was read from; none of certificates and keys.",
        .pinSets, answers: [.ok(.object([("items", .list(of: .named(.handedFile)))]))])

    static func exportTarget(_ query: [Parameter]) -> Operation {
        Operation(
            "exportTarget", "Writes the keys that a target serves now as pins in a client's own format.", .targets,
            query: .fields(query), answers: [.plainText("What an app may hold; traps stand in it as comments.")],
            refusals: [(422, "Nothing is served that could be pinned, or the format cannot hold it.")])
    }

    static let lint = Operation(
        "lint", "Says what is wrong with the apps' own files, or with a pin set; stores nothing.", .pinSets,
        body: Lint.schema, answers: [.ok(.lintReport)])
}

extension Operation.Answer {
    static func plainText(_ about: String) -> Operation.Answer {
        Operation.Answer(status: 200, about: about, content: [("text/plain", .text)])
    }
}
