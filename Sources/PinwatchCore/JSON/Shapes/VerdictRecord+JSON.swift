extension VerdictRecord {
    /// A release's verdict on what one address serves; `layers` in file order, one for a release with a single client.
    package var json: JSON { .object(members) }

    fileprivate var members: [(String, JSON)] {
        pinSet.members(id: pinSetID) + [
            ("address", .string(address.description)), ("key_family", .text(family?.rawValue)),
            ("chain", .strings(chain.map(\.hex))),
        ] + verdict.recordMembers
    }
}

extension ReleaseVerdict {
    /// From `verdict` to `matched` of the layer that decides, then all `layers` in file order.
    var recordMembers: [(String, JSON)] {
        let all = layers.map { layer in
            JSON.object([("client", .string(layer.client.rawValue))] + layer.verdict.recordMembers)
        }
        return deciding.recordMembers + [("layers", .array(all))]
    }
}

extension TargetVerdictRecord {
    /// The same after `target_id` and `target`, the target's label.
    package var json: JSON {
        .object([("target_id", .string(verdict.targetID.text)), ("target", .string(target))] + verdict.members)
    }
}

extension AcceptedRecord {
    /// `{pin_set_id, app, release, variant, count}`.
    package var json: JSON {
        .object(pinSet.members(id: pinSetID) + [("count", .integer(Int64(count)))])
    }
}

extension PinSetIdentity {
    /// `pin_set_id`, `app`, `release`, `variant`.
    func members(id: PinSetID) -> [(String, JSON)] {
        [
            ("pin_set_id", .string(id.text)), ("app", .string(app)), ("release", .string(release)),
            ("variant", .string(variant.rawValue)),
        ]
    }
}

extension Verdict {
    /// From `verdict` to `matched`, as in `check`'s objects but for the paths.
    fileprivate var recordMembers: [(String, JSON)] {
        [
            ("verdict", .string(kind.rawValue)), ("by", .text(by?.rawValue)), ("code", .string(code)),
            ("reason", .string(reason)), ("notes", .strings(notes)),
            (
                "matched",
                matched.map {
                    .object([
                        ("pin", .string($0.pin)), ("position", .string($0.position)),
                        ("sha256", .string($0.certificate.hex)),
                    ])
                } ?? .null
            ),
        ]
    }
}
