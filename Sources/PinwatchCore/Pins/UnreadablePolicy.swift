/// Stands in for the policy of a stored pin set that this version reads more strictly than the one that took it: nothing
/// is judged by it until somebody replaces it, and nothing else waits for that.
package struct UnreadablePolicy: PinPolicy {
    /// The `code` of its verdicts.
    package static let code = "unreadable"
    private let reason: String

    /// - Parameter reason: Why the text is not read, without its place.
    package init(reason: String) { self.reason = reason }

    /// No file says this of itself.
    package init?(from node: Node, reader: inout NodeReader) { nil }

    package func verdict(for presentation: Presentation) -> Verdict {
        Verdict(.notEvaluated, code: Self.code, reason: "the stored pin file cannot be read: \(reason)")
    }

    package func pins(for host: String, now: Instant) -> [Pin] { [] }
    package func concerns(host: String) -> Bool { false }
    package var hosts: [PinnedHost] { [] }
    package var allPins: [Pin] { [] }
    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
    package var expiries: [PinExpiry] { [] }
    package var configurationError: Verdict? { Verdict(.configError, code: Self.code, reason: reason) }
}

extension PinSetDefinition {
    /// A stored pin set whose text is not read; all else of it is as stored.
    package static func unreadable(
        _ identity: PinSetIdentity, share: Double?, trustStore: String?, source: String, origin: String, reason: String
    ) -> PinSetDefinition {
        let layer = PinLayer(client: .generic, clientVersion: nil, policy: UnreadablePolicy(reason: reason))
        return PinSetDefinition(
            identity: identity, share: share, platform: nil, trustStore: trustStore, layers: [layer], source: source,
            origin: origin, managedBy: .api)
    }
}
