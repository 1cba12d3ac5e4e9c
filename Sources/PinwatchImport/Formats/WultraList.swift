internal import PinwatchCore

/// The JSON list of Wultra's clients (pin-semantics 6).
enum WultraList {
    static func read(_ root: Node, file: String, context: ImportContext) -> Draft {
        var draft = Draft(.wultraList, file: file)
        var entries: [Node] = []
        for item in root["fingerprints"]?.items ?? [] {
            let members: [(String, Node?)] = [
                ("name", item["name"]), ("fingerprint", item["fingerprint"]), ("expires", item["expires"]),
            ]
            if item["signature"] != nil, entries.isEmpty {
                draft.remark(item.mark, "signatures are left out: the list is taken as one that the clients accept")
            }
            entries.append(.mapping(members, item.mark))
        }
        let mark = root["fingerprints"]?.mark ?? root.mark
        let client: Client = context.client == .wultraAndroid ? .wultraAndroid : .wultraIOS
        draft.system = client == .wultraIOS ? .ios : .android
        if context.client == nil {
            draft.ask(
                "client",
                "Is this list read on iOS or on Android (--client wultra-ios or wultra-android)? Android's client "
                    + "checks neither chain nor dates.", key: "client", at: mark, mustAnswer: true)
        }
        draft.ask(
            "on_empty", "What does the app do when the list has no entry for a certificate's name: reject, or accept?",
            key: "policy.on_empty")
        draft.layers = [NativeLayer(client: client, policy: .mapping([("fingerprints", .list(entries, mark))], mark))]
        return draft
    }

    /// The list without signatures, and for each entry the text that its signature covers.
    static func write(_ policy: Node, notes: [String]) -> String {
        let entries = (policy["fingerprints"]?.items ?? []).map { entry -> (JSON, String) in
            let (name, fingerprint) = (entry["name"]?.scalar ?? "", entry["fingerprint"]?.scalar ?? "")
            let expires = entry["expires"]?.scalar ?? ""
            let members: [(String, JSON)] = [
                ("name", .string(name)), ("fingerprint", .string(fingerprint)),
                ("expires", Int64(expires).map { .integer($0) } ?? .string(expires)),
            ]
            return (.object(members), "\(name)&\(fingerprint)&\(expires)")
        }
        // JSON has no comments; clients pass over members that they do not know.
        let comments =
            notes + [
                "Each entry lacks its signature: base64 of the DER ECDSA-SHA256 (P-256) over the text in to_sign. Sign it with "
                    + "the list's own key, add it as \"signature\", and remove this member and to_sign.",
                "Fingerprints are of whole leaf certificates, looked up by the certificate's common name: every renewal needs a "
                    + "new entry.",
            ]
        let root: [(String, JSON)] = [
            ("comment", .strings(comments)), ("to_sign", .strings(entries.map(\.1))),
            ("fingerprints", .array(entries.map(\.0))),
        ]
        return JSON.object(root).indented + "\n"
    }
}
