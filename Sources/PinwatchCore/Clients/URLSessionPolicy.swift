/// placeholder
package struct URLSessionPolicy: PinPolicy {
    package init?(from node: Node, reader: inout NodeReader) { return nil }
    package func verdict(for presentation: Presentation) -> Verdict { Verdict(.unknown, code: "unknown", reason: "") }
    package func pins(for host: String, now: Instant) -> [Pin] { [] }
    package func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool { false }
    package var firstExpiry: (at: Instant, host: String)? { nil }
}
