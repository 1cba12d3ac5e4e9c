/// The store's number for a pin set; its decimal text is the API's opaque id.
package struct PinSetID: Hashable, Sendable, Comparable {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: PinSetID, right: PinSetID) -> Bool { left.rawValue < right.rawValue }
    package var text: String { String(rawValue) }
}

/// A build of a release. What a debug build rejects is news, never an outage.
package enum Variant: String, Sendable, CaseIterable {
    case release, debug
}

/// What makes two pin files the same pin set, whatever pins they hold.
package struct PinSetIdentity: Hashable, Sendable {
    package let app: String
    package let release: String
    package let variant: Variant
    /// `default`, or the name of a stack that never consults these pins.
    package let stack: String

    package init(app: String, release: String, variant: Variant, stack: String) {
        self.app = app
        self.release = release
        self.variant = variant
        self.stack = stack
    }

    /// `shop-ios 5.2.0`, with the variant and stack where they are not the usual ones.
    package var label: String {
        ([app, release] + (variant == .debug ? ["(debug)"] : []) + (stack == "default" ? [] : ["(\(stack))"]))
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// One client library with its policy; a release may hold several, all of which must accept.
package struct PinLayer: Sendable {
    package let client: Client
    /// The library's version; `nil` if the file does not say.
    package let clientVersion: VersionNumber?
    package let policy: any PinPolicy

    package init(client: Client, clientVersion: VersionNumber?, policy: any PinPolicy) {
        self.client = client
        self.clientVersion = clientVersion
        self.policy = policy
    }
}

/// The pins of one release, as a file holds them.
package struct PinSetDefinition: Sendable {
    package let identity: PinSetIdentity
    /// Part of the app's users on this platform, 0 to 1.
    package let share: Double?
    /// Where the release runs; `nil` if its file does not say.
    package let platform: Platform?
    /// A name from the configuration's `trust_stores`; `nil` takes the target's.
    package let trustStore: String?
    package let layers: [PinLayer]
    /// Certificates that the file holds whole, for pins that name them by their fingerprints: clients that make pinned
    /// certificates their anchors need more of them than that.
    package let certificates: [CertificateSummary]
    /// The text that it was read from, which is what is stored and compared for changes.
    package private(set) var source: String
    /// Where the text came from, for messages.
    package private(set) var origin: String
    package private(set) var managedBy: ManagedBy

    package init(
        identity: PinSetIdentity, share: Double?, platform: Platform?, trustStore: String?, layers: [PinLayer],
        certificates: [CertificateSummary] = [], source: String, origin: String, managedBy: ManagedBy
    ) {
        self.identity = identity
        self.share = share
        self.platform = platform
        self.trustStore = trustStore
        self.layers = layers
        self.certificates = certificates
        self.source = source
        self.origin = origin
        self.managedBy = managedBy
    }

    /// The same pins, kept by another: all that its text says stays.
    package func kept(by manager: ManagedBy, source: String? = nil, origin: String? = nil) -> PinSetDefinition {
        var kept = self
        kept.managedBy = manager
        kept.source = source ?? self.source
        kept.origin = origin ?? self.origin
        return kept
    }
}

/// A pin set with its number.
package struct PinSet: Sendable, Identifiable {
    package let id: PinSetID
    package let definition: PinSetDefinition
    /// Of the stored row that has this definition: moves on with every change of it.
    package let revision: Int64

    package init(id: PinSetID, definition: PinSetDefinition, revision: Int64 = 1) {
        self.id = id
        self.definition = definition
        self.revision = revision
    }

    package var identity: PinSetIdentity { definition.identity }
}
