internal import PinwatchCore

/// `pin-sets/{id}/export`, `pin-sets/{id}/originals` and `targets/{id}/export`: pins in the formats of clients.
enum PinExport {
    private static let issuers = Operation.Parameter(
        name: "issuers", about: "With `true` the issuers' keys stand beside the leaves'.", schema: .flag)

    private static func format(_ context: ServiceContext) -> Operation.Parameter {
        Operation.Parameter(
            name: "format", about: "The format; `native` if nothing is said.",
            schema: .word(context.pinFiles.exportFormats))
    }

    static func routes(_ context: ServiceContext) -> [Route] {
        let format = format(context)
        return [
            Route(.get, "/api/v1/pin-sets/{id}/export", .exportPinSet([format]), produces: "text/plain") { call in
                let word = try word(call, context)
                let record = try await PinSets.find(call, context)
                return text(
                    try await context.files("The format \(word)") { files throws(PinFilesRefusal) in
                        try await files.export(record.pinSet.definition, as: word)
                    })
            },
            Route(.get, "/api/v1/pin-sets/{id}/originals", .listOriginals) { call in
                let id = PinSetID(try Noun.pinSet.number(in: call))
                let files = try Noun.pinSet.found(try await context.managing.originals(of: id))
                return Response(json: .object([("items", .array(files.map(\.json)))]))
            },
            Route(
                .get, "/api/v1/targets/{id}/export", .exportTarget([format, issuers]), produces: "text/plain"
            ) { call in
                let word = try word(call, context)
                let withIssuers = try PinSets.flag(issuers.name, call)
                let served = try await served(by: try await Targets.find(call, context).target, withIssuers, context)
                return text(
                    try await context.files("The format \(word)") { files throws(PinFilesRefusal) in
                        try await files.export(served, as: word)
                    })
            },
        ]
    }

    private static func word(_ call: Call, _ context: ServiceContext) throws(Problem) -> String {
        let known = context.pinFiles.exportFormats
        guard let word = call.target.query.first(where: { $0.name == "format" })?.value ?? known.first,
            known.contains(word)
        else {
            throw Problem(
                400, "There is no such format.",
                errors: [.init(field: "format", message: "must be one of \(known.joined(separator: ", "))")])
        }
        return word
    }

    private static func text(_ text: String) -> Response {
        Response(type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// Chains of one target that pins are made of; it seldom serves more than two at once.
    private static let shownChains = 200

    private static func served(
        by target: Target, _ withIssuers: Bool, _ context: ServiceContext
    ) async throws -> ServedKeys {
        let request = PageRequest(limit: shownChains, filters: ["open": ["true"]])
        var known: [SHA256Digest: Certificate] = [:]
        var chains: [[Certificate]] = []
        for span in try await context.store.spans(of: target.id, request).items {
            for fingerprint in span.chain where known[fingerprint] == nil {
                known[fingerprint] = try await context.store.certificate(fingerprint)?.certificate
            }
            chains.append(span.chain.compactMap { known[$0] })
        }
        let host = target.identity.sni?.ascii ?? target.identity.host.text
        return ServedKeys(host: host, chains: chains, withIssuers: withIssuers)
    }
}
