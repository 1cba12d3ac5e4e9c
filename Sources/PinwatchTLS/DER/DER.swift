internal import PinwatchCore

/// Why bytes are not the DER that was looked for. The description goes into a certificate's `unreadable` list.
enum DERFault: Error, Hashable, CustomStringConvertible {
    case endsEarly
    case indefiniteLength
    case lengthOfManyBytes(Int)
    case runsOver(by: Int)
    case multiByteTag
    case unexpectedTag(UInt8, wanted: UInt8)
    case emptyInteger
    case badObjectIdentifier
    case notAKey
    case malformedTime(String)
    case timeWithoutZone(String)
    case badAddressLength(Int)
    case badTimestampList
    case beyondCalendar

    var description: String {
        switch self {
        case .endsEarly: "the bytes end where a value should begin"
        case .indefiniteLength: "the length is indefinite, which DER forbids"
        case .lengthOfManyBytes(let count): "the length takes \(count) bytes, more than the 4 that are read"
        case .runsOver(let count): "the value runs \(count) bytes over the end of what holds it"
        case .multiByteTag: "the tag has several bytes"
        case .unexpectedTag(let tag, let wanted): "tag \(Hex.byte(tag)) stands where \(Hex.byte(wanted)) should"
        case .emptyInteger: "the INTEGER has no bytes"
        case .badObjectIdentifier: "the object identifier is malformed"
        case .notAKey: "this is no SubjectPublicKeyInfo"
        case .malformedTime(let text): "\(text) is no UTCTime or GeneralizedTime"
        case .timeWithoutZone(let text): "\(text) names no time zone"
        case .badAddressLength(let count): "an iPAddress has \(count) bytes, not 4 or 16"
        case .badTimestampList: "the list of signed certificate timestamps is malformed"
        case .beyondCalendar: "the time lies outside the years 1 to 9999"
        }
    }
}

/// One value with its header, as it stands in the bytes.
struct DERElement: Hashable {
    let tag: UInt8
    /// Header and content.
    let bytes: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

    /// A cursor over what a constructed value holds.
    var children: DERCursor { DERCursor(content) }
}

/// Walks values one after another: definite lengths of at most four bytes, single-byte tags. The lengths need not be
/// the shortest, and nothing is asked of contents: what one field holds must not cost the others.
struct DERCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }
    /// The next value's tag without taking it.
    var tag: UInt8? { rest.first }

    /// Takes the next value.
    ///
    /// - Parameter clipped: Cuts a value that runs over the end there, so that a certificate cut short still shows the
    ///   fields that arrived.
    mutating func next(clipped: Bool = false) throws(DERFault) -> DERElement {
        guard let tag = rest.first else { throw .endsEarly }
        guard tag & 0x1F != 0x1F else { throw .multiByteTag }
        var index = rest.startIndex + 1
        guard index < rest.endIndex else { throw .endsEarly }
        let first = rest[index]
        index += 1
        var length = Int(first)
        if first & 0x80 != 0 {
            let count = Int(first & 0x7F)
            guard count > 0 else { throw .indefiniteLength }
            guard count <= 4 else { throw .lengthOfManyBytes(count) }
            guard rest.endIndex - index >= count else { throw .endsEarly }
            length = rest[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
            index += count
        }
        let available = rest.endIndex - index
        if length > available {
            guard clipped else { throw .runsOver(by: length - available) }
            length = available
        }
        let end = index + length
        defer { rest = rest[end...] }
        return DERElement(tag: tag, bytes: rest[..<end], content: rest[index..<end])
    }

    /// Takes the next value, which must have this tag.
    mutating func next(_ wanted: UInt8) throws(DERFault) -> DERElement {
        let element = try next()
        guard element.tag == wanted else { throw .unexpectedTag(element.tag, wanted: wanted) }
        return element
    }

    /// Takes the next value if it has this tag.
    mutating func nextIf(_ wanted: UInt8) throws(DERFault) -> DERElement? {
        rest.first == wanted ? try next() : nil
    }
}

/// Universal tags, as far as certificates use them.
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let universalString: UInt8 = 0x1C
    static let bmpString: UInt8 = 0x1E
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
}

extension Hex {
    /// `0x1f`.
    fileprivate static func byte(_ byte: UInt8) -> String { "0x" + text([byte]) }
}
