package import PinwatchCore

/// One client with its policy, as an importer found it.
struct NativeLayer: Hashable {
    let client: Client
    var version: String?
    let policy: Node
}

/// The contract's pin file, built and written.
package enum NativePinFile {
    static func node(
        identity: PinSetIdentity, platform: Node?, layers: [NativeLayer], at mark: Mark = .start
    ) -> Node {
        var members: [(String, Node?)] = [
            ("pinwatch", .number("1", mark)), ("app", .text(identity.app, mark)),
            ("release", .text(identity.release, mark)), ("variant", .word(identity.variant.rawValue, mark)),
            ("platform", platform),
        ]
        if layers.count == 1, let layer = layers.first {
            members += self.members(layer)
        } else {
            members.append(("layers", .list(layers.map { .mapping(self.members($0), $0.policy.mark) }, mark)))
        }
        return .mapping(members, mark)
    }

    private static func members(_ layer: NativeLayer) -> [(String, Node?)] {
        [
            ("client", .word(layer.client.rawValue, layer.policy.mark)),
            ("client_version", layer.version.map { .text($0, layer.policy.mark) }), ("policy", layer.policy),
        ]
    }

    /// The layers of a native file, unread; none where it says neither `client` nor `layers`.
    static func layers(of root: Node) -> [NativeLayer] {
        (root["layers"]?.items ?? [root]).compactMap { layer in
            guard let client = layer["client"]?.scalar.flatMap(Client.init(rawValue:)), let policy = layer["policy"]
            else {
                return nil
            }
            return NativeLayer(client: client, version: layer["client_version"]?.scalar, policy: policy)
        }
    }

    /// The node as a YAML text that reads back as the same values. Places and comments are not kept.
    package static func text(of node: Node) -> String {
        var writer = YAMLWriter()
        writer.write(node, indent: 0, after: .line)
        return writer.text
    }
}
