internal import PinwatchCore

/// The notation of values in the languages that snippets are written in.
enum SourceLiteral {
    case swift, objectiveC, kotlin, java

    func literal(_ node: Node) -> String {
        switch node.value {
        case .scalar("true", plain: true): self == .objectiveC ? "@YES" : "true"
        case .scalar("false", plain: true): self == .objectiveC ? "@NO" : "false"
        case .scalar(let digits, plain: true): self == .objectiveC ? "@" + digits : digits
        case .scalar(let text, plain: false): quoted(text)
        case .sequence(let items): (self == .objectiveC ? "@[" : "[") + items.map(literal).joined(separator: ", ") + "]"
        case .mapping(let members): dictionary(members.map { (quoted($0.key), literal($0.value)) }, indent: 0)
        }
    }

    /// A string literal; what would begin an interpolation or an escape is escaped.
    func quoted(_ text: String) -> String {
        var out = self == .objectiveC ? "@\"" : "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: out += "\\" + String(scalar)
            case 0x24 where self == .kotlin: out += "\\$"
            case 0x0A: out += "\\n"
            case 0..<0x20, 0x7F: out += " "
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Over several lines, its closing bracket `indent` blanks in.
    func dictionary(_ pairs: [(String, String)], indent: Int) -> String {
        let (open, close) = self == .objectiveC ? ("@{", "}") : ("[", "]")
        guard !pairs.isEmpty else { return self == .objectiveC ? "@{}" : "[:]" }
        let blanks = String(repeating: " ", count: indent + 4)
        let colon = self == .objectiveC ? " : " : ": "
        let lines = pairs.map { blanks + $0.0 + colon + $0.1 }.joined(separator: ",\n")
        return open + "\n" + lines + "\n" + String(repeating: " ", count: indent) + close
    }

    func trustKitCall(_ configuration: String) -> String {
        switch self {
        case .objectiveC: "[TrustKit initSharedInstanceWithConfiguration:\(configuration)];\n"
        case .swift, .kotlin, .java: "TrustKit.initSharedInstance(withConfiguration: \(configuration))\n"
        }
    }

    /// One line of a comment.
    static func comment(_ text: String) -> String {
        text.map { $0.isNewline ? " " : String($0) }.joined()
    }
}
