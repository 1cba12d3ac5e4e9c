internal import FoundationEssentials
internal import PinwatchCore

/// `certificates/{sha256}`, as JSON, PEM or DER, and `keys/{base64url-sha256}`; each with where and when served.
enum Certificates {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/api/v1/certificates/{name}", .readCertificate, produces: nil) { call in
                try await certificate(call, context)
            },
            Route(.get, "/api/v1/keys/{spki}", .readKey) { call in
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

    // The waiting part holds nothing but the wait: with the answer's forms in it, Swift 6.3.1's optimiser crashes.
    private static func certificate(_ call: Call, _ context: ServiceContext) async throws -> Response {
        let (fingerprint, form) = try asked(call)
        let record = try await context.store.certificate(fingerprint)
        return try answer(record, as: form, call, context)
    }

    private static func asked(_ call: Call) throws(Problem) -> (SHA256Digest, Form?) {
        let name = call.parameter("name")
        let form = Form.allCases.first { name.hasSuffix($0.rawValue) }
        let hex = String(name.dropLast(form?.rawValue.count ?? 0))
        guard hex.utf8.count == 64, let fingerprint = SHA256Digest(hex: hex) else { throw neverServed }
        return (fingerprint, form)
    }

    private static func answer(
        _ record: CertificateRecord?, as form: Form?, _ call: Call, _ context: ServiceContext
    ) throws(Problem) -> Response {
        guard let certificate = record?.certificate, let record else { throw neverServed }
        switch form {
        case .pem:
            let text = PEMText.certificate(certificate.der)
            return try file(call, certificate.fingerprint, .pem, "application/x-pem-file", Array(text.utf8))
        case .der: return try file(call, certificate.fingerprint, .der, "application/pkix-cert", certificate.der)
        case nil:
            try Accept.check(call.request, offers: "application/json")
            return Response(json: record.json(context.certificateJSON(certificate)))
        }
    }

    private static var neverServed: Problem {
        Problem(404, "No certificate with this SHA-256 (64 hexadecimal digits) was ever served.")
    }

    private static func file(
        _ call: Call, _ fingerprint: SHA256Digest, _ form: Form, _ type: String, _ bytes: [UInt8]
    ) throws(Problem) -> Response {
        try Accept.check(call.request, offers: type)
        let disposition = "attachment; filename=\"\(fingerprint.hex)\(form.rawValue)\""
        return Response(type: type, body: bytes).adding([.init("Content-Disposition", disposition)])
    }

    private static func digest(base64url text: String) -> SHA256Digest? {
        guard text.utf8.count == 43, !text.utf8.contains(0x2B), !text.utf8.contains(0x2F) else { return nil }
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        return Data(base64Encoded: standard).flatMap { SHA256Digest($0) }
    }
}
