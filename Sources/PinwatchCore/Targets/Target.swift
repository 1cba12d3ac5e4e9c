/// The store's number for a target; its decimal text is the API's opaque id.
package struct TargetID: Hashable, Sendable, Comparable {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: TargetID, right: TargetID) -> Bool { left.rawValue < right.rawValue }
    /// The id as the API writes it.
    package var text: String { String(rawValue) }
}

/// A protocol that switches to TLS after a greeting in clear.
package enum StartTLS: String, Sendable, CaseIterable {
    case smtp, lmtp, imap, pop3, ftp, ldap
    case xmppClient = "xmpp-client"
    case postgres, mysql

    /// The port that IANA has registered for it in clear.
    package var port: UInt16 {
        switch self {
        case .smtp: 25
        case .lmtp: 24
        case .imap: 143
        case .pop3: 110
        case .ftp: 21
        case .ldap: 389
        case .xmppClient: 5_222
        case .postgres: 5_432
        case .mysql: 3_306
        }
    }
}

/// Whose keys a target serves. Third parties rotate without asking: history applies to them, gates do not.
package enum Owner: String, Sendable, CaseIterable {
    case ours
    case thirdParty = "third_party"
}

/// Which of a name's addresses are scanned.
package enum AddressPolicy: String, Sendable, CaseIterable {
    case all, first
}

/// Where a thing is changed: in the configuration file, or by the API.
package enum ManagedBy: String, Sendable, CaseIterable {
    case config, api
}

/// What a target is, apart from its number: two targets are the same one exactly if these agree.
package struct TargetIdentity: Hashable, Sendable {
    package let host: TargetHost
    package let port: UInt16
    /// The server name sent; `nil` sends none, as for every IP literal without one of its own (RFC 6066 section 3).
    package let sni: HostName?
    package let startTLS: StartTLS?

    package init(host: TargetHost, port: UInt16, sni: HostName?, startTLS: StartTLS?) {
        self.host = host
        self.port = port
        self.sni = sni
        self.startTLS = startTLS
    }

    /// What certificates are compared with: the SNI, else the host.
    package var reference: ReferenceIdentity {
        if let sni { return .dns(sni) }
        switch host {
        case .name(let name): return .dns(name)
        case .address(let address): return .ip(address)
        }
    }

    /// `api.example.com`, or with a port other than 443 `api.example.com:8443` and `[::1]:8443`.
    package var label: String {
        guard port != 443 else { return host.text }
        return host.place(port: port)
    }
}

/// How a target is watched, as configured.
package struct TargetSettings: Hashable, Sendable {
    package var identity: TargetIdentity
    package var owner: Owner
    /// Free names and values, offered to routes and filters.
    package var labels: [String: String]
    /// Seconds between scans; `nil` takes the configuration's.
    package var periodSeconds: Int64?
    /// Addresses that replace resolution; empty resolves the name.
    package var addresses: [IPAddress]
    /// Which of the name's addresses are scanned; `nil` takes the configuration's.
    package var addressPolicy: AddressPolicy?
    /// A name from the configuration's `trust_stores`.
    package var trustStore: String
    package var paused: Bool
    package var managedBy: ManagedBy

    package init(
        identity: TargetIdentity, owner: Owner = .ours, labels: [String: String] = [:], periodSeconds: Int64? = nil,
        addresses: [IPAddress] = [], addressPolicy: AddressPolicy? = nil, trustStore: String = "system",
        paused: Bool = false, managedBy: ManagedBy = .config
    ) {
        self.identity = identity
        self.owner = owner
        self.labels = labels
        self.periodSeconds = periodSeconds
        self.addresses = addresses
        self.addressPolicy = addressPolicy
        self.trustStore = trustStore
        self.paused = paused
        self.managedBy = managedBy
    }
}

/// A configured TLS service with its number.
package struct Target: Hashable, Sendable, Identifiable {
    package let id: TargetID
    package var settings: TargetSettings

    package init(id: TargetID, settings: TargetSettings) {
        self.id = id
        self.settings = settings
    }

    package var identity: TargetIdentity { settings.identity }
    package var host: TargetHost { settings.identity.host }
}
