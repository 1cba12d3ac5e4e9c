package import PinwatchCore

/// Reads what a `file:` pin points to: one certificate or one public key, in PEM or DER.
package enum PinFileReader {
    /// The largest pin file that is read, in bytes.
    package static let sizeLimit = 1 << 20

    /// The first certificate or public key of the file.
    ///
    /// - Throws: A reason in words, for files that are too large, hold a private key (whose place is not beside pins), more
    ///   than one certificate, or neither.
    package static func read(_ bytes: [UInt8]) throws(HostProblem) -> PinFile {
        guard bytes.count <= sizeLimit else {
            throw HostProblem("the file has \(bytes.count) bytes; a certificate or public key has at most \(sizeLimit)")
        }
        let blocks = PEMBlocks(bytes).blocks
        if blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) || PrivateKeyShape.isKey(bytes) {
            throw HostProblem(
                "the file holds a private key; pin its public key (`openssl pkey -in FILE -pubout`) and keep the private "
                    + "key away from pins")
        }
        return blocks.isEmpty ? try binary(bytes) : try armoured(blocks)
    }

    private static func armoured(_ blocks: [PEMBlocks.Block]) throws(HostProblem) -> PinFile {
        let wanted = blocks.filter { ["CERTIFICATE", "X509 CERTIFICATE", "PUBLIC KEY"].contains($0.label) }
        guard let first = wanted.first else {
            let labels = Set(blocks.map { "\"" + EscapedText.plain(Array($0.label.utf8)[...].prefix(40)) + "\"" })
            throw HostProblem(
                "the file holds \(labels.sorted().joined(separator: ", ")), neither \"CERTIFICATE\" nor \"PUBLIC KEY\"")
        }
        guard wanted.count == 1 else {
            throw HostProblem(
                "the file holds \(wanted.count) certificates or keys; a pin is one of them, so split the file")
        }
        guard let bytes = first.bytes else { throw HostProblem("the PEM block is cut short or is no base64") }
        return first.label == "PUBLIC KEY" ? try publicKey(bytes) : try certificate(bytes, isDER: false)
    }

    private static func binary(_ bytes: [UInt8]) throws(HostProblem) -> PinFile {
        if let key = try? publicKey(bytes) { return key }
        return try certificate(bytes, isDER: true)
    }

    private static func certificate(_ bytes: [UInt8], isDER: Bool) throws(HostProblem) -> PinFile {
        let summary = CertificateReader.read(CertificateReader.certificate(der: bytes))
        guard summary.spki != nil else {
            throw HostProblem("the file is neither a certificate nor a public key, in PEM or in DER")
        }
        return .certificate(summary, isDER: isDER)
    }

    private static func publicKey(_ bytes: [UInt8]) throws(HostProblem) -> PinFile {
        var cursor = DERCursor(bytes)
        guard let element = try? cursor.next(DERTag.sequence), cursor.isAtEnd, let key = try? PublicKeyLayout(element),
            (try? key.summary()) != nil
        else { throw HostProblem("the public key is no DER SubjectPublicKeyInfo") }
        return .publicKey(spki: Digests.sha256(bytes))
    }
}
