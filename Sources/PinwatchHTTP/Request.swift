package import PinwatchCore

/// One HTTP request as it arrived, nothing decoded: strings are what the peer sent, bytes that are no UTF-8 replaced.
package struct Request: Sendable {
    package struct Header: Sendable, Hashable {
        /// Lower case.
        package let name: String
        package let value: String
        package init(_ name: String, _ value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    /// The method token; methods are case-sensitive (RFC 9110 section 9.1).
    package var method: String
    /// The request target as in the request line: path and query, or an absolute URL, or `*`.
    package var target: String
    /// In the order sent, repeated names included.
    package var headers: [Header]
    /// The whole body, decoded from its transfer coding; empty where there is none.
    package var body: [UInt8]
    /// Who is at the other end of the connection: a client, or a proxy in front of it.
    package var peer: IPAddress?
    /// Whether this service's own port spoke TLS.
    package var isSecure: Bool

    package init(
        method: String = "GET", target: String, headers: [Header] = [], body: [UInt8] = [], peer: IPAddress? = nil,
        isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
    }

    /// The values of every header of this name (lower case), in the order sent.
    package func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }
}
