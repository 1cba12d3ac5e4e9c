package import PinwatchCore

/// What other rooms know of things that a configuration names, so that all of a file's faults are told together.
package struct InputChecks: Sendable {
    /// Throws why a trust store's file, of these bytes, cannot be loaded.
    package let trustStore: @Sendable (_ bytes: [UInt8]) throws(HostProblem) -> Void
    /// Throws why a certificate's and a key's file, of these bytes, cannot serve TLS together. A certificate that has
    /// expired can.
    package let keyPair: @Sendable (_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) -> Void
    /// What a target is shown of these files; throws why they cannot be used together.
    package let clientCertificate:
        @Sendable (_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) -> ClientCertificate
    /// The zones that maintenance windows may name.
    package let zones: any TimeZones
    /// Pin files of other formats than the native one.
    package let imports: PinFileImports

    package init(
        trustStore: @escaping @Sendable (_ bytes: [UInt8]) throws(HostProblem) -> Void,
        keyPair: @escaping @Sendable (_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) -> Void,
        clientCertificate:
            @escaping @Sendable (_ certificate: [UInt8], _ key: [UInt8]) throws(HostProblem) ->
            ClientCertificate,
        zones: any TimeZones, imports: PinFileImports = .none
    ) {
        self.trustStore = trustStore
        self.keyPair = keyPair
        self.clientCertificate = clientCertificate
        self.zones = zones
        self.imports = imports
    }
}
