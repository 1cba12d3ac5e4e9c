/// `Content-Type` (RFC 9110 section 8.3) of what is written here.
enum MediaType {
    /// That a body is JSON in UTF-8. A form that a foreign page sends unasked cannot be, so this guards as well.
    ///
    /// - Throws: A ``Problem`` 415 that says what to send.
    static func check(_ request: Request, method: Method) throws(Problem) {
        guard method.isWrite, hasBody(request) else { return }
        let accepted = ["application/json"] + (method == .patch ? ["application/merge-patch+json"] : [])
        let values = request.values(of: "content-type")
        guard values.count == 1, let value = values.first, isJSON(value, accepted) else {
            throw Problem(415, "Send a body as Content-Type: \(accepted.joined(separator: " or ")), in UTF-8.")
        }
    }

    private static func hasBody(_ request: Request) -> Bool {
        !request.body.isEmpty || !request.values(of: "transfer-encoding").isEmpty
            || request.values(of: "content-length").contains { $0 != "0" }
    }

    private static func isJSON(_ value: String, _ accepted: [String]) -> Bool {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
        }
        guard let type = parts.first, accepted.contains(type) else { return false }
        return parts.dropFirst().allSatisfy { $0.isEmpty || $0 == "charset=utf-8" || !$0.hasPrefix("charset=") }
    }
}
