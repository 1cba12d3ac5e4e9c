package import PinwatchCore

/// What the service's own port proves itself with.
package struct ServerCertificate: Sendable, Hashable {
    /// PEM, the leaf first, then its issuers.
    package let chain: String
    /// PEM, without a password.
    package let key: Secret

    package init(chain: String, key: Secret) {
        self.chain = chain
        self.key = key
    }

    /// TLS 1.2 and 1.3 with what GnuTLS calls normal, of which forward secrecy, and no cipher without authentication of
    /// its data (GnuTLS manual, "Priority strings").
    static let priorities = """
        NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-CIPHER-ALL:+AES-256-GCM:+AES-128-GCM:+CHACHA20-POLY1305\
        :%SERVER_PRECEDENCE
        """
}
