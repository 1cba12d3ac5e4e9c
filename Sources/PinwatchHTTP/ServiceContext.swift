package import PinwatchCore

/// Everything that the service is given from outside: its store, its clock, its settings, and the other rooms' answers.
package struct ServiceContext: Sendable {
    package var store: any ReadingStore
    package var managing: any ManagingStore
    package var administration: any Administration
    /// What knows the formats of pins.
    package var pinFiles: any PinFiles
    /// What builds paths.
    package var rotation: any RotationDesk
    /// Where the daemon listens: decides which `Host`s are known, and whether no token at all may mean open.
    package var listen: ListenAddress
    /// `https://pins.example.com`, without a trailing slash; its host is a known `Host`.
    package var publicURL: String?
    /// Peers whose `X-Forwarded-…` headers are believed.
    package var trustedProxies: [IPNetwork] = []
    /// Bad tokens that a client may send in a minute.
    package var failedSignInsPerMinute = 10
    /// What readers of the events stream follow; whoever writes to the store publishes there.
    package var hub = EventHub()
    package var version: String
    /// What holds for targets that say nothing of their own.
    package var scan: @Sendable () -> Configuration.ScanSettings
    /// What the scanner has to do now.
    package var scannerLoad: @Sendable () -> ScannerLoad = { ScannerLoad() }
    /// The configuration's for a target.
    package var clientCertificate: @Sendable (TargetIdentity) -> ClientCertificate? = { _ in nil }
    package var idna: any IDNA
    package var clock: @Sendable () -> Instant
    package var sha256: @Sendable ([UInt8]) -> SHA256Digest
    /// The contract's `certificate`, an object.
    package var certificateJSON: @Sendable (Certificate) -> JSON
    /// Whether the configuration is in force and the service not stopping: until then nothing but health is answered.
    package var isUp: @Sendable () -> Bool = { true }
    /// What a person is told of an error that passes, such as a full disk; `nil` for any other.
    package var passing: @Sendable (any Error) -> String? = { _ in nil }
    /// Why the scanner is not running, in words; `nil` while it is.
    package var ready: @Sendable () async -> String?
    /// What the other rooms count, for `/metrics`.
    package var metrics: @Sendable () async -> [MetricFamily]
    /// A fresh id that ties a 500 to its line in the log.
    package var errorID: @Sendable () -> String
    /// Takes one line for an error that nobody else will tell.
    package var log: @Sendable (String) -> Void
    /// Takes every answered request.
    package var access: @Sendable (AccessRecord) -> Void = { _ in }
    /// How many connections are at what, as ``Server/connections`` tells.
    package var connections: @Sendable () -> [String: Int] = { [:] }

    package init(
        store: any ReadingStore, managing: any ManagingStore, administration: any Administration,
        pinFiles: any PinFiles, rotation: any RotationDesk,
        listen: ListenAddress, publicURL: String?, version: String,
        scan: @escaping @Sendable () -> Configuration.ScanSettings, idna: any IDNA,
        clock: @escaping @Sendable () -> Instant, sha256: @escaping @Sendable ([UInt8]) -> SHA256Digest,
        certificateJSON: @escaping @Sendable (Certificate) -> JSON, ready: @escaping @Sendable () async -> String?,
        metrics: @escaping @Sendable () async -> [MetricFamily], errorID: @escaping @Sendable () -> String,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.managing = managing
        self.administration = administration
        self.pinFiles = pinFiles
        self.rotation = rotation
        self.listen = listen
        self.publicURL = publicURL
        self.version = version
        self.scan = scan
        self.idna = idna
        self.clock = clock
        self.sha256 = sha256
        self.certificateJSON = certificateJSON
        self.ready = ready
        self.metrics = metrics
        self.errorID = errorID
        self.log = log
    }
}
