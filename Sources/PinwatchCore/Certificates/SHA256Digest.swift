import FoundationEssentials

/// 32 bytes of SHA-256. What was hashed is said by the name of the property that holds it.
package struct SHA256Digest: Hashable, Sendable, Comparable {
    private let a: UInt64, b: UInt64, c: UInt64, d: UInt64

    /// `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        self.init(Array(bytes))
    }

    /// `nil` unless there are exactly 32 bytes. Of arrays, as rows and hashes are: every list reads many.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for place in start..<start + 8 { word = word << 8 | UInt64(bytes[place]) }
            return word
        }
        (a, b, c, d) = (word(0), word(8), word(16), word(24))
    }

    /// Reads 64 hexadecimal digits of either case, nothing between them.
    package init?(hex: String) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes)
    }

    /// The digest's bytes in order.
    package var bytes: [UInt8] {
        [a, b, c, d].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
    }

    /// 64 lower-case digits: the form of certificates in the API.
    package var hex: String { Hex.text(bytes) }

    /// Padded standard base64, 44 characters: the form of SPKI pins after `sha256/`.
    package var base64: String { Data(bytes).base64EncodedString() }

    /// Unpadded base64url (RFC 4648 section 5), 43 characters: the form of keys in API paths.
    package var base64url: String {
        String(base64.dropLast().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// `sha256/` and padded base64, as OkHttp and the API write an SPKI pin.
    package var pin: String { "sha256/" + base64 }

    package static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
        (left.a, left.b, left.c, left.d) < (right.a, right.b, right.c, right.d)
    }
}

/// Hexadecimal digits.
package enum Hex {
    /// Lower-case digits, two a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var characters: [UInt8] = []
        for byte in bytes {
            characters.append(digits[Int(byte >> 4)])
            characters.append(digits[Int(byte & 15)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Either case, an even number of digits and nothing else; `nil` otherwise.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
