/// `Accept-Encoding` (RFC 9110 section 12.5.3), as far as gzip needs it.
enum AcceptEncoding {
    /// Whether a request would rather have gzip than the body as it is. Without the header nothing is coded.
    static func prefersGzip(_ request: Request) -> Bool {
        var weights: [String: Int] = [:]
        for item in request.values(of: "accept-encoding").flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { thousandths($0.dropFirst(2)) } ?? 1_000
            weights[name == "x-gzip" ? "gzip" : name] = weight
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? 0
    }

    /// A weight such as `0.5` or `1`, times a thousand; 0 for what is none.
    private static func thousandths(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...1).contains(whole), parts.count <= 2 else { return 0 }
        let digits = parts.count == 2 ? parts[1].prefix(3) : ""
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        let fraction = Int(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        return min(whole * 1_000 + fraction, 1_000)
    }
}
