extension ReleaseVerdict {
    /// What a release makes of a chain. A release on a stack that bypasses its pins is `not_evaluated`, all of it.
    package static func judge(_ definition: PinSetDefinition, presentation: Presentation) -> ReleaseVerdict {
        let stack = definition.identity.stack
        guard stack != "default" else {
            return judge(
                layers: definition.layers, presentation: presentation.shown(beside: definition.certificates),
                platform: definition.platform,
                variant: definition.identity.variant)
        }
        let verdict = Verdict(
            .notEvaluated, code: "other_stack",
            reason: "\(stack) has a network stack of its own, which never consults these pins")
        return ReleaseVerdict(
            layers: definition.layers.map { Layer(client: $0.client, verdict: verdict) }, deciding: verdict)
    }

    /// Asks every layer; all must accept, so the worst decides, and the first of equals.
    ///
    /// Layers alone do not know their release's stack: whole releases go through ``judge(_:presentation:)``.
    package static func judge(
        layers: [PinLayer], presentation: Presentation, platform: Platform? = nil, variant: Variant = .release
    ) -> ReleaseVerdict {
        let judged = layers.map { layer in
            let release = ReleaseFacts(clientVersion: layer.clientVersion, platform: platform, variant: variant)
            return Layer(client: layer.client, verdict: layer.policy.verdict(for: presentation.shown(to: release)))
        }
        let worst = judged.map(\.verdict).min { $0.rank < $1.rank }
        let none = Verdict(.notEvaluated, code: "empty", reason: "the release has no layers")
        return ReleaseVerdict(layers: judged, deciding: worst ?? none)
    }
}

extension Verdict {
    /// The contract's order of layers, the worst first.
    var rank: Int {
        switch kind {
        case .configError: 0
        case .rejectChain: 1
        case .rejectPin: 2
        case .dependsOnPath: 3
        case .unknown: 4
        case .acceptReport: 5
        // A layer that lets everything through pins nothing, so it says less than one that is known not to pin.
        case .accept: code == "no_pins_compared" ? 9 : 6
        case .unpinned: by == .trap ? 7 : 8
        case .notEvaluated: 10
        }
    }
}
