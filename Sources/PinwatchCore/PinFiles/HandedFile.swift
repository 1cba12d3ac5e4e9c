/// A file that someone handed over: its name serves messages alone.
package struct HandedFile: Sendable, Hashable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// What the files cannot say and their owner may.
package struct ImportContext: Sendable {
    /// `nil` takes what the files say (a bundle's identifier), else the file's name.
    package var app: String?
    package var release: String?
    package var variant = Variant.release
    /// Where the content fits several clients.
    package var client: Client?
    /// For formats that name no host.
    package var host: String?
    /// Values for Xcode's `$(NAME)`.
    package var buildSettings: [String: String] = [:]
    /// Part of the app's users on its platform, 0 to 1.
    package var share: Double?
    /// The chain that the host serves now, to tell what a pin of unknown kind hashes.
    package var references: [CertificateSummary] = []

    package init() {}
}
