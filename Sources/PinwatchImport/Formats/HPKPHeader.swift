internal import PinwatchCore

/// `Public-Key-Pins` and its report-only sister (RFC 7469 section 2.1).
enum HPKPHeader {
    static func recognises(_ text: String) -> Bool {
        text.lowercased().holds("public-key-pins") || text.holds("pin-sha256=") && text.holds("max-age")
    }

    static func read(_ text: String, file: String, context: ImportContext) -> Draft {
        var draft = Draft(.hpkpHeader, file: file)
        var entries: [Node] = []
        for (index, line) in text.lines.enumerated() {
            guard line.contains("pin-sha256") else { continue }
            entries.append(entry(line, mark: Mark(line: index + 1, column: 1), context: context, &draft))
        }
        if context.host == nil {
            draft.ask(
                "host", "Which host sends the header? Say so with --host.", key: "policy.hosts",
                at: entries.first?.mark, mustAnswer: true)
        }
        if entries.count > 1 {
            draft.remark(nil, "the header stands here \(entries.count) times; user agents take the first")
        }
        if entries.isEmpty { draft.remark(nil, "the header has no pin-sha256, so nothing is pinned") }
        let policy = Node.mapping([("hosts", .list(Array(entries.prefix(1)), .start))], .start)
        draft.layers = [NativeLayer(client: .hpkp, policy: policy)]
        return draft
    }

    private static func entry(
        _ line: Substring, mark: Mark, context: ImportContext, _ draft: inout Draft
    ) -> Node {
        let isReportOnly = line.lowercased().contains("public-key-pins-report-only")
        var (pins, age, includes) = ([Node](), Node?.none, false)
        for directive in directives(line) {
            let value = directive.value
            switch directive.name.lowercased() {
            case "pin-sha256": pins.append(.rawPin(value, mark))
            case "max-age":
                if Int(value) != nil {
                    age = .number(value, mark)
                } else {
                    draft.remark(mark, "max-age must be a number of seconds, not \"\(value.prefix(40))\"")
                }
            case "includesubdomains": includes = true
            case "report-uri": draft.remark(mark, "report-uri is left out: where reports go changes no verdict")
            case let other: draft.remark(mark, "the directive \"\(other.prefix(40))\" is none of HPKP's and left out")
            }
        }
        if age == nil, !isReportOnly { draft.remark(mark, "there is no max-age, without which the header is ignored") }
        return .mapping(
            [
                ("host", .text(context.host ?? "", mark)), ("pins", .list(pins, mark)),
                ("include_subdomains", includes ? .flag(true, mark) : nil), ("max_age", age),
                ("report_only", isReportOnly ? .flag(true, mark) : nil),
            ], mark)
    }

    /// `name` and `name=value` between semicolons; values may be quoted. Whatever stands before the header's name (a
    /// server's `add_header`) is passed over.
    private static func directives(_ line: Substring) -> [(name: String, value: String)] {
        var body = line
        if let name = line.lowercased().firstRange(of: "public-key-pins") {
            let skipped = line.lowercased().distance(from: line.lowercased().startIndex, to: name.upperBound)
            body = line.dropFirst(skipped)
            if body.lowercased().hasPrefix("-report-only") { body = body.dropFirst(12) }
        }
        // What follows a value behind a blank is the server's configuration, not the header's.
        let parts = body.split(separator: ";").map { part in
            part.drop { $0.isWhitespace || ":\"'\\".contains($0) }.prefix { !$0.isWhitespace }
                .filter { !"\"'\\".contains($0) }
        }
        return parts.compactMap { part in
            guard !part.isEmpty else { return nil }
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (pair[0], pair.count == 2 ? pair[1] : "")
        }
    }

    /// One header for each host.
    static func write(_ policy: Node, notes: [String]) -> String {
        let comments =
            notes + [
                "Browsers no longer honour this header. One pin at least must match no certificate of the chain (a backup)."
            ]
        let headers = (policy["hosts"]?.items ?? []).map { entry in
            let name = entry["report_only"]?.flag == true ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins"
            let pins = (entry["pins"]?.items ?? []).map { "pin-sha256=\"\(PinNotation.raw($0))\"" }
            let rest =
                [entry["max_age"]?.scalar.map { "max-age=\($0)" }].compactMap { $0 }
                + (entry["include_subdomains"]?.flag == true ? ["includeSubDomains"] : [])
            return "# \(SourceLiteral.comment(entry["host"]?.scalar ?? ""))\n\(name): "
                + (pins + rest).joined(separator: "; ") + "\n"
        }
        return comments.map { "# \(SourceLiteral.comment($0))\n" }.joined() + headers.joined()
    }
}
