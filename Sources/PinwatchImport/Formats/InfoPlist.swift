internal import PinwatchCore

/// `NSPinnedDomains` and `TSKConfiguration` of an Info.plist (pin-semantics 3 and 2.1).
enum InfoPlist {
    /// Whether a property list holds either.
    static func holdsPins(_ root: Node) -> Bool {
        root["NSAppTransportSecurity"]?["NSPinnedDomains"] != nil || root["TSKConfiguration"] != nil
            || root["TSKPinnedDomains"] != nil
    }

    static func read(_ list: PropertyList, file: String, context: ImportContext) -> Draft {
        var draft = Draft(.infoPlist, file: file, system: .ios)
        var settings = BuildSettings(values: context.buildSettings)
        let root = settings.resolve(list.root)
        for (name, mark) in settings.missing {
            draft.remark(mark, "$(\(name)) is a build setting of Xcode's, whose value stands elsewhere")
        }
        facts(root, &draft)
        if let apple = root["NSAppTransportSecurity"]?["NSPinnedDomains"] {
            draft.layers.append(
                NativeLayer(client: .applePinnedDomains, policy: ApplePinnedDomains.policy(apple, &draft)))
        }
        // A file that holds the configuration alone is as TrustKit's own samples have it.
        if let trustKit = root["TSKConfiguration"] ?? (root["TSKPinnedDomains"].map { _ in root }) {
            draft.layers.append(
                NativeLayer(client: .trustKitIOS, policy: TrustKitConfiguration.policy(trustKit, &draft)))
            draft.ask(
                "stack",
                "Do the app's connections pass through TrustKit (swizzling on, or its validator called by the "
                    + "session's delegate)? Those that do not are not pinned by it.", key: "stack")
        }
        if draft.layers.count == 2 {
            draft.remark(
                nil,
                "NSPinnedDomains and TrustKit both pin here; a connection must satisfy both, so both must be kept up")
        }
        askForSettings(settings.missing, &draft)
        return draft
    }

    /// An Info.plist with the layers that such a file can hold, and nothing else.
    static func write(_ layers: [NativeLayer], platform: Node?, notes: [String]) -> String {
        var (members, comments): ([(String, Node?)], [String]) = ([], notes)
        let oldest = platform?["os"]?.scalar == "macos" ? "LSMinimumSystemVersion" : "MinimumOSVersion"
        members.append((oldest, platform?["version"]?.scalar.map { .text($0, .start) }))
        for layer in layers {
            if layer.client == .applePinnedDomains {
                members.append(("NSAppTransportSecurity", ApplePinnedDomains.dictionary(layer.policy)))
                comments += ApplePinnedDomains.exportNotes
            } else if layer.client == .trustKitIOS {
                members.append(("TSKConfiguration", TrustKitConfiguration.dictionary(layer.policy)))
                comments += TrustKitConfiguration.plistNotes(layer.policy)
            }
        }
        return PropertyListWriter.text(.mapping(members, .start), notes: comments)
    }

    /// Only settings that pins depend on hold up a verdict.
    private static func askForSettings(_ settings: [(name: String, mark: Mark)], _ draft: inout Draft) {
        let policies = draft.layers.map { NativePinFile.text(of: $0.policy) }
        for (name, mark) in settings
        where policies.contains(where: { $0.contains("$(\(name))") || $0.contains("${\(name)}") }) {
            draft.ask(
                "build_setting", "What is the value of the build setting \(name)? Give it as --set \(name)=VALUE.",
                key: "policy", at: mark, mustAnswer: true)
        }
    }

    private static func facts(_ root: Node, _ draft: inout Draft) {
        let isLiteral: (String) -> Bool = { !$0.isEmpty && !$0.contains("$(") && !$0.contains("${") }
        draft.app = root["CFBundleIdentifier"]?.scalar.flatMap { isLiteral($0) ? $0 : nil }
        draft.release = root["CFBundleShortVersionString"]?.scalar.flatMap { isLiteral($0) ? $0 : nil }
        if let mac = root["LSMinimumSystemVersion"]?.scalar {
            draft.system = .macos
            draft.platform = VersionNumber(mac).map { Platform(system: .macos, version: $0) }
        }
        let oldest = root["MinimumOSVersion"] ?? root["LSMinimumSystemVersion"]
        if let node = root["MinimumOSVersion"], let text = node.scalar {
            draft.platform = VersionNumber(text).map { Platform(system: .ios, version: $0) }
        }
        guard draft.platform == nil else { return }
        if let oldest { draft.remark(oldest.mark, "\(oldest.shown) is no version of the system") }
        draft.ask(
            "platform", "Which is the oldest system that the release supports (MinimumOSVersion of the built app)?",
            key: "platform")
    }
}

/// `$(NAME)` and `${NAME}`, which Xcode replaces when it builds.
private struct BuildSettings {
    let values: [String: String]
    /// Names without a value, each at the place where it stands first.
    private(set) var missing: [(name: String, mark: Mark)] = []

    init(values: [String: String]) { self.values = values }

    mutating func resolve(_ node: Node) -> Node {
        switch node.value {
        case .scalar(let text, plain: false): return .text(resolve(text, node.mark), node.mark)
        case .scalar: return node
        case .sequence(let items): return .list(items.map { resolve($0) }, node.mark)
        case .mapping(let members):
            let resolved = members.map { member in
                Node.Member(
                    key: resolve(member.key, member.keyMark), keyMark: member.keyMark, value: resolve(member.value))
            }
            return .mapping(resolved, node.mark)
        }
    }

    private mutating func resolve(_ text: String, _ mark: Mark) -> String {
        guard text.contains("$(") || text.contains("${") else { return text }
        var (out, rest) = ("", text[...])
        while let dollar = rest.firstIndex(of: "$") {
            out += rest[..<dollar]
            rest = rest[dollar...]
            let open = rest.dropFirst().first
            let close: Character = open == "(" ? ")" : "}"
            guard open == "(" || open == "{", let end = rest.firstIndex(of: close) else {
                out += "$"
                rest = rest.dropFirst()
                continue
            }
            let name = String(rest[..<end].dropFirst(2))
            if let value = values[name] {
                out += value
            } else {
                if !missing.contains(where: { $0.name == name }), missing.count < 100 { missing.append((name, mark)) }
                out += rest[...end]
            }
            rest = rest[rest.index(after: end)...]
        }
        return out + rest
    }
}
