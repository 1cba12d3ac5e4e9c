package import PinwatchCore

/// Reads certificates leniently: whatever one field holds, the others are still read.
package enum CertificateReader {
    /// The certificate over these bytes, which need not be one.
    package static func certificate(der: [UInt8]) -> Certificate {
        Certificate(der: der, fingerprint: Digests.sha256(der))
    }

    /// Everything that can be read of a certificate. Fingerprint and SPKI digests come first, over slices of the bytes as
    /// sent. A field that fails is `nil`, with its JSON name and the reason in `unreadable`; a field of which a part is odd
    /// (an extension that stands there twice, a name that no client will match) keeps its value and is noted there too.
    package static func read(_ certificate: Certificate) -> CertificateSummary {
        read(certificate) { library.flatMap { .check(X509Handle(certificate.der, library: $0)) } ?? .check(nil) }
    }

    /// The key family alone, from the SubjectPublicKeyInfo; `nil` where that cannot be read. No key is loaded and no
    /// signature checked, so that what a hostile certificate holds costs microseconds: fit for event loops.
    package static func keyFamily(of certificate: Certificate) -> KeyFamily? {
        do throws(DERFault) {
            return try PublicKeyLayout(try CertificateLayout(certificate.der).spki.get()).family
        } catch {
            return nil
        }
    }

    /// A constant rather than a value of each reading, since a context costs milliseconds to make and holds no state that
    /// a reading could change. `nil` only where OpenSSL's provider does not load.
    private static let library = try? X509Library()

    /// - Parameter selfSignature: Asked only for a certificate whose issuer is its subject.
    static func read(
        _ certificate: Certificate, selfSignature: () -> SelfSignatureOrder
    ) -> CertificateSummary {
        var reading = CertificateReading(certificate)
        reading.readKey()
        reading.readNames()
        reading.readSerial()
        reading.readValidity()
        reading.readExtensions()
        reading.readSignature()
        reading.readSelfSignature(selfSignature)
        return reading.summary
    }
}

/// One reading in progress.
struct CertificateReading {
    let certificate: Certificate
    let layout: CertificateLayout
    private(set) var summary: CertificateSummary

    init(_ certificate: Certificate) {
        self.certificate = certificate
        layout = CertificateLayout(certificate.der)
        summary = CertificateSummary(fingerprint: certificate.fingerprint)
    }

    mutating func readKey() {
        guard let element = attempt("spki", { [layout] () throws(DERFault) in try layout.spki.get() }) else {
            note("key", "there is no readable SubjectPublicKeyInfo")
            return
        }
        let bytes = Array(element.bytes)
        summary.spki = Digests.sha256(bytes)
        summary.spkiSHA1 = Digests.sha1(bytes)
        guard let key = attempt("key", { () throws(DERFault) in try PublicKeyLayout(element) }) else { return }
        summary.family = key.family
        summary.rawKeySHA256 = Digests.sha256(Array(key.keyBytes))
        summary.key = attempt("key") { () throws(DERFault) in try key.summary() }
        if let read = summary.key, read.bits == nil { note("key", "the size of this kind of key is not known") }
        if key.family == .rsa, let bits = summary.key?.bits, bits < 2048 { summary.weak.append("rsa_1024") }
        if key.algorithm == .dsa { summary.weak.append("dsa") }
    }

    mutating func readNames() {
        if let subject = attempt("subject", { [layout] () throws(DERFault) in try layout.subject.get() }) {
            summary.subjectDER = Array(subject.bytes)
            summary.subject = attempt("subject") { () throws(DERFault) in try DistinguishedName.text(subject) }
        }
        if let issuer = attempt("issuer", { [layout] () throws(DERFault) in try layout.issuer.get() }) {
            summary.issuerDER = Array(issuer.bytes)
            summary.issuer = attempt("issuer") { () throws(DERFault) in try DistinguishedName.text(issuer) }
        }
    }

    mutating func readSerial() {
        summary.serial = attempt("serial") { [layout] () throws(DERFault) in
            try Self.signedHex(try layout.serial.get().content)
        }
    }

    /// Two's complement (X.690 section 8.3) as a sign and as many hexadecimal digits as were sent.
    private static func signedHex(_ bytes: ArraySlice<UInt8>) throws(DERFault) -> String {
        guard let first = bytes.first else { throw .emptyInteger }
        guard first & 0x80 != 0 else { return Hex.text(bytes) }
        var magnitude = bytes.map { ~$0 }
        for index in magnitude.indices.reversed() {
            magnitude[index] &+= 1
            if magnitude[index] != 0 { break }
        }
        return "-" + Hex.text(magnitude)
    }

    mutating func readValidity() {
        var times: Result<DERCursor, DERFault> = layout.validity.map(\.children)
        summary.notBefore = readTime("not_before", &times)
        summary.notAfter = readTime("not_after", &times)
    }

    /// A time that is no time leaves the way to the next one open.
    private mutating func readTime(_ field: String, _ times: inout Result<DERCursor, DERFault>) -> Instant? {
        let element: DERElement? = attempt(field) { () throws(DERFault) in
            var cursor = try times.get()
            defer { times = .success(cursor) }
            return try cursor.next()
        }
        guard let element else { return nil }
        return attempt(field) { () throws(DERFault) in
            let instant = try CertificateTime.instant(element)
            guard instant.rfc3339 != nil else { throw .beyondCalendar }
            return instant
        }
    }

    mutating func readSignature() {
        let algorithm = attempt("signature") { [layout] () throws(DERFault) in
            try SignatureAlgorithm(try layout.signatureAlgorithm.get())
        }
        guard let algorithm else { return }
        summary.signature = attempt("signature") { () throws(DERFault) in try algorithm.name() }
        if let weakness = algorithm.weakness { summary.weak.append(weakness) }
        if case .failure(let fault) = layout.signatureValue { note("signature", "the signature itself: \(fault)") }
    }

    mutating func readSelfSignature(_ order: () -> SelfSignatureOrder) {
        guard let subject = summary.subjectDER, let issuer = summary.issuerDER else {
            note("self_signed", "subject or issuer cannot be read")
            return
        }
        guard subject == issuer else {
            summary.selfSigned = false
            return
        }
        switch order() {
        case .skip(let why): note("self_signed", why)
        case .check(nil): note("self_signed", "OpenSSL cannot load the certificate to verify it")
        case .check(let handle?):
            switch handle.selfSignature {
            case .holds: summary.selfSigned = true
            case .fails: summary.selfSigned = false
            case .keyUnusable: note("self_signed", "OpenSSL cannot load the key to verify it")
            case .keyTooLarge(let bits, let limit):
                note("self_signed", "the key has \(bits) bits; signatures by such keys are verified up to \(limit)")
            }
        }
    }

    mutating func attempt<Value>(_ field: String, _ read: () throws(DERFault) -> Value) -> Value? {
        do throws(DERFault) {
            return try read()
        } catch {
            note(field, error.description)
            return nil
        }
    }

    mutating func note(_ field: String, _ why: String) {
        summary.unreadable.append(.init(field: field, why: why))
    }

    mutating func change(_ body: (inout CertificateSummary) -> Void) { body(&summary) }
}
