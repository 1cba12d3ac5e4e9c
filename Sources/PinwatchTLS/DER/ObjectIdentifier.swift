internal import COpenSSL

/// An OBJECT IDENTIFIER by its content bytes, which are compared as they are.
struct ObjectIdentifier: Hashable {
    let content: ArraySlice<UInt8>

    /// - Throws: for another tag, no bytes, more than 64 bytes, or an unfinished last arc.
    init(_ element: DERElement) throws(DERFault) {
        guard element.tag == DERTag.objectIdentifier else {
            throw .unexpectedTag(element.tag, wanted: DERTag.objectIdentifier)
        }
        guard (1...64).contains(element.content.count), element.content.last.map({ $0 < 0x80 }) == true else {
            throw .badObjectIdentifier
        }
        content = element.content
    }

    private init(_ bytes: [UInt8]) { content = bytes[...] }

    /// Decimal arcs with dots between them, however large they are (OBJ_obj2txt(3)).
    var dotted: String? {
        unsafe withObject { object in
            var text = [CChar](repeating: 0, count: 512)
            let length = unsafe OBJ_obj2txt(&text, 512, object, 1)
            guard length > 0, length < 512 else { return nil }
            return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// OpenSSL's long name, such as `ecdsa-with-SHA256`; `nil` for identifiers outside its table.
    var longName: String? {
        unsafe withObject { object in
            let number = unsafe OBJ_obj2nid(object)
            guard number != NID_undef, let name = unsafe OBJ_nid2ln(number) else { return nil }
            return unsafe String(cString: name)
        }
    }

    private func withObject<Value>(_ body: (OpaquePointer) -> Value?) -> Value? {
        guard content.count < 0x80 else { return nil }
        let der = [DERTag.objectIdentifier, UInt8(content.count)] + content
        return unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let object = unsafe d2i_ASN1_OBJECT(nil, &start, buffer.count) else {
                ERR_clear_error()
                return nil
            }
            defer { unsafe ASN1_OBJECT_free(object) }
            return unsafe body(object)
        }
    }
}

extension ObjectIdentifier {
    // RFC 3279, RFC 4055, RFC 5480, RFC 8410: key types.
    static let rsaEncryption = Self([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1])
    static let rsassaPSS = Self([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 10])
    static let ecPublicKey = Self([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1])
    static let dsa = Self([0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 1])
    static let ed25519 = Self([0x2B, 0x65, 0x70])
    static let ed448 = Self([0x2B, 0x65, 0x71])

    // RFC 5280 sections 4.2.1.6, 4.2.1.9, 4.2.1.13 and 4.2.2.1, RFC 6962 section 3.3: extensions and access methods.
    static let subjectAltName = Self([0x55, 0x1D, 0x11])
    static let basicConstraints = Self([0x55, 0x1D, 0x13])
    static let authorityInfoAccess = Self([0x2B, 6, 1, 5, 5, 7, 1, 1])
    static let crlDistributionPoints = Self([0x55, 0x1D, 0x1F])
    static let ocsp = Self([0x2B, 6, 1, 5, 5, 7, 0x30, 1])
    static let caIssuers = Self([0x2B, 6, 1, 5, 5, 7, 0x30, 2])
    static let timestamps = Self([0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 2])

    /// Signatures over MD2, MD4 and MD5.
    static let md5Signatures: Set<Self> = Set(
        [2, 3, 4].map { Self([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, $0]) } + [Self([0x2B, 0x0E, 3, 2, 3])])
    /// Signatures over SHA-1 with RSA, ECDSA and DSA, those of the OIW arc included.
    static let sha1Signatures: Set<Self> = [
        Self([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 5]), Self([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1]),
        Self([0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3]), Self([0x2B, 0x0E, 3, 2, 0x1D]), Self([0x2B, 0x0E, 3, 2, 0x1B]),
    ]
    static let sha1 = Self([0x2B, 0x0E, 3, 2, 0x1A])

    /// Attribute types with the short names that RFC 4514 section 3 and the LDAP registry give them.
    static let attributeNames: [Self: String] = [
        Self([0x55, 4, 3]): "CN", Self([0x55, 4, 4]): "sn", Self([0x55, 4, 5]): "serialNumber",
        Self([0x55, 4, 6]): "C", Self([0x55, 4, 7]): "L", Self([0x55, 4, 8]): "ST", Self([0x55, 4, 9]): "STREET",
        Self([0x55, 4, 10]): "O", Self([0x55, 4, 11]): "OU", Self([0x55, 4, 12]): "title",
        Self([0x55, 4, 15]): "businessCategory", Self([0x55, 4, 17]): "postalCode", Self([0x55, 4, 42]): "givenName",
        Self([0x55, 4, 0x2E]): "dnQualifier", Self([0x55, 4, 0x61]): "organizationIdentifier",
        Self([0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 1]): "UID",
        Self([0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25]): "DC",
        Self([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1]): "emailAddress",
        Self([0x2B, 6, 1, 4, 1, 0x82, 0x37, 0x3C, 2, 1, 1]): "jurisdictionL",
        Self([0x2B, 6, 1, 4, 1, 0x82, 0x37, 0x3C, 2, 1, 2]): "jurisdictionST",
        Self([0x2B, 6, 1, 4, 1, 0x82, 0x37, 0x3C, 2, 1, 3]): "jurisdictionC",
    ]

    /// Named curves: the name that people use, and the bits of the group's order.
    static let curves: [Self: (name: String, bits: Int)] = [
        Self([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 1]): ("P-192", 192), Self([0x2B, 0x81, 4, 0, 33]): ("P-224", 224),
        Self([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]): ("P-256", 256), Self([0x2B, 0x81, 4, 0, 34]): ("P-384", 384),
        Self([0x2B, 0x81, 4, 0, 35]): ("P-521", 521), Self([0x2B, 0x81, 4, 0, 10]): ("secp256k1", 256),
        Self([0x2B, 0x24, 3, 3, 2, 8, 1, 1, 7]): ("brainpoolP256r1", 256),
        Self([0x2B, 0x24, 3, 3, 2, 8, 1, 1, 11]): ("brainpoolP384r1", 384),
        Self([0x2B, 0x24, 3, 3, 2, 8, 1, 1, 13]): ("brainpoolP512r1", 512),
    ]
}
