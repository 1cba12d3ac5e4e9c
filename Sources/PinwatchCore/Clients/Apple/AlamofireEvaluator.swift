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
        var anchors: PinnedAnchors?
        return verdict(for: entry, of: presentation, anchors: &anchors)
    }

    /// - Parameter anchors: Those that an evaluator before this one has set, for all evaluate the same trust object.
    private func verdict(
        for entry: String, of presentation: Presentation, anchors: inout PinnedAnchors?
    ) -> Verdict {
        switch self {
        case .standard(let validation):
            // Both of its evaluations check the chain; the host's is the one that may be left out.
            let trust = Validation(coversHost: validation.coversHost).trust(presentation, anchors: anchors)
            return trust.refusal ?? Self.nothingCompared(by: "default", for: entry, trust.notes)
        case .revocation(let validation): return Self.revocation(validation, entry, presentation, anchors)
        case .certificates(let pins, let validation, let acceptsSelfSigned):
            if acceptsSelfSigned, !pins.loaded.isEmpty { anchors = pins.anchors(in: presentation) }
            return Self.verdict(pins, validation, anchors: anchors, entry, presentation)
        case .keys(let pins, let validation):
            return Self.verdict(pins, validation, anchors: anchors, entry, presentation)
        case .composite(let children): return Self.composite(children, entry, presentation, &anchors)
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
        _ validation: Validation, _ entry: String, _ presentation: Presentation, _ anchors: PinnedAnchors?
    ) -> Verdict {
        let trust = validation.trust(presentation, anchors: anchors)
        if let refusal = trust.refusal { return refusal }
        if trust.paths.isEmpty, let refusal = presentation.plainRejection { return refusal }
        var notes = ["whether the certificate is revoked, which this evaluator asks, was not looked at here"]
        if !validation.isDefault, !validation.coversHost {
            notes.append(
                "with both validations off dates and host are taken not to be checked, which was not seen on a device")
        }
        return nothingCompared(by: "revocation", for: entry, notes + trust.notes)
    }

    /// All children must pass, on the path that the device has built: so path by path.
    private static func composite(
        _ children: [AlamofireEvaluator], _ entry: String, _ presentation: Presentation,
        _ anchors: inout PinnedAnchors?
    ) -> Verdict {
        let paths = presentation.plausiblePaths
        guard paths.count > 1 else { return all(children, entry, presentation, &anchors) }
        let judged = paths.map { path in
            // Composites within this one see a single path, so nothing is set before and nobody comes after.
            var own: PinnedAnchors?
            return (path, all(children, entry, presentation.along(path), &own))
        }
        return PathVerdicts(judged, entry: entry).settled
    }

    private static func all(
        _ children: [AlamofireEvaluator], _ entry: String, _ presentation: Presentation,
        _ anchors: inout PinnedAnchors?
    ) -> Verdict {
        var verdicts: [Verdict] = []
        for (index, child) in children.enumerated() {
            let name = "\(entry), evaluator \(index + 1)"
            verdicts.append(child.verdict(for: name, of: presentation, anchors: &anchors))
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
