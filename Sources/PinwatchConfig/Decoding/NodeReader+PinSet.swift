internal import FoundationEssentials
internal import PinwatchCore

extension NodeReader {
    private static let pinSetKeys = [
        "pinwatch", "app", "release", "variant", "stack", "share", "client", "client_version", "platform",
        "trust_store", "policy", "layers", "certificates",
    ]

    mutating func pinSet(
        _ root: Node, source: String, origin: String, managedBy: ManagedBy, trustStores: Set<String>?
    ) -> PinSetDefinition? {
        guard case .mapping(let members) = root.value, members.contains(where: { $0.key == "pinwatch" }) else {
            report(
                root.mark,
                "this is no pin file: it must begin with \"pinwatch: 1\"; `pinwatch import` makes one of other formats")
            return nil
        }
        guard let file = mapping(root, "the pin file", allowed: Self.pinSetKeys) else { return nil }
        if let version = file["pinwatch"], version.value != .scalar("1", plain: true) {
            report(version.mark, "pinwatch must be 1, the format that this version reads, not \(version.shown)")
        }
        let app = file.required("app", &self).flatMap { title($0, "app") }
        let release = file.required("release", &self).flatMap { title($0, "release") }
        let variant = file["variant"].flatMap { word($0, "variant", of: Variant.self) }
        let stack = file["stack"].flatMap { title($0, "stack") }
        let share = file["share"].flatMap { fraction($0, "share") }
        let system = file["platform"].flatMap { platform($0) }
        let store = file["trust_store"].flatMap { node in
            trustStores.map { trustStore(node, among: $0) } ?? string(node, "trust_store")
        }
        let layers = layers(file)
        let held = file["certificates"].flatMap { certificates($0) }
        guard let app, let release, let layers else { return nil }
        let identity = PinSetIdentity(
            app: app, release: release, variant: variant ?? .release, stack: stack ?? "default")
        return PinSetDefinition(
            identity: identity, share: share, platform: system, trustStore: store, layers: layers,
            certificates: held ?? [], source: source, origin: origin, managedBy: managedBy)
    }

    /// The most certificates that one file holds.
    private static let certificateLimit = 100

    /// Whole certificates: DER in base64.
    private mutating func certificates(_ node: Node) -> [CertificateSummary]? {
        guard let items = sequence(node, "certificates") else { return nil }
        guard items.count <= Self.certificateLimit else {
            report(node.mark, "certificates holds \(items.count) of them; at most \(Self.certificateLimit) are taken")
            return nil
        }
        return items.compactMap { certificate($0) }
    }

    private mutating func certificate(_ item: Node) -> CertificateSummary? {
        guard let text = string(item, "a certificate") else { return nil }
        let bytes = Data(base64Encoded: text).map { Array($0) } ?? []
        do {
            if case .certificate(let certificate, isDER: true) = try resources.readPinFile(bytes) { return certificate }
            report(item.mark, "a certificate must be DER in base64; this is a key, or PEM")
        } catch {
            report(item.mark, "a certificate must be DER in base64: \(error.description)")
        }
        return nil
    }

    private mutating func layers(_ file: NodeMapping) -> [PinLayer]? {
        guard let list = file["layers"] else { return layer(file).map { [$0] } }
        for key in ["client", "client_version", "policy"] {
            guard let node = file[key] else { continue }
            report(node.mark, "\(key) and layers exclude each other; put it into a layer")
        }
        guard let items = sequence(list, "layers") else { return nil }
        guard !items.isEmpty else {
            report(list.mark, "layers must hold at least one layer")
            return nil
        }
        return items.compactMap { item in
            mapping(item, "layer", allowed: ["client", "client_version", "policy"]).flatMap { layer($0) }
        }
    }

    /// Reads the policy by its client's own rules.
    private mutating func layer(_ mapping: NodeMapping) -> PinLayer? {
        let version = mapping["client_version"].flatMap { self.version($0, "client_version") }
        let clientNode = mapping.required("client", &self)
        let policyNode = mapping.required("policy", &self)
        guard let clientNode, let client = word(clientNode, "client", of: Client.self) else { return nil }
        guard let type = client.policyType(for: version) else {
            let judged = Client.allCases.filter { $0.policyType != nil }.map(\.rawValue).joined(separator: ", ")
            report(
                clientNode.mark,
                "client \(client.rawValue) is known but its rules are not built in yet; this version judges \(judged)")
            return nil
        }
        guard let policyNode, let policy = type.init(from: policyNode, reader: &self) else { return nil }
        return PinLayer(client: client, clientVersion: version, policy: policy)
    }

    private mutating func platform(_ node: Node) -> Platform? {
        guard let platform = mapping(node, "platform", allowed: ["os", "version"]) else { return nil }
        let system = platform.required("os", &self).flatMap { word($0, "os", of: Platform.System.self) }
        let version = platform["version"].flatMap { self.version($0, "version") }
        return system.map { Platform(system: $0, version: version) }
    }

    /// Numbers with dots between them, such as `5.12.0`; a suffix such as `-rc1` may follow.
    private mutating func version(_ node: Node, _ what: String) -> VersionNumber? {
        guard let text = string(node, what) else { return nil }
        if let version = VersionNumber(text) { return version }
        report(node.mark, "\(what) must be a version such as 5.12.0, not \(node.shown)")
        return nil
    }

    /// Text that people read as a title: not empty, at most 200 code points, no controls; and no null, which a program
    /// that writes JSON has for nothing.
    mutating func title(_ node: Node, _ what: String) -> String? {
        guard let text = string(node, what) else { return nil }
        if [.scalar("null", plain: true), .scalar("~", plain: true)].contains(node.value) {
            report(node.mark, "\(what) must be a text, not null; write it in quotes if that is the text")
            return nil
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        if (1...200).contains(text.unicodeScalars.count), isPlain { return text }
        report(node.mark, "\(what) must be a text of 1 to 200 characters on one line, not \(node.shown)")
        return nil
    }
}
