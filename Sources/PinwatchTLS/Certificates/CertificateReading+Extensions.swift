internal import PinwatchCore

extension CertificateReading {
    /// Names, the CA flag, timestamps and URLs. Without an extension its field is empty, false or 0, never unknown.
    mutating func readExtensions() {
        let list: DERElement?
        switch layout.extensions {
        case .success(let element): list = element
        case .failure(let fault):
            for field in ["names", "is_ca", "scts", "ocsp_urls", "aia_urls"] { note(field, fault.description) }
            return
        }
        let extensions = CertificateExtensions(list)
        readAlternativeNames(extensions)
        if let isCA = read("is_ca", .basicConstraints, of: extensions, BasicConstraints.isCA, absent: false) {
            change { $0.isCA = isCA }
        }
        if let count = read("scts", .timestamps, of: extensions, TimestampList.count, absent: 0) {
            change { $0.scts = count }
        }
        readAuthorityInformation(extensions)
    }

    private mutating func readAlternativeNames(_ extensions: CertificateExtensions) {
        let names = read("names", .subjectAltName, of: extensions) { value throws(DERFault) in
            try AlternativeNames(value)
        }
        guard let names else { return }
        change {
            $0.dnsNames = names?.dns ?? []
            $0.ipAddresses = names?.ip ?? []
        }
        guard let oddities = names?.oddities, let first = oddities.first else { return }
        note("names", first + (oddities.count > 1 ? ", and \(oddities.count - 1) more names are odd" : ""))
    }

    private mutating func readAuthorityInformation(_ extensions: CertificateExtensions) {
        do throws(DERFault) {
            let value = try extensions.value(.authorityInfoAccess)
            let read = try value.map { bytes throws(DERFault) in try AuthorityInformation(bytes) }
            change {
                $0.ocspURLs = read?.ocsp ?? []
                $0.aiaURLs = read?.issuers ?? []
            }
        } catch {
            for field in ["ocsp_urls", "aia_urls"] { note(field, error.description) }
        }
        noteRepeats("aia_urls", extensions.count(.authorityInfoAccess))
    }

    private mutating func read<Value>(
        _ field: String, _ identifier: ObjectIdentifier, of extensions: CertificateExtensions,
        _ parse: (ArraySlice<UInt8>) throws(DERFault) -> Value
    ) -> Value?? {
        noteRepeats(field, extensions.count(identifier))
        return attempt(field) { () throws(DERFault) -> Value? in
            guard let value = try extensions.value(identifier) else { return nil }
            return try parse(value)
        }
    }

    private mutating func read<Value>(
        _ field: String, _ identifier: ObjectIdentifier, of extensions: CertificateExtensions,
        _ parse: (ArraySlice<UInt8>) throws(DERFault) -> Value, absent: Value
    ) -> Value? {
        read(field, identifier, of: extensions, parse).map { $0 ?? absent }
    }

    private mutating func noteRepeats(_ field: String, _ count: Int) {
        if count > 1 {
            note(field, "the extension stands there \(count) times; the first is shown, and clients refuse it")
        }
    }
}
