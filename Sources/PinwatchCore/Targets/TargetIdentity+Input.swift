extension TargetIdentity {
    /// The identity of a host as written, with what is usual where nothing was said: port 443 or that of the protocol
    /// which switches to TLS, and the name itself as the server name; an address sends none (RFC 6066 section 3).
    ///
    /// - Parameters:
    ///   - port: A port given apart from the host; the host's own goes first.
    ///   - sni: A server name in place of the host's.
    ///   - startTLS: What is spoken before TLS; the input's own goes first.
    package init(_ input: HostInput, port: UInt16? = nil, sni: HostName? = nil, startTLS: StartTLS? = nil) {
        let own: HostName? =
            switch input.host {
            case .name(let name): name
            case .address: nil
            }
        let startTLS = input.startTLS ?? startTLS
        self.init(
            host: input.host, port: input.port ?? port ?? startTLS?.port ?? 443, sni: sni ?? own, startTLS: startTLS)
    }
}
