extension StringProtocol {
    /// The text on one line, with every character that does not show, or that moves its neighbours, written as
    /// `\u{202E}`: controls, bidirectional formatting, joiners, line separators, private use.
    ///
    /// - Parameter limit: Characters kept; what is longer ends in `…`.
    package func visible(limit: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            guard count < limit else {
                result += "…"
                break
            }
            if scalar.isVisible {
                result.unicodeScalars.append(scalar)
                count += 1
            } else {
                let escape = "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                result += escape
                count += escape.count
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
