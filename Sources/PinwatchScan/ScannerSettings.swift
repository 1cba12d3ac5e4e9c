package import PinwatchCore

/// How a scanner works.
package struct ScannerSettings: Sendable, Hashable {
    /// Event loops that begin visits, each a thread of its own: as many as there are cores. One more reads long messages.
    package var loops: Int
    /// Addresses visited at once over all loops. The same number of scans again may be resolving or waiting to be
    /// released.
    package var inFlight: Int
    /// Bounds all steps at one address together, and by itself the resolution of a name. Milliseconds.
    package var timeoutMilliseconds: Int64
    package var addresses: AddressPolicy
    /// Of a name's addresses, those after this many are not visited.
    package var maxAddresses: Int
    /// Addresses that must not be connected to, whatever leads to them.
    package var denyAddresses: [IPNetwork]
    /// What connections are made through; `nil` makes them directly.
    package var proxy: EgressProxy?
    /// Bytes of chains and staples in scans that are finished and not yet released. From there on nothing more is begun,
    /// so that a recorder that stands still cannot fill memory; what is open by then is added to it.
    package var heldBytes = 256 << 20

    /// Bytes that all handshakes in flight together may use for messages above
    /// ``HandshakeContext/ordinaryMessageLimit``; one such handshake is always allowed. Fixed when scanning starts.
    package var longMessageBytes = 128 << 20

    package init(_ settings: Configuration.ScanSettings, loops: Int) {
        self.loops = max(1, loops)
        inFlight = max(1, settings.inFlight)
        timeoutMilliseconds = settings.timeoutSeconds * 1_000
        addresses = settings.addresses
        maxAddresses = max(1, settings.maxAddresses)
        denyAddresses = settings.denyAddresses
        proxy = settings.proxy
    }

    /// Addresses of one target visited at once: a target with many stalling addresses leaves room for others.
    var inFlightPerTarget: Int { max(1, inFlight / 4) }

    /// Scans begun and not yet released.
    var openScans: Int { inFlight * 2 }
}
