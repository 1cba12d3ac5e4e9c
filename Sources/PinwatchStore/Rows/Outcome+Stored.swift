internal import PinwatchCore

extension Outcome {
    /// Reads the outcome back from the contract's word and detail, which are what is stored.
    init(word: String, detail: JSON) throws(StoreError) {
        if word == "ok" {
            self = .ok
            return
        }
        let detail = try StoredObject(detail)
        switch word {
        case "not_tls":
            guard let bytes = Hex.bytes(try detail.text("first_bytes")) else {
                throw StoredObject.fault("`first_bytes` is not hexadecimal")
            }
            self = .notTLS(firstBytes: bytes)
        case "alert":
            self = .alert(
                number: UInt8(truncatingIfNeeded: try detail.integer("number")), name: try detail.text("name"))
        case "certificate_too_large": self = .certificateTooLarge(limit: Int(try detail.integer("limit")))
        case "blocked_by_policy": self = .blockedByPolicy(rule: try detail.text("rule"))
        default: try self.init(word: word, message: try detail.text("message"))
        }
    }

    private init(word: String, message: String) throws(StoreError) {
        switch word {
        case "client_certificate_required": self = .clientCertificateRequired(message: message)
        case "resolve_failed": self = .resolveFailed(message: message)
        case "connect_refused": self = .connectRefused(message: message)
        case "connect_timeout": self = .connectTimeout(message: message)
        case "unreachable": self = .unreachable(message: message)
        case "proxy_refused": self = .proxyRefused(message: message)
        case "starttls_refused": self = .startTLSRefused(message: message)
        case "handshake_timeout": self = .handshakeTimeout(message: message)
        case "closed": self = .closed(message: message)
        case "reset": self = .reset(message: message)
        case "no_certificate": self = .noCertificate(message: message)
        case "no_such_key_family": self = .noSuchKeyFamily(message: message)
        case "protocol_unsupported": self = .protocolUnsupported(message: message)
        case "certificate_malformed": self = .certificateMalformed(message: message)
        default: throw StoredObject.fault("`\(word)` is no outcome")
        }
    }

    /// A sentence for people; `nil` for `ok`.
    var message: String? {
        switch self {
        case .ok: nil
        case .notTLS: "the server answered something that is not TLS"
        case .alert(let number, let name): "the server sent the TLS alert \(name) (\(number))"
        case .certificateTooLarge(let limit): "the server's certificates are over \(limit) bytes"
        case .blockedByPolicy(let rule): "the configuration forbids the connection: \(rule)"
        case .clientCertificateRequired(let message), .resolveFailed(let message), .connectRefused(let message),
            .connectTimeout(let message), .unreachable(let message), .proxyRefused(let message),
            .startTLSRefused(let message), .handshakeTimeout(let message), .closed(let message), .reset(let message),
            .noCertificate(let message), .noSuchKeyFamily(let message), .protocolUnsupported(let message),
            .certificateMalformed(let message):
            message
        }
    }
}
