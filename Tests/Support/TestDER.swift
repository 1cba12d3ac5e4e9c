package import PinwatchCore

/// A writer of DER, deaf to what makes sense, so that tests can make what no library would.
package enum TestDER {
    /// Tag, shortest definite length, body.
    package static func tlv(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        guard body.count >= 128 else { return [tag, UInt8(body.count)] + body }
        var length: [UInt8] = []
        var rest = body.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + body
    }

    package static func sequence(_ items: [UInt8]...) -> [UInt8] { tlv(0x30, items.flatMap { $0 }) }
    package static func sequence(of items: [[UInt8]]) -> [UInt8] { tlv(0x30, items.flatMap { $0 }) }
    package static func octets(_ body: [UInt8]) -> [UInt8] { tlv(0x04, body) }
    package static func bits(_ body: [UInt8]) -> [UInt8] { tlv(0x03, [0] + body) }
    package static let null: [UInt8] = [0x05, 0x00]

    /// An OBJECT IDENTIFIER from its dotted text.
    package static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        precondition(arcs.count >= 2, "an object identifier has two arcs or more")
        var body: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var septets = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                septets.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            body += septets
        }
        return tlv(0x06, body)
    }

    /// UTCTime for years 1950 to 2049, else GeneralizedTime, as RFC 5280 section 4.1.2.5 wants it.
    package static func time(_ instant: Instant) -> [UInt8] {
        guard let text = instant.rfc3339 else { preconditionFailure("certificates of tests lie in years 1 to 9999") }
        let digits = text.filter(\.isNumber)
        let isUTC = (1950...2049).contains(Int(digits.prefix(4)) ?? 0)
        return isUTC ? tlv(0x17, Array((digits.dropFirst(2) + "Z").utf8)) : tlv(0x18, Array((digits + "Z").utf8))
    }

    /// A Name of one attribute per relative name, UTF8String but for the country, which is a PrintableString.
    package static func name(_ attributes: [(oid: String, value: [UInt8])]) -> [UInt8] {
        sequence(
            of: attributes.map { attribute in
                let string = tlv(attribute.oid == "2.5.4.6" ? 0x13 : 0x0C, attribute.value)
                return tlv(0x31, sequence(oid(attribute.oid), string))
            })
    }

    /// A Name of a commonName alone.
    package static func name(commonName: String) -> [UInt8] {
        name([(oid: "2.5.4.3", value: Array(commonName.utf8))])
    }
}
