/// SecCertificateCopySubjectSummary: the name by which Apple's systems call a certificate.
enum AppleSubjectSummary {
    /// The common name, with a description behind it in parentheses if the subject has one; without a common name the first
    /// name of the subjectAltName. Several of a kind are strung together, the last first.
    ///
    /// - Returns: The name, `nil` where there is none, and what was not seen on the way to it.
    static func read(_ certificate: CertificateSummary) -> (name: String?, notes: [String]) {
        let attributes = certificate.subject.map(attributes(of:)) ?? []
        func values(_ type: String) -> String? {
            let values = attributes.filter { $0.type == type }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        if let name = values("CN") {
            return (values(descriptionType).map { "\(name) (\($0))" } ?? name, [])
        }
        return (
            certificate.dnsNames?.first,
            [
                "the leaf has no common name, so its first e-mail address or, as is assumed here, its first DNS name stands "
                    + "for it"
            ]
        )
    }

    /// `description` (RFC 4519 section 2.5), which has no short name in RFC 4514.
    private static let descriptionType = "2.5.4.13"

    /// The attributes of an RFC 4514 text in its order, which is the certificate's reversed.
    private static func attributes(of subject: String) -> [(type: String, value: String)] {
        var attributes: [(String, String)] = []
        for part in split(Array(subject.utf8)) {
            guard let equals = part.firstIndex(of: 0x3D) else { continue }
            let type = String(decoding: part[..<equals], as: UTF8.self)
            attributes.append((type, value(part[part.index(after: equals)...])))
        }
        return attributes
    }

    /// Cut at commas and plus signs that no backslash stands before.
    private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        while index < text.count {
            if text[index] == 0x5C {
                index += 1
            }  // What is escaped is no separator.
            else if text[index] == 0x2C || text[index] == 0x2B {
                parts.append(text[start..<index])
                start = index + 1
            }
            index += 1
        }
        return parts + [text[min(start, text.count)...]]
    }

    /// Without escapes; a string in hexadecimal DER, `#0c03…`, is decoded if it is short.
    private static func value(_ text: ArraySlice<UInt8>) -> String {
        if text.first == 0x23, let der = bytes(ofHex: text.dropFirst()), der.count >= 2, der.count < 130 {
            return String(decoding: der.dropFirst(2), as: UTF8.self)
        }
        var out: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let next = rest.first else {
                out.append(byte)
                continue
            }
            if let pair = bytes(ofHex: rest.prefix(2)), pair.count == 1 {
                out += pair
                rest = rest.dropFirst(2)
            } else {
                out.append(next)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func bytes(ofHex text: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
