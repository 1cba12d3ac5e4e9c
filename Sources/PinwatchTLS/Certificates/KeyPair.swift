package import PinwatchCore

/// A certificate and the key that belongs to it, as files: what a port is served with, or shown to a server.
package enum KeyPair {
    /// Whose certificate it is.
    package enum Owner: String, Sendable {
        case server, client
    }

    /// Reads both as their user would.
    ///
    /// - Parameters:
    ///   - certificate: A file's bytes: certificates in PEM, the owner's own first.
    ///   - key: A file's bytes: its private key in PEM, without a passphrase.
    /// - Returns: The owner's certificate. Its dates are the caller's to judge: one that has expired can be used.
    /// - Throws: Why the two cannot be used together. No word of the key is shown.
    @discardableResult
    package static func check(
        certificate: [UInt8], key: [UInt8], of owner: Owner
    ) throws(HostProblem) -> CertificateSummary {
        let chain = try certificates(certificate)
        let library: X509Library
        do { library = try X509Library() } catch { throw HostProblem(error.description) }
        let secret = try PrivateKeyHandle(key, library: library)
        guard let leaf = chain.first, let handle = X509Handle(leaf.der, library: library) else {
            throw HostProblem("the certificate's first block cannot be loaded by OpenSSL")
        }
        let summary = CertificateReader.read(leaf)
        guard secret.belongs(to: handle) else {
            let isLater = chain.dropFirst().contains { certificate in
                X509Handle(certificate.der, library: library).map { secret.belongs(to: $0) } ?? false
            }
            throw HostProblem(
                isLater
                    ? "the key belongs to a later certificate of the file; put the \(owner.rawValue)'s own first"
                    : "the key does not belong to the certificate, whose subject is \(summary.subject ?? "unreadable"); "
                        + "name the key that its request was signed with")
        }
        return summary
    }

    /// A client's certificate and key, ready to be shown.
    ///
    /// - Throws: As ``check(certificate:key:of:)``, and for more certificates than servers take.
    package static func client(certificate: [UInt8], key: [UInt8]) throws(HostProblem) -> ClientCertificate {
        let summary = try check(certificate: certificate, key: key, of: .client)
        let chain = try certificates(certificate)
        guard chain.count <= ClientCertificate.chainLimit else {
            throw HostProblem(
                "the certificate's file holds \(chain.count) certificates; at most \(ClientCertificate.chainLimit) are shown "
                    + "to a server")
        }
        return ClientCertificate(
            chain: chain, key: Secret(String(decoding: key, as: UTF8.self)), subject: summary.subject,
            notAfter: summary.notAfter)
    }

    private static func certificates(_ bytes: [UInt8]) throws(HostProblem) -> [Certificate] {
        let labels = PEMBlocks(bytes).blocks.map(\.label)
        guard labels.contains("CERTIFICATE") else {
            throw HostProblem(
                labels.contains { $0.hasSuffix("PRIVATE KEY") }
                    ? "the certificate's file holds a private key and no certificate; are the two files exchanged?"
                    : "the certificate's file holds no PEM block \"BEGIN CERTIFICATE\"")
        }
        do {
            return try CertificateFile.read(bytes, origin: "the certificate's file")
        } catch {
            throw HostProblem(error.description)
        }
    }
}
