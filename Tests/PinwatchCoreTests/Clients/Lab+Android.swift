@testable import PinwatchCore

/// Certificates with names, and presentations whose validity follows from their paths.
extension Lab {
    /// Subject and key `number`; self-signed where it is its own issuer.
    static func issued(_ number: UInt8, by issuer: UInt8, ends: Int64 = 1_000) -> CertificateSummary {
        var certificate = certificate(number, ends: ends)
        certificate.subjectDER = [number]
        certificate.issuerDER = [issuer]
        certificate.selfSigned = number == issuer
        return certificate
    }

    static let leaf = issued(1, by: 2)
    static let intermediate = issued(2, by: 3)
    static let root = issued(3, by: 3)
    static let path = Path(certificates: [leaf, intermediate], anchor: root)

    /// `[L, I]` as sent, with the path to `R`, unless told otherwise.
    static func served(
        host: String = "api.example.com", sent: [CertificateSummary] = [leaf, intermediate], paths: [Path] = [path],
        hostMatches: Bool = true, now: Instant = now, release: ReleaseFacts = ReleaseFacts()
    ) -> Presentation {
        let assessment = ChainAssessment(
            chain: ChainID(digest: digest(0, 0)), trustStore: "system", certificates: sent, paths: paths,
            code: paths.isEmpty ? .missingIssuer : .ok, reason: paths.isEmpty ? "no issuer" : "fine", stray: [],
            missingIssuer: nil)
        let dated = assessment.verification(at: now, for: .dns(HostName(checked: "x.test")))
        let verification = Verification(
            trustStore: "system", valid: dated.valid, code: dated.code, reason: dated.reason, hostMatches: hostMatches,
            paths: dated.paths, stray: [], missingIssuer: nil)
        return Presentation(
            host: host, assessment: assessment, verification: verification, now: now, release: release)
    }

    static func release(
        client: String? = nil, _ system: Platform.System? = nil, _ version: String? = nil, variant: Variant = .release
    ) -> ReleaseFacts {
        ReleaseFacts(
            clientVersion: client.flatMap { VersionNumber($0) },
            platform: system.map { Platform(system: $0, version: version.flatMap { VersionNumber($0) }) },
            variant: variant)
    }

    static func base64(_ number: UInt8) -> String { digest(2, number).base64 }

    /// Files by name, a little XML, and names that only lose their umlauts.
    static func resources(files: [String: String] = [:]) -> PolicyResources {
        PolicyResources(
            loadFile: { (path: String) throws(HostProblem) -> [UInt8] in
                guard let text = files[path] else { throw HostProblem("there is no such file") }
                return Array(text.utf8)
            },
            readPinFile: { (bytes: [UInt8]) throws(HostProblem) -> PinFile in
                switch String(decoding: bytes, as: UTF8.self) {
                case "key 1": return .publicKey(spki: digest(2, 1))
                case "key 9": return .publicKey(spki: digest(2, 9))
                case "certificate 1": return .certificate(leaf, isDER: true)
                default: throw HostProblem("it holds neither a certificate nor a key")
                }
            },
            readXML: { (text: String) throws(HostProblem) -> XMLElement in try LabXML.root(of: text) },
            publicSuffixes: NoNames(), idna: NoNames())
    }

    /// Reads a policy, with every problem's message.
    static func read<Policy: PinPolicy>(
        _ type: Policy.Type, _ node: Node, files: [String: String] = [:]
    ) -> (policy: Policy?, problems: [String]) {
        var reader = NodeReader(file: "p.yaml", resources: resources(files: files))
        let policy = Policy(from: node, reader: &reader)
        return (policy, reader.problems.map(\.message))
    }

    private struct NoNames: IDNA, PublicSuffixes {
        func suffixLength(of host: String) -> Int? { nil }
        func unicode(_ name: HostName) -> String { name.ascii }
        func ascii(_ name: String) throws(HostProblem) -> String {
            guard !name.contains("\u{FF}") else { throw HostProblem("no name") }
            return name.lowercased().replacing("ü", with: "u")
        }
    }
}

extension Node {
    static func text(_ text: String) -> Node {
        Node(value: .scalar(text, plain: false), mark: Mark(line: 1, column: 1))
    }
    static func plain(_ text: String) -> Node {
        Node(value: .scalar(text, plain: true), mark: Mark(line: 1, column: 1))
    }
    static func list(_ items: [Node]) -> Node { Node(value: .sequence(items), mark: Mark(line: 1, column: 1)) }
    static func map(_ members: KeyValuePairs<String, Node>) -> Node {
        let mark = Mark(line: 1, column: 1)
        return Node(value: .mapping(members.map { Member(key: $0, keyMark: mark, value: $1) }), mark: mark)
    }
}

/// As much XML as policies' tests write: elements, attributes in double quotes, text, comments.
enum LabXML {
    static func root(of text: String) throws(HostProblem) -> XMLElement {
        var scanner = Scanner(rest: text[...])
        guard let root = try scanner.element() else { throw HostProblem("line 1, column 1: no element found") }
        return root
    }

    private struct Scanner {
        var rest: Substring
        var line = 1

        mutating func take(_ count: Int) {
            line += rest.prefix(count).count { $0 == "\n" }
            rest = rest.dropFirst(count)
        }

        mutating func skipBlanks() { take(rest.prefix { $0.isWhitespace }.count) }

        mutating func take(until mark: String) throws(HostProblem) -> Substring {
            guard let range = rest.firstRange(of: mark) else {
                throw HostProblem("line \(line), column 1: unclosed token")
            }
            let found = rest[..<range.lowerBound]
            take(found.count + mark.count)
            return found
        }

        mutating func element() throws(HostProblem) -> XMLElement? {
            skipBlanks()
            guard rest.hasPrefix("<"), !rest.hasPrefix("</") else { return nil }
            let mark = Mark(line: line, column: 1)
            take(1)
            let name = rest.prefix { $0.isLetter || $0 == "-" || $0 == ":" }
            take(name.count)
            var attributes: [XMLElement.Attribute] = []
            skipBlanks()
            while !rest.hasPrefix(">"), !rest.hasPrefix("/>") {
                let key = try take(until: "=\"")
                attributes.append(XMLElement.Attribute(name: String(key), value: String(try take(until: "\""))))
                skipBlanks()
            }
            if rest.hasPrefix("/>") {
                take(2)
                return XMLElement(name: String(name), attributes: attributes, content: [], mark: mark)
            }
            take(1)
            let content = try content()
            guard try take(until: ">") == "</\(name)" else {
                throw HostProblem("line \(line), column 1: mismatched tag")
            }
            return XMLElement(name: String(name), attributes: attributes, content: content, mark: mark)
        }

        mutating func content() throws(HostProblem) -> [XMLElement.Content] {
            var content: [XMLElement.Content] = []
            while !rest.hasPrefix("</") {
                guard !rest.isEmpty else { throw HostProblem("line \(line), column 1: no element found") }
                if rest.hasPrefix("<!--") {
                    _ = try take(until: "-->")
                } else if rest.hasPrefix("<") {
                    if let element = try element() { content.append(.element(element)) }
                } else {
                    let text = rest.prefix { $0 != "<" }
                    take(text.count)
                    content.append(.text(String(text)))
                }
            }
            return content
        }
    }
}
