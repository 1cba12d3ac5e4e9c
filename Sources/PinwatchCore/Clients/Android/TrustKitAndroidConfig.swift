/// What TrustKit for Android reads from the platform's file (pin-semantics 2.3), which is less and stricter than what the
/// platform does: of each `domain-config` the last domain alone, pins as text, and its own `trustkit-config`.
struct TrustKitAndroidConfig: Sendable {
    struct Entry: Sendable {
        let hostname: String
        let includesSubdomains: Bool
        /// As written, blanks at both ends gone.
        let pins: [String]
        let expires: AndroidDate?
        let enforcesPinning: Bool
        let mark: Mark
    }

    let entries: [Entry]
    /// The one setting that stands for every certificate of `debug-overrides`; only debuggable apps obey it.
    let overridesPins: Bool

    /// - Throws: The words of the exception that initialising the library ends in, with its place.
    init(_ root: XMLElement) throws(NetworkSecurityConfig.Fault) {
        var reader = TrustKitAndroidReader()
        try reader.readDocument(root)
        var entries: [Entry] = []
        for draft in reader.drafts { entries.append(try reader.built(draft)) }
        guard !entries.isEmpty else { throw .init("Policy contains 0 domains to pin", root) }
        var seen: Set<String> = []
        for entry in entries where !seen.insert(entry.hostname).inserted {
            throw .init(
                words: "Policy contains the same domain defined twice: \(entry.hostname)", isPin: false,
                mark: entry.mark)
        }
        self.entries = entries
        overridesPins = reader.overridesPins
    }

    /// The exact entry, else the longest one that includes sub-domains; case counts.
    func match(_ host: String) -> Entry? {
        if let exact = entries.first(where: { $0.hostname == host }) { return exact }
        return entries.filter { $0.includesSubdomains && host.hasSuffix("." + $0.hostname) }
            .max { $0.hostname.utf8.count < $1.hostname.utf8.count }
    }

    /// Whether the library's validator takes a name; the list of top-level domains that it holds is not looked at.
    static func isValid(_ host: String) -> Bool {
        let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, host.utf8.count <= 254, let last = labels.last, last.first?.isLetter == true else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { AndroidBase64.sixBits($0).map { $0 < 62 } ?? ($0 == UInt8(ascii: "-")) }
        }
    }
}

/// Walks the document as the library's loop over parser events does.
private struct TrustKitAndroidReader {
    typealias Fault = NetworkSecurityConfig.Fault

    struct Draft {
        let parent: Int?
        var hostname: String?
        var includesSubdomains: Bool?
        var pins: [String]?
        var expires: AndroidDate?
        var enforcesPinning: Bool?
        let element: XMLElement
    }

    private(set) var drafts: [Draft] = []
    private(set) var overridesPins = false

    mutating func readDocument(_ element: XMLElement) throws(Fault) {
        for child in element.elements {
            switch child.name {
            case "domain-config": try read(domainConfig: child, parent: nil)
            case "debug-overrides": readOverrides(child)
            default: try readDocument(child)
            }
        }
    }

    private mutating func read(domainConfig element: XMLElement, parent: Int?) throws(Fault) {
        let place = drafts.count
        drafts.append(Draft(parent: parent, element: element))
        try read(within: element, place)
    }

    private mutating func read(within element: XMLElement, _ place: Int) throws(Fault) {
        for child in element.elements {
            switch child.name {
            case "domain-config": try read(domainConfig: child, parent: place)
            case "domain":
                drafts[place].hostname = AndroidXML.trimmed(child.text)
                drafts[place].includesSubdomains = child.javaFlag("includeSubdomains")
            case "pin-set": try read(pinSet: child, place)
            case "trustkit-config":
                drafts[place].enforcesPinning = child.javaFlag("enforcePinning")
            default: try read(within: child, place)
            }
        }
    }

    private mutating func read(pinSet element: XMLElement, _ place: Int) throws(Fault) {
        drafts[place].expires = nil
        if let text = element[attribute: "expiration"] {
            guard let date = AndroidDate(text) else { throw Fault("Invalid expiration date in pin-set", element) }
            drafts[place].expires = date
        }
        var pins: [String] = []
        var seen: Set<String> = []
        for child in element.elements where child.name == "pin" {
            guard child[attribute: "digest"] == "SHA-256" else {
                throw Fault("Unexpected digest value: \(child[attribute: "digest"] ?? "null")", child, isPin: true)
            }
            let text = AndroidXML.trimmed(child.text)
            if seen.insert(text).inserted { pins.append(text) }
        }
        drafts[place].pins = pins
    }

    private mutating func readOverrides(_ element: XMLElement) {
        let flags = element.elements.flatMap(\.elements).filter { $0.name == "certificates" }
            .map { $0.javaFlag("overridePins") ?? false }
        overridesPins = !flags.isEmpty && flags.allSatisfy { $0 }
    }

    func built(_ draft: Draft) throws(Fault) -> TrustKitAndroidConfig.Entry {
        let element = draft.element
        guard let hostname = draft.hostname, TrustKitAndroidConfig.isValid(hostname) else {
            throw Fault("Tried to pin an invalid domain: \(draft.hostname ?? "null")", element)
        }
        let enforces = inherited(draft, \.enforcesPinning) ?? false
        let pins = inherited(draft, \.pins) ?? []
        if enforces, pins.isEmpty {
            throw Fault("An empty pin-set was supplied for domain \(hostname) with enforcePinning", element)
        }
        if enforces, pins.count < 2 {
            throw Fault("Less than two pins were supplied for domain \(hostname)", element, isPin: true)
        }
        if let bad = pins.first(where: { AndroidBase64.decode($0)?.count != 32 }) {
            throw Fault("Invalid pin: \(bad) is not the base64 of 32 bytes", element, isPin: true)
        }
        return TrustKitAndroidConfig.Entry(
            hostname: hostname, includesSubdomains: inherited(draft, \.includesSubdomains) ?? false, pins: pins,
            expires: inherited(draft, \.expires), enforcesPinning: enforces, mark: element.mark)
    }

    private func inherited<Value>(_ draft: Draft, _ value: (Draft) -> Value?) -> Value? {
        var next: Draft? = draft
        while let current = next {
            if let found = value(current) { return found }
            next = current.parent.map { drafts[$0] }
        }
        return nil
    }
}
