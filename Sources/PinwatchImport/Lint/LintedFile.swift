internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchTLS

/// A file as lint sees it: what importing makes of it, if anything, or source.
struct LintedFile {
    enum Content {
        case plist(PropertyList)
        case xml(XMLElement)
        case source(LintedSource)
        /// Keys, lists and lines that hold nothing but pins.
        case pins
    }

    let file: HandedFile
    let content: Content
    /// Whether ``Importer`` reads pins from it.
    let isImportable: Bool

    /// - Throws: Why it can be read as neither.
    init(_ file: HandedFile) throws(ImportProblems) {
        self.file = file
        let recognised: Recognised
        do {
            recognised = try Recognition.recognise(file)
        } catch {
            guard let content = try Self.unpinned(file) else { throw error }
            (self.content, isImportable) = (content, false)
            return
        }
        isImportable = true
        switch recognised {
        case .keys, .wultra, .native: content = .pins
        case .plist(let list): content = .plist(list)
        case .networkSecurity(_, let root): content = .xml(root)
        case .text(let text, let formats):
            let isSource = formats.contains { [.trustKitSource, .okHttpSource, .alamofireSource].contains($0) }
            content = isSource ? .source(LintedSource(text, file: file.name)) : .pins
        }
    }

    /// What a file without pins is; `nil` for what is no file of an app's.
    private static func unpinned(_ file: HandedFile) throws(ImportProblems) -> Content? {
        let bytes = file.bytes
        guard !bytes.isEmpty, bytes.count <= PinFileDecoder.sizeLimit else { return nil }
        do { try KeyMaterialReader.refusePrivateKey(bytes) } catch { return nil }
        if bytes.starts(with: Array("bplist00".utf8)) { return .plist(try .binary(bytes, file: file.name)) }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        if text.first(where: { !$0.isWhitespace }) == "<" {
            guard let root = try? XMLReader.root(of: text) else { return nil }
            return root.name == "plist" ? .plist(try .xml(root, file: file.name)) : .xml(root)
        }
        let source = LintedSource(text, file: file.name)
        return source.looksLikeSource ? .source(source) : nil
    }
}
