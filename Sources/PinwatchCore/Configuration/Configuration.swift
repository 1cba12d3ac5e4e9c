/// A value that must not be printed, logged or stored in clear.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself. Every use of this name is a place to audit.
    package let revealed: String

    package init(_ revealed: String) { self.revealed = revealed }

    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where and how the service listens.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    package let address: IPAddress
    /// 0 lets the system choose.
    package let port: UInt16
    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
    package var description: String { address.place(port: port) }
}

/// Everything that the configuration file says, secrets resolved, all names normalised.
package struct Configuration: Sendable {
    package struct ScanSettings: Sendable, Hashable {
        package var periodSeconds: Int64 = 300
        /// Bounds all steps at one address: connect and every hello.
        package var timeoutSeconds: Int64 = 10
        /// Between scans that ask for each key family by itself; after a change they do so at once.
        package var narrowedEverySeconds: Int64 = 3_600
        package var revocation = Revocation()
        package var addresses: AddressPolicy = .all
        package var maxAddresses = 16
        /// Addresses being scanned at once.
        package var inFlight = 512
        /// `nil` connects to every target directly.
        package var proxy: EgressProxy?
        package var denyAddresses = ScanSettings.defaultDenyAddresses
        /// What targets that come by the API may name; a target in the file may name any.
        package var allowPorts = ScanSettings.defaultAllowPorts
        package init() {}

        /// Where TLS, or a protocol that switches to it, usually listens: nobody makes a port scanner of the service.
        package static let defaultAllowPorts: [UInt16] = [
            443, 8443, 465, 587, 993, 995, 25, 143, 110, 21, 389, 636, 5222, 5432, 3306,
        ]

        /// Link-local ranges and the cloud providers' metadata addresses, which no scan may reach unasked.
        package static let defaultDenyAddresses: [IPNetwork] = [
            "169.254.0.0/16", "fe80::/10", "100.100.100.200/32", "192.0.0.192/32", "fd00:ec2::254/128",
            "168.63.129.16/32",
        ].compactMap(IPNetwork.init)
    }

    /// How the revocation of what is served is looked at.
    package struct Revocation: Sendable, Hashable {
        package var isEnabled = true
        /// Between looks at one leaf, unless an answer ends before.
        package var everySeconds: Int64 = 12 * 3_600
        package init() {}
    }

    package struct Thresholds: Sendable, Hashable {
        package var nearSeconds: Int64 = 21 * 86_400
        package var soonSeconds: Int64 = 10 * 86_400
        package var imminentSeconds: Int64 = 3 * 86_400
        /// How long a release takes to reach its users: what ends within it is at risk.
        package var leadTimeSeconds: Int64 = 30 * 86_400
        /// Scans in a row without a certificate before `scan.failing`.
        package var failingAfter = 3
        package var flapWindowSeconds: Int64 = 3_600
        package init() {}
    }

    package struct Retention: Sendable, Hashable {
        package var spansSeconds: Int64 = 730 * 86_400
        package var eventsSeconds: Int64 = 365 * 86_400
        package var deliveriesSeconds: Int64 = 90 * 86_400
        package init() {}
    }

    package enum TrustStoreSource: Sendable, Hashable {
        case system
        /// An absolute path to PEM certificates.
        case file(String)
    }

    /// A URL that is called for as long as all is well.
    package struct Heartbeat: Sendable, Hashable {
        package var url: Secret
        package var everySeconds: Int64 = 300
        package init(url: Secret) { self.url = url }
    }

    /// The certificate and key of the service's own port: absolute paths to PEM files.
    package struct TLSFiles: Sendable, Hashable {
        /// The chain, leaf first.
        package var certificate: String
        package var key: String
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package var listen: ListenAddress
    /// `nil` speaks plain HTTP.
    package var tls: TLSFiles?
    /// Peers whose `X-Forwarded-…` headers are believed.
    package var trustedProxies: [IPNetwork] = []
    /// Base64 of 32 bytes each, newest first, at most two: the first seals, all open. Empty takes no secrets by the API.
    package var secretKeys: [Secret] = []
    /// Labels `environment` that are offered everywhere.
    package var environments: [String] = []
    /// `https://pins.example.com`, without a trailing slash; `nil` derives links from `listen`.
    package var publicURL: String?
    package var heartbeat: Heartbeat?
    /// An absolute path.
    package var database: String
    package var scan = ScanSettings()
    package var trustStores: [String: TrustStoreSource] = ["system": .system]
    package var thresholds = Thresholds()
    package var retention = Retention()
    package var targets: [TargetSettings] = []
    /// What targets are shown that ask for it; their keys are here and nowhere in the store.
    package var clientCertificates: [TargetIdentity: ClientCertificate] = [:]
    package var pinSets: [PinSetDefinition] = []
    /// What was left out of pin files that were imported.
    package var remarks: [Remark] = []
    package var channels: [Channel] = []
    package var routes: [Route] = []
    /// Maintenance windows: weekly ones without an end.
    package var silences: [Silence] = []

    package init(listen: ListenAddress, database: String) {
        self.listen = listen
        self.database = database
    }
}
