/// A flag as an app's property list or dictionary may hold it: clients differ in what they make of a number or a text.
enum PropertyFlag: Hashable {
    case boolean(Bool)
    /// Any other single value, as written.
    case other(String)

    /// What `boolValue` of NSNumber and NSString makes of it: numbers but 0, and texts that begin with Y, T or a digit from
    /// 1 to 9, blanks, a sign and zeros before it apart.
    var boolValue: Bool {
        switch self {
        case .boolean(let flag): return flag
        case .other(let text):
            var rest = text.drop { $0.isWhitespace }
            if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
            rest = rest.drop { $0 == "0" }
            return rest.first.map { "YyTt123456789".contains($0) } ?? false
        }
    }

    /// Whether it is the boolean true and nothing that merely counts as such.
    var isTrue: Bool { self == .boolean(true) }
}

extension NodeReader {
    /// Any single value; only `true` and `false` without quotes are booleans.
    mutating func propertyFlag(_ node: Node, _ what: String) -> PropertyFlag? {
        switch node.value {
        case .scalar("true", plain: true): return .boolean(true)
        case .scalar("false", plain: true): return .boolean(false)
        case .scalar(let text, _) where !text.isEmpty: return .other(text)
        case .scalar, .sequence, .mapping:
            report(node.mark, "\(what) must be true or false, not \(node.shown)")
            return nil
        }
    }
}
