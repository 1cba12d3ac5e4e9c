internal import FoundationEssentials
internal import PinwatchCore

/// `preflight`: what releases would make of a candidate. It stores nothing, so whoever may read may ask.
enum Preflights {
    private static let host = Member(
        "host", Kind<String>.line(1...254).example(.string("api.example.com")), "The host, as the app spells it.")
    private static let app = Member("app", Kind<String>.line(1...200), orNull: true, "The releases of this app alone.")
    private static let pinSetIDs = Member(
        "pin_set_ids", Kind<[Int64]>.list(of: Kind<Int64>.id, 1...200), orNull: true, "These pin sets alone.")

    /// What may be put in place, by the member that it comes in.
    enum Form: String, Sendable, CaseIterable {
        /// Whatever the content is.
        case candidate
        /// One whose issuers are still to be put beside it.
        case certificate
        /// All that would be sent, leaf first.
        case chain
        case csr
        case publicKey = "public_key"

        var about: String {
            switch self {
            case .candidate: "Certificates, a public key or a signing request, told apart by content."
            case .certificate: "The new certificate; its issuers are found by what is served now and the trust store."
            case .chain: "The certificates exactly as they would be sent, leaf first."
            case .csr: "The signing request of a certificate that is still to be issued."
            case .publicKey: "The key of a certificate that is still to be issued."
            }
        }

        private var material: Kind<[UInt8]> {
            switch self {
            case .candidate, .publicKey: .material.example(Self.example)
            case .certificate, .chain, .csr: .material
            }
        }

        private static let example = JSON.string(
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFXR6LgWlKOWUD1I5vgxd4PnJrwqIR0QNcDP+SvmllM0NWah0Wi+s7h5NM7BW8D71ixnd"
                + "GP4Yo/Yl688imG8bzw==")

        var member: Member<[UInt8]> {
            Member(rawValue, material, about + " PEM, or base64 of DER.")
        }
    }

    private static func shape(_ form: Form) -> BodyShape {
        BodyShape().requiring(host).requiring(form.member).taking(app).taking(pinSetIDs)
    }

    static let schema = Schema.one(of: Form.allCases.map { shape($0).schema })

    private struct Body: Sendable {
        let host: String
        let form: Form
        let bytes: [UInt8]
        let app: String?
        let pinSets: [Int64]?
    }

    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.post, "/api/v1/preflight", .preflight, body: .json) { call in
                let body = try call.read(body)
                let reference = try reference(body.host, context)
                let candidate = try await context.files("The candidate") { files throws(PinFilesRefusal) in
                    try await files.candidate(body.bytes)
                }
                guard body.form.takes(candidate) else {
                    throw Problem(
                        422, "The candidate is of another kind than its member says.",
                        errors: [
                            .init(field: body.form.rawValue, message: "holds something else; send it as candidate")
                        ])
                }
                let request = PreflightRequest(
                    host: body.host, reference: reference, candidate: candidate, isWhole: body.form == .chain,
                    app: body.app, pinSets: body.pinSets.map { Set($0.map { PinSetID($0) }) })
                do {
                    return Response(json: try await context.rotation.preflight(request, now: call.now).json)
                } catch let refusal as PinFilesRefusal {
                    throw Problem(refusal, "The question")
                }
            }
        ]
    }

    private static func body(_ body: JSON, _ reader: inout BodyReader) -> Body? {
        let form = Form.allCases.first { body[$0.rawValue] != nil } ?? .candidate
        guard let members = reader.object(body, shape(form)) else { return nil }
        let (host, bytes) = (members.value(host, &reader), members.value(form.member, &reader))
        let (app, pinSets) = (members.value(app, &reader), members.value(pinSetIDs, &reader))
        guard let host, let bytes else { return nil }
        return Body(host: host, form: form, bytes: bytes, app: app, pinSets: pinSets)
    }

    /// - Throws: A ``Problem`` 422 for anything beside the bare host: pins are looked up by the text as it stands.
    private static func reference(_ text: String, _ context: ServiceContext) throws(Problem) -> ReferenceIdentity {
        func refused(_ why: String) -> Problem {
            Problem(422, "The host cannot be used; see errors.", errors: [.init(field: host.name, message: why)])
        }
        let parsed: TargetHost
        do { parsed = try HostInput.parse(text, idna: context.idna).host } catch { throw refused(error.description) }
        let bare = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard bare.lowercased() == parsed.text else {
            throw refused("must be the bare host that the app asks for, such as \(parsed.text)")
        }
        switch parsed {
        case .name(let name): return .dns(name)
        case .address(let address): return .ip(address)
        }
    }
}

extension Preflights.Form {
    /// Whether what was read is what the member is for.
    fileprivate func takes(_ candidate: Candidate) -> Bool {
        switch (self, candidate) {
        case (.candidate, _), (.certificate, .chain), (.chain, .chain): true
        case (.csr, .key(let key)): key.kind == .request
        case (.publicKey, .key(let key)): key.kind == .publicKey
        case (.certificate, .key), (.chain, .key), (.csr, .chain), (.publicKey, .chain): false
        }
    }
}

extension Kind where Value == [UInt8] {
    /// PEM as text, or base64 of DER.
    static var material: Kind {
        Kind(schema: .unboundedProse) { value, reader in
            guard let text = Kind<String>.whole.read(value, &reader) else { return nil }
            if text.contains("-----BEGIN ") { return Array(text.utf8) }
            let body = text.utf8.filter { ![0x0A, 0x0D, 0x20, 0x09].contains($0) }
            if !body.isEmpty, let data = Data(base64Encoded: Data(body)) { return Array(data) }
            reader.report("must be PEM, or DER in base64 with its padding")
            return nil
        }
    }
}
