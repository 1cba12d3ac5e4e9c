internal import PinwatchCore

extension ReleaseVerdict {
    /// The verdict as `verdict.body` holds it.
    var stored: JSON {
        .object([
            (
                "layers",
                .array(
                    layers.map { .object([("client", .string($0.client.rawValue)), ("verdict", $0.verdict.stored)]) })
            ),
            ("deciding", deciding.stored),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        var layers: [Layer] = []
        for layer in try stored.objects("layers") {
            layers.append(
                Layer(client: try layer.word("client"), verdict: try Verdict(stored: try layer.object("verdict"))))
        }
        self.init(layers: layers, deciding: try Verdict(stored: try stored.object("deciding")))
    }
}

extension Verdict {
    var stored: JSON {
        .object([
            ("kind", .string(kind.rawValue)), ("by", .text(by?.rawValue)), ("code", .string(code)),
            ("reason", .string(reason)), ("notes", .strings(notes)),
            (
                "paths",
                .array(
                    paths.map {
                        .object([
                            ("subject", .text($0.anchorSubject)), ("anchor", .string($0.anchor.hex)),
                            ("kind", .string($0.kind.rawValue)),
                        ])
                    })
            ),
            (
                "matched",
                matched.map {
                    .object([
                        ("pin", .string($0.pin)), ("position", .string($0.position)),
                        ("certificate", .string($0.certificate.hex)),
                    ])
                } ?? .null
            ),
        ])
    }

    init(stored: StoredObject) throws(StoreError) {
        var paths: [PathVerdict] = []
        for path in try stored.objects("paths") {
            paths.append(
                PathVerdict(
                    anchorSubject: try path.textOrNil("subject"), anchor: try path.digest("anchor"),
                    kind: try path.word("kind")))
        }
        var matched: PinMatch?
        if let match = try stored.objectOrNil("matched") {
            matched = PinMatch(
                pin: try match.text("pin"), position: try match.text("position"),
                certificate: try match.digest("certificate"))
        }
        self.init(
            try stored.word("kind"), by: try stored.wordOrNil("by"), code: try stored.text("code"),
            reason: try stored.text("reason"), notes: try stored.texts("notes"), paths: paths, matched: matched)
    }
}
