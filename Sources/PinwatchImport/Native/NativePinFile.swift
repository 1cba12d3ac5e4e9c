package import PinwatchCore
internal import PinwatchTLS

/// One client with its policy, as an importer found it.
struct NativeLayer: Hashable {
    let client: Client
    var version: String?
    let policy: Node
}

/// The contract's pin file, built and written.
package enum NativePinFile {
    static func node(
        identity: PinSetIdentity, share: Double? = nil, platform: Node?, layers: [NativeLayer],
        beside found: [FoundKey] = [], at mark: Mark = .start
    ) -> Node {
        var members: [(String, Node?)] = [
            ("pinwatch", .number("1", mark)), ("app", .text(identity.app, mark)),
            ("release", .text(identity.release, mark)), ("variant", .word(identity.variant.rawValue, mark)),
            ("share", share.map { .number(String($0), mark) }), ("platform", platform),
        ]
        if layers.count == 1, let layer = layers.first {
            members += self.members(layer)
        } else {
            members.append(("layers", .list(layers.map { .mapping(self.members($0), $0.policy.mark) }, mark)))
        }
        let anchors = anchors(of: layers, among: found).map { Node.text(PinText.canonical($0), mark) }
        members.append(("certificates", anchors.isEmpty ? nil : .list(anchors, mark)))
        return .mapping(members, mark)
    }

    /// The certificates that layers pin by their fingerprints and make their anchors, whole: what is not sent could not
    /// be told from them otherwise.
    private static func anchors(of layers: [NativeLayer], among found: [FoundKey]) -> [[UInt8]] {
        let pinned = Set(layers.filter(makesAnchors).flatMap { certificatePins(in: $0.policy) })
        var ders: [[UInt8]] = []
        for key in found {
            guard case .certificate(let certificate, _) = key.material, pinned.contains(certificate.fingerprint.hex),
                !ders.contains(certificate.der)
            else { continue }
            ders.append(certificate.der)
        }
        return ders
    }

    private static func makesAnchors(_ layer: NativeLayer) -> Bool {
        switch layer.client {
        case .alamofire4, .afnetworking: true
        case .alamofire: acceptsSelfSigned(layer.policy)
        case .generic, .trustKitIOS, .trustKitAndroid, .applePinnedDomains, .androidNSC, .okhttp, .okhttp3, .ktorDarwin,
            .cronet, .wultraIOS, .wultraAndroid, .curl, .wget, .urlSession, .rnSSLPinningIOS, .rnSSLPinningAndroid,
            .rnPublicKeyPinningIOS, .rnPublicKeyPinningAndroid, .httpCertificatePinning, .dartSecurityContext,
            .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid, .dotnetCallback, .hpkp:
            false
        }
    }

    private static func acceptsSelfSigned(_ node: Node) -> Bool {
        node["accept_self_signed"]?.flag == true || node.members.contains { acceptsSelfSigned($0.value) }
            || node.items.contains { acceptsSelfSigned($0) }
    }

    private static func certificatePins(in node: Node) -> [String] {
        if let text = node.scalar { return text.hasPrefix("cert-sha256:") ? [String(text.dropFirst(12))] : [] }
        return node.members.flatMap { certificatePins(in: $0.value) } + node.items.flatMap { certificatePins(in: $0) }
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
