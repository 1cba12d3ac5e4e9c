internal import PinwatchCore

/// Strong entity tags over bodies, and `If-None-Match` (RFC 9110 sections 8.8.3 and 13.1.2).
enum EntityTag {
    /// Half of the SHA-256 of a body, quoted: enough to tell bodies apart, and nobody gains by a collision.
    static func of(_ body: [UInt8], sha256: ([UInt8]) -> SHA256Digest) -> String {
        "\"" + sha256(body).hex.prefix(32) + "\""
    }

    /// Tags what was read by its body, and turns it into a 304 where the request has that already. An editable thing's
    /// tag begins with its revision, and is given with every answer that shows the thing, so that a change can be made
    /// on top of a change.
    static func apply(to response: Response, _ request: Request, sha256: ([UInt8]) -> SHA256Digest) -> Response {
        let isRead = request.method == "GET" || request.method == "HEAD"
        guard isRead ? response.status == 200 : response.revision != nil else { return response }
        let hash = of(response.body, sha256: sha256)
        let tag = response.revision.map { "\"\($0)." + hash.dropFirst() } ?? hash
        return isRead ? apply(to: response, request, tag: tag) : response.adding([.init("ETag", tag)])
    }

    static func apply(to response: Response, _ request: Request, tag: String) -> Response {
        var response = response.adding([.init("ETag", tag)])
        guard matches(request, tag) else { return response }
        response.status = 304
        response.headers.removeAll { ["Content-Type", "Content-Encoding"].contains($0.name) }
        response.body = []
        return response
    }

    /// By the weak comparison, which `If-None-Match` asks for: caches weaken tags on their way.
    private static func matches(_ request: Request, _ tag: String) -> Bool {
        request.values(of: "if-none-match").flatMap { $0.split(separator: ",") }.contains { part in
            let text = part.filter { $0 != " " && $0 != "\t" }
            return text == "*" || text == tag || text == "W/" + tag
        }
    }
}
