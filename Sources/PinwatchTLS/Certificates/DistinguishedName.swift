internal import PinwatchCore

/// The text of a Name (RFC 5280 section 4.1.2.4) as RFC 4514 writes it: last relative name first.
///
/// OpenSSL's own reading refuses a whole Name for one string that is no UTF-8, so the walk is ours.
enum DistinguishedName {
    /// - Throws: where the Name is not built of sets of typed values.
    static func text(_ name: DERElement) throws(DERFault) -> String {
        var relativeNames: [String] = []
        var sets = name.children
        while !sets.isAtEnd {
            var values = try sets.next(DERTag.set).children
            var attributes: [String] = []
            while !values.isAtEnd { attributes.append(try attribute(try values.next(DERTag.sequence))) }
            relativeNames.append(attributes.joined(separator: "+"))
        }
        return relativeNames.reversed().joined(separator: ",")
    }

    private static func attribute(_ element: DERElement) throws(DERFault) -> String {
        var parts = element.children
        let type = try ObjectIdentifier(try parts.next())
        let value = try parts.next()
        if let name = ObjectIdentifier.attributeNames[type], let text = string(value) { return name + "=" + text }
        guard let dotted = type.dotted else { throw .badObjectIdentifier }
        let known = ObjectIdentifier.attributeNames[type] ?? dotted
        return known + "=#" + Hex.text(value.bytes)
    }

    /// The string in UTF-8, `nil` for values that are no strings.
    private static func string(_ value: DERElement) -> String? {
        switch value.tag {
        case DERTag.utf8String, 0x12...0x16, 0x19...0x1B:  // Numeric to IA5, Graphic to GeneralString
            return EscapedText.attribute(value.content)
        case DERTag.bmpString: return wide(value.content, unit: 2)
        case DERTag.universalString: return wide(value.content, unit: 4)
        default: return nil
        }
    }

    /// UTF-16 and UTF-32 in network order, surrogates of BMPString included, which Windows authorities write.
    private static func wide(_ bytes: ArraySlice<UInt8>, unit: Int) -> String? {
        guard bytes.count.isMultiple(of: unit) else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: unit).map { start in
            bytes[start..<start + unit].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        let text =
            unit == 2
            ? String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
            : String(validating: units, as: UTF32.self)
        return text.map { EscapedText.attribute(Array($0.utf8)[...]) }
    }
}
