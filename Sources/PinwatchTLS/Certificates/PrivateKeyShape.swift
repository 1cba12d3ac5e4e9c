/// Tells private keys by the frame of their DER, without reading on.
enum PrivateKeyShape {
    /// PKCS #8, PKCS #1 and SEC 1 begin with a version INTEGER of one byte; an encrypted PKCS #8 is an AlgorithmIdentifier
    /// and octets. A PKCS #1 public key begins with its modulus, which is longer.
    static func isKey(_ bytes: [UInt8]) -> Bool {
        var cursor = DERCursor(bytes)
        guard let outer = try? cursor.next(DERTag.sequence) else { return false }
        var parts = outer.children
        guard let first = try? parts.next() else { return false }
        if first.tag == DERTag.integer {
            // What follows tells a key from PKCS #12 (a ContentInfo) and from structures of other kinds.
            return first.content.count == 1 && !isPFX(bytes)
        }
        return first.tag == DERTag.sequence && parts.tag == DERTag.octetString
    }

    /// PFX ::= SEQUENCE { version 3, ContentInfo, MacData } (RFC 7292 section 4). Its lengths are often indefinite.
    static func isPFX(_ bytes: [UInt8]) -> Bool {
        let head = Array(bytes.prefix(32))
        guard head.first == DERTag.sequence, let version = head.firstRange(of: [0x02, 0x01, 0x03, 0x30]) else {
            return false
        }
        let contentInfo: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        return version.lowerBound <= 6 && head.firstRange(of: contentInfo) != nil
    }
}
