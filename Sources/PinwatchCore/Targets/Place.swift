extension IPAddress {
    /// With a port as people and protocols write it: `192.0.2.1:443`, `[2001:db8::1]:443`.
    package func place(port: UInt16) -> String { isIPv6 ? "[\(self)]:\(port)" : "\(self):\(port)" }
}

extension TargetHost {
    /// With a port as people and protocols write it.
    package func place(port: UInt16) -> String {
        switch self {
        case .name(let name): "\(name.ascii):\(port)"
        case .address(let address): address.place(port: port)
        }
    }
}
