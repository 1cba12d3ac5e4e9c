/// One of Alamofire 5's ServerTrustEvaluating types, with what it was made of.
indirect enum AlamofireEvaluator {
    /// DefaultTrustEvaluator.
    case standard(Validation)
    case revocation(Validation)
    /// PinnedCertificatesTrustEvaluator.
    case certificates(BundledPins, Validation, acceptsSelfSigned: Bool)
    /// PublicKeysTrustEvaluator.
    case keys(BundledPins, Validation)
    case composite([AlamofireEvaluator])
    case disabled

    /// The two validations before the pins. Either of them checks the whole chain.
    struct Validation {
        /// `performDefaultValidation`: the SSL policy without the host.
        var isDefault = true
        /// `validateHost`: the SSL policy with it.
        var coversHost = true
    }

    /// The word of the policy.
    enum Word: String, CaseIterable {
        case publicKeys = "public_keys"
        case pinnedCertificates = "pinned_certificates"
        case standard = "default"
        case revocation, composite, disabled
    }

    /// How many evaluators may stand in one another.
    static let depth = 8

    /// What the evaluator decides, in its own order.
    func verdict(for entry: String, of presentation: Presentation) -> Verdict {
        switch self {
        case .standard(let validation):
            // Both of its evaluations check the chain; the host's is the one that may be left out.
            let trust = Validation(isDefault: true, coversHost: validation.coversHost).trust(presentation)
            return trust.refusal ?? Self.nothingCompared(by: "default", for: entry, trust.notes)
        case .revocation(let validation): return Self.revocation(validation, entry, presentation)
        case .certificates(let pins, let validation, let acceptsSelfSigned):
            return Self.verdict(
                pins, validation, anchors: acceptsSelfSigned ? pins.anchors(in: presentation) : nil, entry, presentation
            )
        case .keys(let pins, let validation): return Self.verdict(pins, validation, anchors: nil, entry, presentation)
        case .composite(let children): return Self.composite(children, entry, presentation)
        case .disabled:
            return Self.nothingCompared(
                by: "disabled", for: entry, ["DisabledTrustEvaluator lets every certificate through, whoever made it"])
        }
    }

    private static func verdict(
        _ pins: BundledPins, _ validation: Validation, anchors: PinnedAnchors?, _ entry: String,
        _ presentation: Presentation
    ) -> Verdict {
        guard !pins.loaded.isEmpty else {
            return Verdict(
                .rejectPin, code: "empty",
                reason:
                    "the evaluator of \(entry) is left with no \(pins.kind == .keys ? "keys" : "certificates"), which "
                    + "Alamofire refuses", notes: pins.notes)
        }
        let trust = validation.trust(presentation, anchors: anchors)
        if let refusal = trust.refusal { return refusal.noting(pins.notes) }
        return pins.verdict(for: entry, paths: trust.paths, of: presentation).noting(pins.notes + trust.notes)
    }

    private static func revocation(
        _ validation: Validation, _ entry: String, _ presentation: Presentation
    ) -> Verdict {
        let trust = validation.trust(presentation)
        if let refusal = trust.refusal { return refusal }
        if presentation.verification.paths.isEmpty, let refusal = presentation.plainRejection { return refusal }
        var notes = ["whether the certificate is revoked, which this evaluator asks, was not looked at here"]
        if !validation.isDefault, !validation.coversHost {
            notes.append(
                "with both validations off dates and host are taken not to be checked, which was not seen on a device")
        }
        return nothingCompared(by: "revocation", for: entry, notes + trust.notes)
    }

    /// All children must pass, on the path that the device has built: so path by path.
    private static func composite(
        _ children: [AlamofireEvaluator], _ entry: String, _ presentation: Presentation
    ) -> Verdict {
        let paths = presentation.plausiblePaths
        guard paths.count > 1 else { return all(children, entry, presentation) }
        return PathVerdicts(paths.map { ($0, all(children, entry, presentation.along($0))) }, entry: entry).settled
    }

    private static func all(
        _ children: [AlamofireEvaluator], _ entry: String, _ presentation: Presentation
    ) -> Verdict {
        let verdicts = children.enumerated().map { index, child in
            child.verdict(for: "\(entry), evaluator \(index + 1)", of: presentation)
        }
        // The first to fail ends it; what could not be told of one before it does not save the connection.
        if let failed = verdicts.first(where: { $0.kind == .rejectPin || $0.kind == .rejectChain }) { return failed }
        if let open = verdicts.first(where: { $0.kind != .accept }) { return open }
        let accepted = verdicts.first { $0.code != "no_pins_compared" }
        return accepted ?? nothingCompared(by: "composite", for: entry, verdicts.flatMap(\.notes))
    }

    private static func nothingCompared(by word: String, for entry: String, _ notes: [String]) -> Verdict {
        Verdict(
            .accept, code: "no_pins_compared",
            reason: "the evaluator of \(entry) is \(word), which compares no pin", notes: notes)
    }
}

extension AlamofireEvaluator.Validation {
    /// Evaluates as far as the two flags ask. With neither the chain is still built, but nothing of it is checked.
    fileprivate func trust(_ presentation: Presentation, anchors: PinnedAnchors? = nil) -> AppleTrust {
        guard isDefault || coversHost else {
            let paths = anchors?.paths(for: presentation).map(\.path) ?? presentation.plausiblePaths
            return AppleTrust(refusal: nil, paths: paths, notes: [])
        }
        let check: AppleTrust.Check = coversHost ? .serverWithHost : .server
        return anchors.map { AppleTrust.evaluate(presentation, as: check, anchors: $0) }
            ?? AppleTrust.evaluate(presentation, as: check)
    }
}
