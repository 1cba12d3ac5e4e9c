internal import PinwatchCore

/// Android's file as a plan, with what of it is no plan's.
extension PinPlan {
    /// Pins that a domain-config inherits are its own here, as Android would have them; `false` for a policy whose file
    /// is not at hand.
    mutating func readNetworkSecurity(_ policy: Node) -> Bool {
        guard let xml = policy["xml"]?.scalar, let root = try? XMLReader.root(of: xml) else { return false }
        let reports = source == .trustKitAndroid && policy["via"]?.scalar != "platform"
        entries = root.elements.flatMap { Self.configured($0, Inherited(enforces: reports ? false : nil)) }
        for element in root.elements { noteAnchors(element) }
        return true
    }

    private struct Inherited {
        var pinSet: XMLElement?
        /// Whether TrustKit lets a refusal stand; `nil` where it is not asked.
        var enforces: Bool?
    }

    private static func configured(_ element: XMLElement, _ outer: Inherited) -> [Entry] {
        guard element.name == "domain-config" else { return [] }
        var here = outer
        if let set = element.elements.first(where: { $0.name == "pin-set" }) { here.pinSet = set }
        if here.enforces != nil,
            let flag = element.elements.last(where: { $0.name == "trustkit-config" })?[attribute: "enforcePinning"]
        {
            here.enforces = flag.lowercased() == "true"
        }
        let pins = (here.pinSet?.elements ?? []).filter { $0.name == "pin" }
            .map { $0.text.filter { !$0.isWhitespace } }
        let effect: Effect = pins.isEmpty ? .exempt : here.enforces == false ? .reported : .refused
        let own = element.elements.filter { $0.name == "domain" }.map { domain in
            Entry(
                host: domain.text.trimmed,
                scope: domain[attribute: "includeSubdomains"]?.lowercased() == "true" ? .withAllBelow : .exact,
                place: .anywhere, pins: pins, expires: here.pinSet?[attribute: "expiration"], effect: effect)
        }
        return own + element.elements.flatMap { configured($0, here) }
    }

    /// What is trusted, which no other format says beside pins.
    private mutating func noteAnchors(_ element: XMLElement) {
        if element.name == "debug-overrides" {
            note("debug-overrides, which a debuggable build obeys, are not written")
            return
        }
        guard element.name == "base-config" || element.name == "domain-config" else { return }
        for anchors in element.elements where anchors.name == "trust-anchors" {
            let place = element.elements.first { $0.name == "domain" }?.text.trimmed ?? "all hosts"
            note("the trust-anchors of \(place) are not written: here the system's own count")
            if anchors.elements.contains(where: { $0[attribute: "overridePins"]?.lowercased() == "true" }) {
                note("\(word) looks at no pins of \(place) where an anchor has overridePins; here they are compared")
            }
        }
        for child in element.elements { noteAnchors(child) }
    }
}
