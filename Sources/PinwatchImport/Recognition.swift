internal import PinwatchConfig
internal import PinwatchCore
internal import PinwatchTLS

/// What a file turned out to be, read as far as telling it took.
enum Recognised {
    case keys([FoundKey])
    case plist(PropertyList)
    case networkSecurity(String, XMLElement)
    case wultra(Node)
    case native(Node)
    /// Source and lines: one or several formats in one text.
    case text(String, [ImportFormat])
}

/// Tells formats apart by content, never by name.
enum Recognition {
    /// - Throws: Why the file is not read, private keys among the reasons.
    static func recognise(_ file: HandedFile) throws(ImportProblems) -> Recognised {
        let bytes = file.bytes
        func refused(_ why: String) -> ImportProblems { ImportProblems(file: file.name, why) }
        guard bytes.count <= PinFileDecoder.sizeLimit else {
            throw refused("it is larger than \(PinFileDecoder.sizeLimit >> 20) MiB, the most that is read")
        }
        guard !bytes.isEmpty else { throw refused("it is empty") }
        do { try KeyMaterialReader.refusePrivateKey(bytes) } catch { throw refused(error.description) }
        if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) {
            throw refused(
                "this is Android's binary XML, as an APK holds it; hand over the source "
                    + "(res/xml/network_security_config.xml), or decode it with `apktool d`")
        }
        if bytes.starts(with: Array("bplist00".utf8)) {
            return .plist(try pinned(.binary(bytes, file: file.name), file))
        }
        if let keys = try keys(file) { return .keys(keys) }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: body, as: UTF8.self) else {
            throw refused("this is neither text in UTF-8 nor a certificate, key or binary property list")
        }
        let begin = text.first { !$0.isWhitespace }
        if begin == "<" { return try xml(text, file) }
        if isNative(text) { return .native(try node(body, file)) }
        if begin == "{", jsonKeys.contains(where: text.holds), let found = try json(try node(body, file), file) {
            return found
        }
        return try plain(text, file)
    }

    private static let jsonKeys = [
        "\"fingerprints\"", "\"NSAppTransportSecurity\"", "\"TSKConfiguration\"", "\"TSKPinnedDomains\"",
    ]

    /// Whether a key `pinwatch` stands at the beginning of a line, or first in a JSON object.
    static func isNative(_ text: String) -> Bool {
        text.lines.contains { line in
            let body = line.drop { $0 == "{" || $0 == " " || $0 == "\"" || $0 == "'" }
            guard body.hasPrefix("pinwatch"), line.first != " " || text.first == "{" else { return false }
            return body.dropFirst(8).drop { $0 == "\"" || $0 == "'" || $0 == " " }.first == ":"
        }
    }

    private static func node(_ text: [UInt8], _ file: HandedFile) throws(ImportProblems) -> Node {
        do { return try PinFileDecoder.node(text, file: file.name) } catch { throw ImportProblems(error.list) }
    }

    /// Certificates and keys, PEM or DER. PEM within source is a literal of that source.
    private static func keys(_ file: HandedFile) throws(ImportProblems) -> [FoundKey]? {
        do {
            let isArmoured = file.bytes.holds("-----BEGIN ")
            guard isArmoured || file.bytes.first == 0x30 else { return nil }
            if isArmoured, !sources(String(decoding: file.bytes, as: UTF8.self)).isEmpty { return nil }
            let found = try KeyMaterialReader.read(file.bytes)
            return found.isEmpty ? nil : found.map { FoundKey(file: file.name, material: $0) }
        } catch {
            throw ImportProblems(file: file.name, error.description)
        }
    }

    private static func pinned(_ list: PropertyList, _ file: HandedFile) throws(ImportProblems) -> PropertyList {
        guard InfoPlist.holdsPins(list.root) else {
            throw ImportProblems(
                file: file.name,
                "the property list pins nothing: it has neither NSPinnedDomains (under "
                    + "NSAppTransportSecurity) nor TSKConfiguration")
        }
        return list
    }

    private static func xml(_ text: String, _ file: HandedFile) throws(ImportProblems) -> Recognised {
        let root: XMLElement
        do { root = try XMLReader.root(of: text) } catch { throw ImportProblems(file: file.name, error.description) }
        switch root.name {
        case "plist": return .plist(try pinned(.xml(root, file: file.name), file))
        case NetworkSecurityConfig.root: return .networkSecurity(text, root)
        case let other:
            throw ImportProblems(
                file: file.name, mark: root.mark,
                "<\(other.prefix(60))> is neither a property list nor a "
                    + "network-security-config")
        }
    }

    private static func json(_ root: Node, _ file: HandedFile) throws(ImportProblems) -> Recognised? {
        if root["fingerprints"] != nil { return .wultra(root) }
        return InfoPlist.holdsPins(root) ? .plist(try .json(file.bytes, file: file.name)) : nil
    }

    private static func plain(_ text: String, _ file: HandedFile) throws(ImportProblems) -> Recognised {
        let found = sources(text)
        if !found.isEmpty { return .text(text, found) }
        if CommandLineText.recognises(text) { return .text(text, [.commandLine]) }
        if HPKPHeader.recognises(text) { return .text(text, [.hpkpHeader]) }
        if let later = later(text) {
            throw ImportProblems(file: file.name, "\(later) is known, but its pins are not read by this version yet")
        }
        if BarePins.recognises(text) { return .text(text, [.barePins]) }
        throw ImportProblems(
            file: file.name,
            "no pins are recognised in it; known are "
                + ImportFormat.allCases.map(\.words).joined(separator: ", "))
    }

    private static func sources(_ text: String) -> [ImportFormat] {
        (TrustKitSource.recognises(text) ? [.trustKitSource] : [])
            + (AlamofireSource.recognises(text) ? [.alamofireSource] : [])
            + (OkHttpSource.recognises(text) ? [.okHttpSource] : [])
    }

    /// Libraries of the contract whose files come later.
    private static func later(_ text: String) -> String? {
        let marks = [
            ("allowedSHAFingerprints", "http_certificate_pinning (Flutter)"), ("addPublicKeyPins", "Cronet"),
            ("publicKeyHashes", "react-native-ssl-public-key-pinning"), ("sslPinning", "react-native-ssl-pinning"),
            ("setTrustedCertificatesBytes", "Dart's SecurityContext"),
        ]
        return marks.first { text.holds($0.0) }?.1
    }
}
