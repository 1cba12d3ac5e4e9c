internal import PinwatchCore
internal import PinwatchNames

/// `--host NAME`: the host as the app asks for it.
enum HostOption {
    /// What certificates are compared with for a host that is named as the app spells it, case and trailing dot included.
    ///
    /// - Throws: ``UsageError`` for a scheme, a port or anything else beside the bare host: pins are looked up by the text
    ///   as it stands, so there would be none.
    static func reference(_ host: String) throws(UsageError) -> ReferenceIdentity {
        let parsed: TargetHost
        do {
            parsed = try HostInput.parse(host, idna: LibIDN2()).host
        } catch {
            throw UsageError("--host \"\(host)\": \(error.description)")
        }
        let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard bare.lowercased() == parsed.text else {
            throw UsageError("--host takes the bare host that the app asks for, \(parsed.text), not \"\(host)\"")
        }
        switch parsed {
        case .name(let name): return .dns(name)
        case .address(let address): return .ip(address)
        }
    }
}
