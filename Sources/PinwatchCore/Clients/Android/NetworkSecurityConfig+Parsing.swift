/// Reads the elements of a network security configuration in the platform's order, with its messages.
struct NetworkSecurityParser {
    typealias Config = NetworkSecurityConfig
    typealias Fault = NetworkSecurityConfig.Fault

    enum Kind: String {
        case base = "base-config"
        case domain = "domain-config"
        case debug = "debug-overrides"
    }

    private(set) var entries: [Config.Entry] = []
    private var seen: Set<String> = []

    /// A `base-config` or `debug-overrides`, which hold no domains, pins or configurations.
    mutating func single(_ element: XMLElement, _ kind: Kind) throws(Fault) -> Config.Entry {
        let place = entries.count
        try read(element, kind, parent: nil)
        return entries.remove(at: place)
    }

    /// A `domain-config` and those within.
    mutating func domainConfig(_ element: XMLElement, parent: Int?) throws(Fault) {
        let place = entries.count
        try read(element, .domain, parent: parent)
        if entries[place].domains.isEmpty { throw Fault("No domain elements in domain-config", element) }
    }

    private mutating func read(_ element: XMLElement, _ kind: Kind, parent: Int?) throws(Fault) {
        let place = entries.count
        entries.append(Config.Entry(parent: parent, mark: element.mark))
        entries[place].cleartextPermitted = element[attribute: "cleartextTrafficPermitted"].map {
            AndroidXML.flag($0, else: true)
        }
        for child in element.elements {
            switch child.name {
            case "domain":
                try allow(child, "domain element", in: kind)
                entries[place].domains.append(try domain(child))
            case "trust-anchors":
                if entries[place].anchors != nil { throw Fault("Multiple trust-anchor elements not allowed", child) }
                entries[place].anchors = try anchors(child, overridesPins: kind == .debug)
            case "pin-set":
                try allow(child, "pin-set element", in: kind)
                if entries[place].pinSet != nil { throw Fault("Multiple pin-set elements not allowed", child) }
                entries[place].pinSet = try pinSet(child)
            case "domain-config":
                try allow(child, "Nested domain-config", in: kind)
                try domainConfig(child, parent: place)
            case "trustkit-config":
                entries[place].trustKit = Config.TrustKitElement(
                    enforcesPinning: child.javaFlag("enforcePinning"), mark: child.mark)
            default: continue
            }
        }
    }

    private func allow(_ element: XMLElement, _ what: String, in kind: Kind) throws(Fault) {
        guard kind != .domain else { return }
        throw Fault("\(what) not allowed in \(kind.rawValue)", element)
    }

    private mutating func domain(_ element: XMLElement) throws(Fault) -> Config.Domain {
        let name = try AndroidXML.onlyText(
            element, missing: "Domain name missing", others: "domain contains additional elements"
        ).lowercased()
        guard seen.insert(name).inserted else { throw Fault("\(name) has already been specified", element) }
        return Config.Domain(
            name: name,
            includesSubdomains: element[attribute: "includeSubdomains"].map { AndroidXML.flag($0, else: false) }
                ?? false,
            mark: element.mark)
    }

    private func pinSet(_ element: XMLElement) throws(Fault) -> Config.PinSet {
        var expires: AndroidDate?
        if let text = element[attribute: "expiration"] {
            guard let date = AndroidDate(text) else { throw Fault("Invalid expiration date in pin-set", element) }
            expires = date
        }
        var pins: [Config.PinElement] = []
        for child in element.elements where child.name == "pin" { pins.append(try pin(child)) }
        return Config.PinSet(pins: pins, expires: expires, mark: element.mark)
    }

    private func pin(_ element: XMLElement) throws(Fault) -> Config.PinElement {
        let digest = element[attribute: "digest"]
        guard digest?.lowercased() == "sha-256" else {
            throw Fault("Unsupported pin digest algorithm: \(digest ?? "null")", element, isPin: true)
        }
        let text = try AndroidXML.onlyText(
            element, missing: "Missing pin digest", others: "pin contains additional elements")
        guard let bytes = AndroidBase64.decode(text) else { throw Fault("Invalid pin digest", element, isPin: true) }
        guard bytes.count == 32 else {
            throw Fault(
                "digest length \(bytes.count) does not match expected length for \(digest ?? "") of 32", element,
                isPin: true)
        }
        return Config.PinElement(text: text, mark: element.mark)
    }

    private func anchors(_ element: XMLElement, overridesPins: Bool) throws(Fault) -> [Config.Anchors] {
        var anchors: [Config.Anchors] = []
        for child in element.elements where child.name == "certificates" {
            guard let text = child[attribute: "src"] else {
                throw Fault("certificates element missing src attribute", child)
            }
            let source: Config.Anchors.Source
            switch text {
            case "system": source = .system
            case "user": source = .user
            case _ where text.hasPrefix("@"): source = .resource(text)
            default:
                throw Fault("Unknown certificates src. Should be one of system|user|@resourceVal", child)
            }
            anchors.append(
                Config.Anchors(
                    source: source,
                    overridesPins: child[attribute: "overridePins"].map { AndroidXML.flag($0, else: overridesPins) }
                        ?? overridesPins,
                    mark: child.mark))
        }
        return anchors
    }
}

/// How Android's resource compiler and pull parser see text.
enum AndroidXML {
    /// A boolean attribute: the compiler turns `true`, `TRUE`, `True` and numbers into typed values; text of any other kind
    /// leaves the parser's own default.
    static func flag(_ text: String, else otherwise: Bool) -> Bool {
        switch text {
        case "true", "TRUE", "True": true
        case "false", "FALSE", "False": false
        default: Int(text).map { $0 != 0 } ?? otherwise
        }
    }

    /// The text of an element that may hold nothing else, blanks around it gone.
    static func onlyText(
        _ element: XMLElement, missing: String, others: String
    ) throws(NetworkSecurityConfig.Fault) -> String {
        let content = element.content.filter {
            if case .text(let text) = $0 { !trimmed(text).isEmpty } else { true }
        }
        guard case .text(let text)? = content.first else {
            throw NetworkSecurityConfig.Fault(missing, element, isPin: element.name == "pin")
        }
        guard content.count == 1 else {
            throw NetworkSecurityConfig.Fault(others, element, isPin: element.name == "pin")
        }
        return trimmed(text)
    }

    /// Without what `String.trim` of Java takes off: blanks and controls at both ends.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { $0.value > 0x20 }),
            let last = scalars.lastIndex(where: { $0.value > 0x20 })
        else { return "" }
        return String(scalars[first...last])
    }
}

extension XMLElement {
    /// An attribute read by Java's `Boolean.parseBoolean`; `nil` where it is missing.
    func javaFlag(_ name: String) -> Bool? { self[attribute: name].map { $0.lowercased() == "true" } }
}
