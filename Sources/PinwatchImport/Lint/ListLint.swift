internal import PinwatchCore

/// What property lists and XML files say beside their pins: App Transport Security, keys that nobody reads, and where
/// reports go.
enum ListLint {
    static func problems(_ files: [LintedFile], pins: LintedPins) -> [LintProblem] {
        files.flatMap { file in
            let name = file.file.name
            switch file.content {
            case .plist(let list):
                return transportSecurity(list.root, name) + documentedKeys(list.root, name)
                    + reports(uris(in: list.root), name, pins)
            case .xml(let root):
                return reports(elements("report-uri", in: root).map { ($0.text, $0.mark) }, name, pins)
            case .source(let source): return reports(uris(in: source), name, pins)
            case .pins: return reports(headers(file.file), name, pins)
            }
        }
    }

    private static func transportSecurity(_ root: Node, _ file: String) -> [LintProblem] {
        guard let security = root["NSAppTransportSecurity"] else { return [] }
        var problems: [LintProblem] = []
        if let flag = security["NSAllowsArbitraryLoads"], flag.flag == true {
            problems.append(
                LintProblem(
                    .arbitraryLoads, .warning, file: file, mark: flag.mark,
                    message:
                        "NSAllowsArbitraryLoads turns App Transport Security off: cleartext and weak TLS are "
                        + "allowed for "
                        + "every host, and plain HTTP knows no pins.",
                    advice: "Take it out, and write exceptions for the hosts that need them."))
        }
        for host in security["NSExceptionDomains"]?.members ?? [] {
            guard let flag = host.value["NSExceptionAllowsInsecureHTTPLoads"], flag.flag == true else { continue }
            problems.append(
                LintProblem(
                    .cleartext, .warning, host: host.key, file: file, mark: flag.mark,
                    message: "\(host.key) may be reached by plain HTTP, which knows no pins.",
                    advice: "Take NSExceptionAllowsInsecureHTTPLoads out."))
        }
        return problems
    }

    private static func documentedKeys(_ root: Node, _ file: String) -> [LintProblem] {
        let domains = (root["TSKConfiguration"]?["TSKPinnedDomains"] ?? root["TSKPinnedDomains"])?.members ?? []
        return domains.flatMap { domain in
            domain.value.members.filter { $0.key == TrustKitConfiguration.documentedExcludeKey }.map { key in
                LintProblem(
                    .unknownName, .error, host: domain.key, file: file, mark: key.keyMark,
                    message:
                        "TrustKit's documentation has the key \(key.key), and its code does not: the entry counts "
                        + "as one "
                        + "without pins, and the app ends as it starts.",
                    advice: "Write \(TrustKitConfiguration.excludeKey), as the library spells it.")
            }
        }
    }

    private static func reports(
        _ uris: [(text: String, mark: Mark)], _ file: String, _ pins: LintedPins
    ) -> [LintProblem] {
        uris.prefix(LintedSource.limit).compactMap { uri in
            guard let host = host(of: uri.text), pins.pin(host, in: file) else { return nil }
            return LintProblem(
                .reportHostPinned, .warning, host: host, file: file, mark: uri.mark,
                message: "Reports go to \(host), which the same pins cover: when they break, the report of it is lost.",
                advice: "Receive reports at a host that is not pinned.")
        }
    }

    private static func uris(in node: Node) -> [(text: String, mark: Mark)] {
        node.members.flatMap { member in
            member.key == "TSKReportUris"
                ? member.value.items.compactMap { item in item.scalar.map { ($0, item.mark) } } : uris(in: member.value)
        } + node.items.flatMap { uris(in: $0) }
    }

    /// The literals of the list after `kTSKReportUris`.
    private static func uris(in source: LintedSource) -> [(text: String, mark: Mark)] {
        source.places(of: ["kTSKReportUris"]).flatMap { place -> [(text: String, mark: Mark)] in
            guard let open = (place..<place + 5).first(where: { source.isSign("[", $0) }),
                let end = source.end(of: open)
            else { return [] }
            return source.tokens[open..<end].compactMap { token in
                if case .text(let text) = token.kind { (text, token.mark) } else { nil }
            }
        }
    }

    private static func elements(_ name: String, in element: XMLElement) -> [XMLElement] {
        (element.name == name ? [element] : []) + element.elements.flatMap { elements(name, in: $0) }
    }

    private static func headers(_ file: HandedFile) -> [(text: String, mark: Mark)] {
        guard let text = String(validating: file.bytes, as: UTF8.self), HPKPHeader.recognises(text) else { return [] }
        return text.lines.enumerated().compactMap { index, line in
            guard let range = line.firstRange(of: "report-uri=\"") else { return nil }
            return (
                String(line[range.upperBound...].prefix { $0 != "\"" }), Mark(line: index + 1, column: 1)
            )
        }
    }

    private static func host(of uri: String) -> String? {
        let text = uri.trimmed
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last?.prefix { $0 != ":" }
        return host.map { String($0).lowercased() }
    }
}
