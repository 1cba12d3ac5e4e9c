import FoundationEssentials

extension CertificateSummary {
    /// The contract's `certificate`.
    ///
    /// - Parameter der: The certificate's bytes as sent, for `pem`.
    package func json(der: [UInt8]) -> JSON {
        .object([
            ("sha256", .string(fingerprint.hex)), ("spki", .text(spki?.pin)), ("subject", .text(subject)),
            ("issuer", .text(issuer)), ("serial", .text(serial)), ("not_before", .time(notBefore)),
            ("not_after", .time(notAfter)), ("lifetime_s", lifetimeSeconds.map { .integer($0) } ?? .null),
            ("names", names), ("key", key?.json ?? .null), ("signature", .text(signature)), ("is_ca", .flag(isCA)),
            ("self_signed", .flag(selfSigned)), ("scts", .whole(scts)),
            ("ocsp_urls", ocspURLs.map { .strings($0) } ?? .null),
            ("aia_urls", aiaURLs.map { .strings($0) } ?? .null),
            (
                "unreadable",
                .array(unreadable.map { .object([("field", .string($0.field)), ("why", .string($0.why))]) })
            ),
            ("pem", .string(PEMText.certificate(der))),
        ])
    }

    private var names: JSON {
        guard let dnsNames, let ipAddresses else { return .null }
        return .object([("dns", .strings(dnsNames)), ("ip", .strings(ipAddresses.map(\.description)))])
    }
}

extension PublicKeySummary {
    /// `key` of the contract's `certificate`.
    package var json: JSON {
        .object([("type", .string(type)), ("bits", .whole(bits)), ("curve", .text(curve))])
    }
}

/// PEM armour (RFC 7468).
package enum PEMText {
    /// A `CERTIFICATE` block: base64 in lines of 64 characters, each ended by a line feed.
    package static func certificate(_ der: [UInt8]) -> String {
        let base64 = Array(Data(der).base64EncodedString().utf8)
        var text = "-----BEGIN CERTIFICATE-----\n"
        for start in stride(from: 0, to: base64.count, by: 64) {
            text += String(decoding: base64[start..<min(start + 64, base64.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END CERTIFICATE-----\n"
    }
}
