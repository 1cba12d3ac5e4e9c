/// `Accept` (RFC 9110 section 12.5.1), as far as one offered type needs it.
enum Accept {
    /// - Throws: A ``Problem`` 406 if the request's `Accept` rules the offered type out.
    static func check(_ request: Request, offers type: String) throws(Problem) {
        let ranges = request.values(of: "accept").flatMap { $0.split(separator: ",") }.compactMap(Range.init)
        guard !ranges.isEmpty else { return }
        let major = String(type.prefix { $0 != "/" }) + "/*"
        for name in [type, major, "*/*"] {
            guard let range = ranges.first(where: { $0.name == name }) else { continue }
            if range.isWanted { return }
            break
        }
        throw Problem(406, "This is given as \(type) only, which the request's Accept header rules out.")
    }

    private struct Range {
        let name: String
        /// Whether its weight is above zero.
        let isWanted: Bool

        init?(_ text: Substring) {
            let parts = text.split(separator: ";").map { Self.trimmed($0).lowercased() }
            guard let name = parts.first, name.contains("/") else { return nil }
            self.name = name
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            isWanted = weight.map { $0.contains { ("1"..."9").contains($0) } } ?? true
        }

        private static func trimmed(_ text: Substring) -> Substring {
            var text = text
            while text.first == " " || text.first == "\t" { text.removeFirst() }
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return text
        }
    }
}
