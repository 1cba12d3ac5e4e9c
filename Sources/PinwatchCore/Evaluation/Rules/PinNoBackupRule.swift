/// `pin.no_backup`: every pin that a release holds for a host stands for something that is served now, so that none is
/// left for the day on which that must be replaced.
enum PinNoBackupRule {
    /// - Parameter views: All targets of one host: a pin for any of them is none in reserve.
    static func findings(_ views: [TargetView], host: String) -> [Finding] {
        var seen: Set<PinSetID> = []
        let pinSets = views.flatMap(\.releases).map(\.pinSet).filter { seen.insert($0.id).inserted }
        return pinSets.sorted { $0.id < $1.id }.compactMap { finding($0, views, host: host) }
    }

    private static func finding(_ pinSet: PinSet, _ views: [TargetView], host: String) -> Finding? {
        guard pinSet.identity.stack == "default" else { return nil }
        let members = views.flatMap(\.chains).flatMap(\.members)
        let layer = pinSet.definition.layers.first { layer in
            let pins = Self.pins(of: layer, views)
            return !pins.isEmpty
                && pins.allSatisfy { pin in members.contains { layer.policy.pin(pin, matches: $0) } }
        }
        guard let layer, let view = views.first else { return nil }
        let accepted = views.contains { view in
            view.releases.contains { release in
                release.pinSet.id == pinSet.id && release.verdicts.values.contains { $0.deciding.kind == .accept }
            }
        }
        guard accepted else { return nil }
        let pins = pins(of: layer, views)
        let label = pinSet.identity.label
        return Finding(
            key: "\(FindingKind.pinNoBackup.rawValue)/\(pinSet.id.text)/\(host)", kind: .pinNoBackup,
            severity: .warning,
            // Where several targets share the host the first stands for them, since routes go by a target's labels.
            targetID: view.target.id, pinSetID: pinSet.id, subject: "\(label), \(host)",
            summary: "\(label) has no backup pin for \(host): " + Self.served(pins.count)
                + " Should it have to be replaced, the release stops working.",
            nextStep: view.advice(
                .pinNoBackup,
                ours: "Add a pin for a key that is kept offline, and ship it before the key in use has to change."),
            evidence: .object([
                ("client", .string(layer.client.rawValue)), ("pins", .few(pins.map { .string($0.text) })),
            ]),
            since: view.now, stale: views.allSatisfy(\.isStale), affectedShare: pinSet.definition.share)
    }

    private static func served(_ pins: Int) -> String {
        pins == 1 ? "its only pin is of what is served now." : "all of its \(pins) pins are of what is served now."
    }

    private static func pins(of layer: PinLayer, _ views: [TargetView]) -> [Pin] {
        var pins: [Pin] = []
        for view in views {
            for pin in layer.policy.pins(for: view.target.identity.clientHost, now: view.now) where !pins.contains(pin)
            {
                pins.append(pin)
            }
        }
        return pins
    }
}
