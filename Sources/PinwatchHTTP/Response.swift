package import PinwatchCore

/// One answer. All but streams are whole: they fit into memory and have a known length.
package struct Response: Sendable {
    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var status: Int
    package var headers: [Header]
    /// What a GET would carry. The daemon sends its length and no bytes of it for HEAD.
    package var body: [UInt8]
    /// Of the editable thing that the body shows; its entity tag begins with it, and `If-Match` is compared with it.
    package var revision: Int64?
    /// What the body comes from, piece by piece, in place of `body`.
    package var stream: (any ResponseStream)?

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, type: String, body: [UInt8]) {
        self.init(status: status, headers: [Header("Content-Type", type)], body: body)
    }

    /// `application/json`, which is UTF-8 by RFC 8259 section 8.1 and takes no charset.
    package init(status: Int = 200, json: JSON, revision: Int64? = nil) {
        self.init(status: status, type: "application/json", body: json.bytes)
        self.revision = revision
    }

    /// The first value of a header, whatever the case of its name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func adding(_ more: [Header]) -> Response {
        var copy = self
        copy.headers += more
        return copy
    }
}
