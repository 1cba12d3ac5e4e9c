/// Names of the IANA TLS Alert registry (RFC 8446 section 6), without the suffix `_RESERVED` of retired ones.
package enum TLSAlert {
    /// The registered name, or `unassigned`.
    package static func name(_ number: UInt8) -> String { names[number] ?? "unassigned" }

    /// The server knows the versions offered and supports none of them.
    package static let protocolVersion: UInt8 = 70

    /// Alerts by which a server refuses a client that showed no certificate: `certificate_required` in TLS 1.3,
    /// `handshake_failure` before it, and `bad_certificate` by some.
    static let refusingWithoutCertificate: Set<UInt8> = [116, 40, 42]

    /// Alerts by which a server refuses the certificate that a client showed (RFC 8446 section 6.2).
    static let refusingCertificate: Set<UInt8> = [40, 42, 43, 44, 45, 46, 48, 49, 116]

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 52: "too_many_cids_requested", 60: "export_restriction", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
        111: "certificate_unobtainable", 112: "unrecognized_name", 113: "bad_certificate_status_response",
        114: "bad_certificate_hash_value", 115: "unknown_psk_identity", 116: "certificate_required",
        117: "general_error", 120: "no_application_protocol", 121: "ech_required",
    ]
}
