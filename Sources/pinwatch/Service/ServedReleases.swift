internal import PinwatchCore
internal import PinwatchStore
internal import PinwatchTLS

/// What releases make of what is served and of what may be, by the trust stores in force.
struct ServedReleases: RotationDesk {
    private let store: Store
    private let book: ChainBook
    private let bench = Workbench("rotation")

    init(store: Store, book: ChainBook) {
        self.store = store
        self.book = book
    }

    func preflight(_ request: PreflightRequest, now: Instant) async throws -> PreflightAnswer {
        let serving = try await store.serving(host: request.reference.host, now: now)
        try refuseUnknown(request)
        let releases = store.pinSetsInForce.filter { pinSet in
            (request.app.map { $0 == pinSet.identity.app } ?? true)
                && (request.pinSets?.contains(pinSet.id) ?? true)
        }.map { PreflightRelease(id: $0.id, definition: $0.definition) }
        let targets = serving.map { $0.state.target.settings }
        let question = PreflightQuestion(
            host: request.host, reference: request.reference, candidate: request.candidate, isWhole: request.isWhole,
            now: now, trustStore: targets.first?.trustStore ?? "system", targets: targets.isEmpty ? nil : targets)
        let book = book
        return try await done {
            let preflight = try Preflight.run(
                question, of: releases, knowing: Self.knowledge(of: serving, by: book, now: now))
            return PreflightAnswer(
                preflight: preflight, candidate: request.candidate, leaf: Self.leaf(of: request.candidate))
        }
    }

    /// What names nothing would be answered with a go that says nothing.
    private func refuseUnknown(_ request: PreflightRequest) throws(PinFilesRefusal) {
        let known = store.pinSetsInForce
        func refused(_ member: String, _ message: String) -> PinFilesRefusal {
            .faults(TextFaults([Problem(file: member, mark: nil, message: message)]))
        }
        if let app = request.app, !known.contains(where: { $0.identity.app == app }) {
            throw refused("app", "no pin set in force is of the app \(app.visible())")
        }
        for id in request.pinSets ?? [] where !known.contains(where: { $0.id == id }) {
            throw refused("pin_set_ids", "there is no pin set \(id.text)")
        }
    }

    func matrix(of target: TargetID, now: Instant) async throws -> ReleaseMatrix? {
        guard let serving = try await store.serving(target, now: now) else { return nil }
        let (policy, book) = (await store.policyInForce(), book)
        return try await done {
            ReleaseMatrix(of: serving.state, policy: policy, now: now) { chain, trustStore in
                book.assessment(of: chain, trustStore: trustStore, now: now) { serving.chains[chain] }
            }
        }
    }

    private func done<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let outcome = await bench.run({ Swift.Result { try work() } }) else { throw PinFilesRefusal.busy }
        return try outcome.get()
    }

    private static func leaf(of candidate: Candidate) -> CertificateSummary? {
        switch candidate {
        case .chain(let certificates): certificates.first.map { CertificateReader.read($0) }
        case .key: nil
        }
    }

    /// The chains that the host's targets serve now, and the issuers that they send.
    private static func knowledge(
        of serving: [ServingTarget], by book: ChainBook, now: Instant
    ) -> PreflightKnowledge {
        var chains: [Chain] = []
        for chain in serving.flatMap({ target in target.state.openSpans.compactMap { target.chains[$0.chain] } })
        where !chains.contains(where: { $0.id == chain.id }) {
            chains.append(chain)
        }
        var issuers: [Certificate] = []
        for certificate in chains.flatMap({ $0.certificates.dropFirst() }) where !issuers.contains(certificate) {
            issuers.append(certificate)
        }
        return PreflightKnowledge(
            today: { name in .chains(chains.compactMap { book.assess($0, trustStore: name, now: now) }) },
            issuers: issuers,
            assess: { certificates, name in
                book.trustStores[name].map { store in
                    let chain = Chain(id: Digests.chainID(certificates), certificates: certificates)
                    return PathBuilder.assess(chain: chain, trustStore: store, at: now)
                }
            })
    }
}

extension ReferenceIdentity {
    /// As targets are stored by it.
    fileprivate var host: String {
        switch self {
        case .dns(let name): name.ascii
        case .ip(let address): address.description
        }
    }
}
