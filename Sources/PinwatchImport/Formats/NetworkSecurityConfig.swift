internal import PinwatchCore

/// Android's network_security_config.xml (pin-semantics 4), kept to the letter since its client reads it itself.
enum NetworkSecurityConfig {
    static let root = "network-security-config"

    static func read(_ text: String, root: XMLElement, file: String, context: ImportContext) -> Draft {
        var draft = Draft(.networkSecurityConfig, file: file, system: .android)
        let xml = Node.text(text, root.mark)
        let usesTrustKit = holds("trustkit-config", root) || context.client == .trustKitAndroid
        if usesTrustKit {
            draft.layers.append(
                NativeLayer(
                    client: .trustKitAndroid,
                    policy: .mapping([("xml", xml), ("via", .word("factory", root.mark))], root.mark)))
            draft.ask(
                "stack",
                "Which calls use TrustKit's own socket factory or trust manager? For the others write "
                    + "`via: platform`: there Android enforces pins whatever trustkit-config says.", key: "policy.via")
        } else {
            let isDebug = context.variant == .debug
            draft.layers.append(
                NativeLayer(
                    client: .androidNSC,
                    policy: .mapping(
                        [("xml", xml), ("debuggable", isDebug ? .flag(true, root.mark) : nil)], root.mark)))
            draft.ask(
                "target_sdk",
                "Which targetSdkVersion has the app? Up to 23, user-installed authorities are trusted too.",
                key: "policy.target_sdk")
            draft.ask(
                "stack", "Do all calls use the platform's trust manager? Others never read this file.", key: "stack")
        }
        draft.ask("platform", "Which is the app's minSdkVersion? Below 24 the file is ignored.", key: "platform")
        if !holds("pin-set", root) { draft.remark(root.mark, "the file pins nothing: it has no pin-set") }
        for source in rawSources(root) {
            draft.remark(
                source.mark,
                "\(source[attribute: "src"] ?? "") is a file of the app's resources, which is not at hand here")
        }
        return draft
    }

    private static func holds(_ name: String, _ element: XMLElement) -> Bool {
        element.name == name || element.elements.contains { holds(name, $0) }
    }

    private static func rawSources(_ element: XMLElement) -> [XMLElement] {
        (element.name == "certificates" && element[attribute: "src"]?.hasPrefix("@raw/") == true ? [element] : [])
            + element.elements.flatMap { rawSources($0) }
    }

    /// The file itself, with warnings before its root; what its policy's `xml` holds is not changed.
    static func write(_ policy: Node, notes: [String]) -> String {
        let xml = policy["xml"]?.scalar ?? ""
        guard !notes.isEmpty else { return xml }
        let comments = notes.map { "<!-- \(XMLText.comment($0)) -->\n" }.joined()
        // A declaration must stay the first of the file.
        guard xml.hasPrefix("<?xml"), let end = xml.firstRange(of: "?>") else { return comments + xml }
        return String(xml[..<end.upperBound]) + "\n" + comments + xml[end.upperBound...].drop { $0.isNewline }
    }

    /// The policy of a plan: one domain-config for each host, without a pin-set where the host is an exception.
    static func policy(_ entries: [PinPlan.Entry]) -> Node {
        let configs = entries.map { entry in
            """
                <domain-config>
                    <domain includeSubdomains="\(entry.scope.includesBelow)">\(XMLText.escaped(entry.host))</domain>
            \(entry.effect == .exempt ? "" : pinSet(entry))    </domain-config>

            """
        }
        let xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- A sibling entry for a sub-domain does not inherit these pins; nest it within the domain-config. -->
            <!-- An expiration ends pinning silently, at midnight of the device's own time zone at the start of that day. -->
            <!-- A malformed pin or a domain that stands twice makes the app crash when the file is first used. -->
            <network-security-config>
            \(configs.joined())</network-security-config>

            """
        return .mapping([("xml", .text(xml, .start))], .start)
    }

    private static func pinSet(_ entry: PinPlan.Entry) -> String {
        let pins = entry.pins.map { pin in
            "            <pin digest=\"SHA-256\">\(XMLText.escaped(PinNotation.raw(.text(pin, .start))))</pin>\n"
        }
        let expiry = entry.expires.map { " expiration=\"\(XMLText.escaped($0))\"" } ?? ""
        return "        <pin-set\(expiry)>\n\(pins.joined())        </pin-set>\n"
    }
}
