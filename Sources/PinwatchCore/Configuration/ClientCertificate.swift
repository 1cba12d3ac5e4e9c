/// What this service shows of itself to a target that asks for a client certificate.
package struct ClientCertificate: Sendable, Hashable {
    /// The most certificates of one, its own and its issuers'; servers follow no longer chain.
    package static let chainLimit = 10

    /// As sent: its own certificate first. Never empty.
    package let chain: [Certificate]
    /// In PEM; it fits the first certificate.
    package let key: Secret
    /// RFC 4514; `nil` where it cannot be read.
    package let subject: String?
    package let notAfter: Instant?

    package init(chain: [Certificate], key: Secret, subject: String?, notAfter: Instant?) {
        self.chain = chain
        self.key = key
        self.subject = subject
        self.notAfter = notAfter
    }

    /// `CN=scanner, ends 2027-03-01, in 90 days`, for people.
    package func words(at now: Instant) -> String {
        let name = subject.map { $0.isEmpty ? "without a subject" : $0 } ?? "with an unreadable subject"
        guard let notAfter else { return "\(name), end unknown" }
        let date = notAfter.rfc3339.map { String($0.prefix(10)) } ?? "beyond year 9999"
        let days = notAfter.seconds(since: now) / 86_400
        return hasEnded(at: now)
            ? "\(name), ended \(date): servers will refuse it" : "\(name), ends \(date), in \(days) days"
    }

    /// Whether its last second is over; one whose end cannot be read has not ended.
    package func hasEnded(at now: Instant) -> Bool { notAfter.map { $0 < now } ?? false }

    /// What may be shown of it to everybody: `{sha256, subject, not_after}`.
    package var json: JSON {
        .object([
            ("sha256", .text(chain.first?.fingerprint.hex)), ("subject", .text(subject)),
            ("not_after", .time(notAfter)),
        ])
    }
}
