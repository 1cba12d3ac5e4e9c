internal import FoundationEssentials
internal import PinwatchCore

/// `certificates/{sha256}`, as JSON, PEM or DER, and `keys/{base64url-sha256}`; each with where and when served.
enum Certificates {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route("/api/v1/certificates/{name}", produces: nil) { call in
                try ListQuery.none(call)
                return try await certificate(call, context)
            },
            Route("/api/v1/keys/{spki}") { call in
                try ListQuery.none(call)
                guard let spki = digest(base64url: call.parameter("spki")),
                    let record = try await context.store.key(spki)
                else { throw Problem(404, "No key with this SPKI digest (base64url, 43 characters) was ever served.") }
                return Response(json: record.json)
            },
        ]
    }

    private enum Form: String, CaseIterable {
        case pem = ".pem"
        case der = ".der"
    }

    private static func certificate(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let name = call.parameter("name")
        let form = Form.allCases.first { name.hasSuffix($0.rawValue) }
        let hex = String(name.dropLast(form?.rawValue.count ?? 0))
        guard hex.utf8.count == 64, let fingerprint = SHA256Digest(hex: hex),
            let record = try await context.store.certificate(fingerprint)
        else { throw Problem(404, "No certificate with this SHA-256 (64 hexadecimal digits) was ever served.") }
        let der = record.certificate.der
        switch form {
        case .pem: return try file(call, fingerprint, .pem, "application/x-pem-file", Array(pem(der).utf8))
        case .der: return try file(call, fingerprint, .der, "application/pkix-cert", der)
        case nil:
            try Accept.check(call.request, offers: "application/json")
            return Response(json: record.json(context.certificateJSON(record.certificate)))
        }
    }

    private static func file(
        _ call: Call, _ fingerprint: SHA256Digest, _ form: Form, _ type: String, _ bytes: [UInt8]
    ) throws(Problem) -> Response {
        try Accept.check(call.request, offers: type)
        let disposition = "attachment; filename=\"\(fingerprint.hex)\(form.rawValue)\""
        return Response(type: type, body: bytes).adding([.init("Content-Disposition", disposition)])
    }

    /// RFC 7468 text, 64 characters a line.
    private static func pem(_ der: [UInt8]) -> String {
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private static func digest(base64url text: String) -> SHA256Digest? {
        guard text.utf8.count == 43, !text.utf8.contains(0x2B), !text.utf8.contains(0x2F) else { return nil }
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        return Data(base64Encoded: standard).flatMap { SHA256Digest($0) }
    }
}
