extension String {
    /// Lines without their ends; a carriage return before the line feed belongs to the end.
    var lines: [Substring] { split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }

    /// Without white space at its ends.
    var trimmed: String {
        var body = drop(while: \.isWhitespace)
        while let last = body.last, last.isWhitespace { body.removeLast() }
        return String(body)
    }
}
