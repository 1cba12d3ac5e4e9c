package import PinwatchCore

/// Files of certificates as people have them: PEM with one or more, or DER, one or several end to end.
package enum CertificateFile {
    /// The largest file that is read, in bytes: a system's whole trust store is a few hundred kilobytes.
    package static let sizeLimit = 8 << 20
    /// The most certificates of one file.
    package static let countLimit = 10_000

    /// The certificates in file order. A certificate need not be well-formed inside, only framed as one; PEM blocks of
    /// other kinds (keys, parameters, OpenSSL's `TRUSTED CERTIFICATE`) and text between blocks are passed over.
    ///
    /// - Parameter origin: How messages call the file.
    /// - Throws: ``CertificateError`` for a file that is too large, holds none, or breaks off within one.
    package static func read(_ bytes: [UInt8], origin: String = "the file") throws(CertificateError) -> [Certificate] {
        guard bytes.count <= sizeLimit else {
            throw .tooLarge(origin: origin, bytes: bytes.count, limit: sizeLimit)
        }
        let blocks = PEMBlocks(bytes).blocks
        let found = blocks.isEmpty ? concatenated(bytes) : try armoured(blocks, origin: origin)
        guard !found.isEmpty else { throw .noCertificate(origin: origin) }
        guard found.count <= countLimit else { throw .tooMany(origin: origin, limit: countLimit) }
        return found.map { CertificateReader.certificate(der: $0) }
    }

    private static func armoured(_ blocks: [PEMBlocks.Block], origin: String) throws(CertificateError) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for (index, block) in blocks.enumerated() where ["CERTIFICATE", "X509 CERTIFICATE"].contains(block.label) {
            guard let bytes = block.bytes, !bytes.isEmpty else { throw .brokenPEM(origin: origin, block: index + 1) }
            found.append(bytes)
        }
        return found
    }

    /// DER certificates end to end; none if the bytes are anything else, or break off within one. Blanks after the last are
    /// passed over; other bytes belong to it, as they would in a Certificate message, and so to its fingerprint.
    private static func concatenated(_ bytes: [UInt8]) -> [[UInt8]] {
        var cursor = DERCursor(bytes)
        var found: [[UInt8]] = []
        while let tag = cursor.tag, tag == DERTag.sequence, found.count <= countLimit {
            guard let element = try? cursor.next(), isFramedAsCertificate(element.content) else { return [] }
            found.append(Array(element.bytes))
        }
        guard let last = found.indices.last, found.count <= countLimit else { return found }
        if !cursor.rest.allSatisfy({ [0x00, 0x09, 0x0A, 0x0D, 0x20].contains($0) }) { found[last] += cursor.rest }
        return found
    }

    /// Whether two sequences come first (RFC 5280 section 4.1): in a public key's file a bit string follows the first.
    private static func isFramedAsCertificate(_ content: ArraySlice<UInt8>) -> Bool {
        var inner = DERCursor(content)
        guard let first = try? inner.next() else { return false }
        return first.tag == DERTag.sequence && inner.tag == DERTag.sequence
    }
}
