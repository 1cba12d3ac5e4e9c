/// The XML that an Android policy gives as `xml:` or `file:`, and what the platform makes of it.
struct NetworkSecurityFile: Sendable {
    enum Content: Sendable {
        case config(NetworkSecurityConfig)
        case refused(Verdict)
    }

    let content: Content
    /// The document, whether or not the platform takes it; `nil` where it is no XML.
    let root: XMLElement?
    /// What was read beside the pin file's own text; `nil` for `xml:`.
    let text: PolicyText?

    /// - Parameters:
    ///   - place: What messages call it.
    ///   - path: The file that it was read from.
    init(_ text: String, place: String, path: String? = nil, resources: PolicyResources) {
        self.text = path.map { PolicyText(path: $0, text: text) }
        let root: XMLElement
        do {
            root = try resources.readXML(text)
        } catch {
            self.root = nil
            content = .refused(
                Verdict(
                    .configError, code: "malformed_xml",
                    reason: "\(place) is no XML that Android can read: \(error.description)"))
            return
        }
        self.root = root
        content = Self.content(root, place)
    }

    /// Reads one of the two keys, reporting both, neither, a file that is not to be had, and one that would grow: each
    /// domain has the pins of its element, so a short text can mean very many.
    init?(from policy: NodeMapping, reader: inout NodeReader) {
        self.init(reading: policy, &reader)
        guard let count = config?.pairs, count > Self.pairLimit else { return }
        reader.report(
            policy.mark, "the file pins \(Self.pairLimit) pairs of a domain and a pin at most; this one has \(count)")
        return nil
    }

    /// The most pairs of a domain and a pin.
    static let pairLimit = 20_000

    private init?(reading policy: NodeMapping, _ reader: inout NodeReader) {
        switch (policy["xml"], policy["file"]) {
        case (let xml?, nil):
            guard let text = reader.string(xml, "xml") else { return nil }
            self.init(text, place: "the XML of the policy", resources: reader.resources)
        case (nil, let file?):
            guard let path = reader.string(file, "file"), let text = Self.load(path, file.mark, &reader) else {
                return nil
            }
            self.init(text, place: path, path: path, resources: reader.resources)
        case (nil, nil):
            reader.report(policy.mark, "policy needs the key \"xml\" or \"file\"")
            return nil
        case (.some, let file?):
            reader.report(file.mark, "policy takes \"xml\" or \"file\", not both")
            return nil
        }
    }

    private static func load(_ path: String, _ mark: Mark, _ reader: inout NodeReader) -> String? {
        let bytes: [UInt8]
        do {
            bytes = try reader.resources.loadFile(path)
        } catch {
            reader.report(mark, "file \(path): \(error.description)")
            return nil
        }
        if bytes.starts(with: [3, 0, 8, 0]) {
            reader.report(mark, "file \(path) is binary XML from an APK; name the source file, or decode it first")
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            reader.report(mark, "file \(path) is no UTF-8 text")
            return nil
        }
        return text
    }

    private static func content(_ root: XMLElement, _ place: String) -> Content {
        do {
            return .config(try NetworkSecurityConfig(root))
        } catch {
            return .refused(error.verdict(in: place))
        }
    }

    /// Why the platform cannot load it in any build.
    var refusal: Verdict? {
        switch content {
        case .config: nil
        case .refused(let verdict): verdict
        }
    }

    var config: NetworkSecurityConfig? {
        switch content {
        case .config(let config): config
        case .refused: nil
        }
    }
}
