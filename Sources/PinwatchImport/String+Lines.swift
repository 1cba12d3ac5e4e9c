internal import PinwatchTLS

extension String {
    /// Lines without their ends; a carriage return before the line feed belongs to the end.
    var lines: [Substring] {
        utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            Substring(line.last == 0x0D ? line.dropLast() : line)
        }
    }

    /// Whether a word's bytes stand anywhere in it, whatever letters they are parts of.
    func holds(_ word: String) -> Bool { Array(utf8).holds(word) }

    /// Without white space at its ends.
    var trimmed: String {
        var body = drop(while: \.isWhitespace)
        while let last = body.last, last.isWhitespace { body.removeLast() }
        return String(body)
    }
}
