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

    package init(method: String = "GET", target: String, headers: [Header] = []) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// The values of every header of this name (lower case), in the order sent.
    package func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }
}
