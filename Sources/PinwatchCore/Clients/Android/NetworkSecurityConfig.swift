/// An Android network security configuration as the platform's parser takes it in (pin-semantics 4): what elements say
/// by themselves, with their places. What follows by inheritance is in `NetworkSecurityConfig+Effective.swift`.
struct NetworkSecurityConfig: Sendable {
    struct Domain: Sendable {
        /// Lower case, without blanks around it.
        let name: String
        let includesSubdomains: Bool
        let mark: Mark
    }

    /// The text of a `<pin>` without blanks around it; it decodes to 32 bytes.
    struct PinElement: Sendable {
        let text: String
        let mark: Mark
    }

    struct PinSet: Sendable {
        let pins: [PinElement]
        let expires: AndroidDate?
        let mark: Mark
    }

    /// One `<certificates>` of `<trust-anchors>`.
    struct Anchors: Sendable {
        enum Source: Sendable, Hashable {
            case system, user
            /// A resource such as `@raw/corp_ca`, which is not at hand here.
            case resource(String)
        }

        let source: Source
        let overridesPins: Bool
        let mark: Mark
    }

    /// `<trustkit-config>`, which the platform skips and TrustKit reads.
    struct TrustKitElement: Sendable {
        /// `nil` where the attribute is missing: inherited, else false.
        let enforcesPinning: Bool?
        let mark: Mark
    }

    /// `<base-config>`, `<domain-config>` or `<debug-overrides>`; what is `nil` is inherited.
    struct Entry: Sendable {
        /// The number of the `domain-config` around it.
        let parent: Int?
        var domains: [Domain] = []
        var pinSet: PinSet?
        var anchors: [Anchors]?
        var cleartextPermitted: Bool?
        var trustKit: TrustKitElement?
        let mark: Mark
    }

    /// Why the platform throws, in its own words, and where.
    struct Fault: Error, Sendable {
        let words: String
        /// Whether a pin is at fault.
        let isPin: Bool
        let mark: Mark
    }

    /// `<debug-overrides>`, which only a debuggable app reads, and only such an app stumbles over.
    enum DebugOverrides: Sendable {
        case missing
        case read(Entry)
        case refused(Fault)
    }

    /// Every `domain-config`, parents before their children, in document order.
    let entries: [Entry]
    let base: Entry?
    let debug: DebugOverrides
}

extension NetworkSecurityConfig {
    /// Reads the tree as `XmlConfigSource` does; elements that it does not know are skipped with all that is in them.
    init(_ root: XMLElement) throws(Fault) {
        guard root.name == "network-security-config" else {
            throw Fault(
                words: "Unexpected start tag: found \(root.name), expected network-security-config", isPin: false,
                mark: root.mark)
        }
        var parser = NetworkSecurityParser()
        var base: Entry?
        var debug: XMLElement?
        for element in root.elements {
            switch element.name {
            case "base-config":
                if base != nil { throw Fault("Only one base-config allowed", element) }
                base = try parser.single(element, .base)
            case "domain-config": try parser.domainConfig(element, parent: nil)
            case "debug-overrides":
                if debug != nil { throw Fault("Only one debug-overrides allowed", element) }
                debug = element
            default: continue
            }
        }
        self.entries = parser.entries
        self.base = base
        self.debug = Self.debugOverrides(debug)
    }

    private static func debugOverrides(_ element: XMLElement?) -> DebugOverrides {
        guard let element else { return .missing }
        var parser = NetworkSecurityParser()
        do {
            return .read(try parser.single(element, .debug))
        } catch {
            return .refused(error)
        }
    }
}

extension NetworkSecurityConfig.Fault {
    init(_ words: String, _ element: XMLElement, isPin: Bool = false) {
        self.init(words: words, isPin: isPin, mark: element.mark)
    }

    /// The `config_error` that the app comes to when it first connects.
    ///
    /// - Parameter place: The file's name, or what stands for it.
    func verdict(in place: String) -> Verdict {
        Verdict(
            .configError, code: isPin ? "malformed_pin" : "malformed_config",
            reason:
                "Android refuses \(place), line \(mark.line), column \(mark.column): \(words); the app crashes when "
                + "the configuration is first used")
    }
}
