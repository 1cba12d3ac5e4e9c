import Testing

@testable import PinwatchCore

/// A layer that always answers the same.
private struct Fixed: PinPolicy {
    let answer: Verdict
    init(_ answer: Verdict) { self.answer = answer }
    init?(from node: Node, reader: inout NodeReader) { nil }
    func verdict(for presentation: Presentation) -> Verdict { answer }
    var hosts: [PinnedHost] { [] }
    var allPins: [Pin] { [] }
    func pins(for host: String, now: Instant) -> [Pin] { [] }
    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
    var expiries: [PinExpiry] { [] }
}

private func layer(_ kind: VerdictKind, by: UnpinnedBy? = nil, code: String = "code") -> PinLayer {
    PinLayer(
        client: .generic, clientVersion: nil,
        policy: Fixed(Verdict(kind, by: by, code: code, reason: "why", notes: ["n"])))
}

@Suite struct ReleaseVerdictTests {
    private let identity = PinSetIdentity(app: "shop", release: "5.2", variant: .release, stack: "default")

    @Test func `the worst layer decides, in the contract's order`() {
        let order = [
            layer(.configError), layer(.rejectChain), layer(.rejectPin), layer(.dependsOnPath), layer(.unknown),
            layer(.acceptReport), layer(.accept), layer(.unpinned, by: .trap), layer(.unpinned, by: .design),
            layer(.accept, code: "no_pins_compared"), layer(.notEvaluated),
        ]
        for (worse, better) in zip(order, order.dropFirst()) {
            let expected = worse.policy.verdict(for: Lab.presentation())
            for layers in [[worse, better], [better, worse]] {
                #expect(ReleaseVerdict.judge(layers: layers, presentation: Lab.presentation()).deciding == expected)
            }
        }
    }

    @Test func `a release on another stack is not evaluated`() {
        let other = PinSetIdentity(app: "shop", release: "5.2", variant: .release, stack: "webview")
        let definition = PinSetDefinition(
            identity: other, share: nil, platform: nil, trustStore: nil, layers: [layer(.rejectPin)], source: "",
            origin: "",
            managedBy: .config)
        let verdict = ReleaseVerdict.judge(definition, presentation: Lab.presentation())
        #expect(verdict.deciding.kind == .notEvaluated && verdict.layers.map(\.verdict.kind) == [.notEvaluated])
    }

    @Test func `one layer is shown flat, its members in the contract's order`() {
        let policy = GenericPolicy(entries: [Lab.entry("api.example.com", [Lab.pin(1)], match: .leaf)])
        let verdict = ReleaseVerdict.judge(
            layers: [PinLayer(client: .generic, clientVersion: nil, policy: policy)], presentation: Lab.presentation())
        let pin = Lab.digest(2, 1).pin
        #expect(
            verdict.json(for: identity, host: "api.example.com").text == """
                {"client":"generic","release":"5.2","host":"api.example.com","verdict":"accept","code":"pin_matched",\
                "reason":"\(pin) of api.example.com matches the leaf","notes":[],"paths":[],\
                "matched":{"pin":"\(pin)","position":"leaf","sha256":"\(Lab.digest(1, 1).hex)"}}
                """)
    }

    @Test func `by is there exactly where nothing pins, and several layers are each shown`() {
        let layers = [layer(.unpinned, by: .trap, code: "expired"), layer(.notEvaluated)]
        let verdict = ReleaseVerdict.judge(layers: layers, presentation: Lab.presentation())
        #expect(
            verdict.json(for: identity, host: "h").text == """
                {"client":null,"release":"5.2","host":"h","verdict":"unpinned","by":"trap","code":"expired",\
                "reason":"why","notes":["generic: n","generic: n"],"paths":[],"matched":null,"layers":[\
                {"client":"generic","verdict":"unpinned","by":"trap","code":"expired","reason":"why","matched":null},\
                {"client":"generic","verdict":"not_evaluated","code":"code","reason":"why","matched":null}]}
                """)
    }

    @Test(
        "exit statuses follow the verdict",
        arguments: [
            (VerdictKind.accept, UnpinnedBy?.none, CheckExit.fine), (.acceptReport, nil, .fine),
            (.rejectPin, nil, .bad),
            (.rejectChain, nil, .bad), (.unpinned, .design, .fine), (.unpinned, .trap, .bad), (.configError, nil, .bad),
            (.notEvaluated, nil, .fine), (.dependsOnPath, nil, .bad), (.unknown, nil, .couldNotTell),
        ])
    func exits(_ kind: VerdictKind, _ by: UnpinnedBy?, _ exit: CheckExit) {
        #expect(CheckExit(Verdict(kind, by: by, code: "", reason: "")) == exit)
    }

    @Test func `over several subjects the worst decides in the order 2, 1, 3, 0`() {
        #expect(CheckExit.worst([.fine, .couldNotTell, .bad, .inputError]) == .inputError)
        #expect(CheckExit.worst([.couldNotTell, .bad]) == .bad)
        #expect(CheckExit.worst([.fine, .couldNotTell]) == .couldNotTell)
        #expect(CheckExit.worst([]) == .fine)
    }
}
