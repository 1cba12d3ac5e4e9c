/// An HTTP proxy that connections to targets are made through (RFC 9110 section 9.3.6, CONNECT).
package struct EgressProxy: Sendable, Hashable {
    /// Targets that are connected to directly.
    package enum Exception: Sendable, Hashable, CustomStringConvertible {
        /// Every address within.
        case network(IPNetwork)
        /// This host alone.
        case host(HostName)
        /// Every name below this one, itself left out.
        case below(HostName)

        /// As the configuration writes it.
        package var description: String {
            switch self {
            case .network(let network): network.description
            case .host(let name): name.ascii
            case .below(let name): "." + name.ascii
            }
        }
    }

    package let host: TargetHost
    package let port: UInt16
    /// `user:password` for Basic authentication (RFC 7617), not yet encoded; `nil` sends none.
    package let credentials: Secret?
    package let exceptions: [Exception]

    package init(host: TargetHost, port: UInt16, credentials: Secret? = nil, exceptions: [Exception] = []) {
        self.host = host
        self.port = port
        self.credentials = credentials
        self.exceptions = exceptions
    }

    /// The proxy for people: `proxy.example:3128`, `[2001:db8::1]:3128`.
    package var place: String { host.place(port: port) }

    /// Whether an address of a host is reached through it.
    package func carries(_ host: TargetHost, at address: IPAddress) -> Bool {
        !exceptions.contains { exception in
            switch (exception, host) {
            case (.network(let network), _): network.contains(address)
            case (.host(let name), .name(let host)): host == name
            case (.below(let name), .name(let host)): host.ascii.hasSuffix("." + name.ascii)
            case (.host, .address), (.below, .address): false
            }
        }
    }
}
