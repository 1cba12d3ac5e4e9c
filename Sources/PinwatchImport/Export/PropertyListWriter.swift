internal import PinwatchCore

/// Writes values as an XML property list, comments first.
enum PropertyListWriter {
    static func text(_ root: Node, notes: [String]) -> String {
        let comments = notes.map { "<!-- \(XMLText.comment($0)) -->\n" }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            \(comments)<plist version="1.0">
            \(lines(root, indent: ""))</plist>

            """
    }

    private static func lines(_ node: Node, indent: String) -> String {
        switch node.value {
        case .scalar("true", plain: true): return indent + "<true/>\n"
        case .scalar("false", plain: true): return indent + "<false/>\n"
        case .scalar(let digits, plain: true) where Int64(digits) != nil:
            return indent + "<integer>\(digits)</integer>\n"
        case .scalar(let digits, plain: true) where Double(digits) != nil: return indent + "<real>\(digits)</real>\n"
        case .scalar(let text, _): return indent + "<string>\(XMLText.escaped(text))</string>\n"
        case .sequence(let items):
            let inner = items.map { lines($0, indent: indent + "  ") }.joined()
            return "\(indent)<array>\n\(inner)\(indent)</array>\n"
        case .mapping(let members):
            let inner = members.map { member in
                "\(indent)  <key>\(XMLText.escaped(member.key))</key>\n" + lines(member.value, indent: indent + "  ")
            }
            return "\(indent)<dict>\n\(inner.joined())\(indent)</dict>\n"
        }
    }
}

/// Text within XML.
enum XMLText {
    /// For content and for attribute values between double quotes. What XML 1.0 cannot carry becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: out += "&amp;"
            case 0x3C: out += "&lt;"
            case 0x3E: out += "&gt;"
            case 0x22: out += "&quot;"
            case 0x09, 0x0A, 0x0D: out += "&#\(scalar.value);"
            case 0..<0x20, 0xFFFE...0xFFFF: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Within a comment no two hyphens may stand side by side.
    static func comment(_ text: String) -> String {
        escaped(text.replacing("--", with: "- -")).replacing("&quot;", with: "\"").replacing("--", with: "- -")
    }
}
