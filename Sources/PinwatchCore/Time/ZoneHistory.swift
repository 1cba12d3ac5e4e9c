/// One zone's offsets from UTC through all time, read from a TZif file (RFC 9636) of version 2 or later.
package struct ZoneHistory: Sendable {
    /// The largest file that is read, in bytes; those of the tz database have a few thousand.
    package static let sizeLimit = 1 << 16

    /// Ascending. From each on, the offset beside it holds.
    private let transitions: [(at: Int64, offset: Int64)]
    /// Before the first transition.
    private let first: Int64
    /// From the last transition on; `nil` keeps its offset.
    private let rule: RecurringZoneRule?

    /// `nil` for bytes that are no TZif file, that contradict themselves, or that count leap seconds, as the tz database's
    /// `right/` files do: their times are not those of the rest of the system.
    package init?(tzif bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit, let old = TZifHeader(bytes[...]), old.version >= UInt8(ascii: "2") else {
            return nil
        }
        // The first block repeats the second one in 32 bits, for readers of version 1.
        guard let new = TZifHeader(bytes.dropFirst(TZifHeader.size + old.dataSize(timeSize: 4))), new.leapCount == 0,
            let data = bytes[new.end...].taking(new.dataSize(timeSize: 8)), let offsets = Self.offsets(data, new),
            let transitions = Self.transitions(data, new, offsets), let first = offsets.first
        else { return nil }
        let footer = bytes[data.endIndex...]
        guard footer.count >= 2, footer.first == 0x0A, footer.last == 0x0A else { return nil }
        let text = footer.dropFirst().dropLast()
        guard let rule = text.isEmpty ? .some(nil) : RecurringZoneRule(posix: text).map(Optional.some) else {
            return nil
        }
        self.transitions = transitions
        self.first = first
        self.rule = rule
    }

    /// Seconds east of UTC at an instant.
    package func offset(at instant: Instant) -> Int64 {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= instant.unixSeconds { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let rule { return rule.offset(at: instant) }
        return low == 0 ? first : transitions[low - 1].offset
    }

    private static func offsets(_ data: ArraySlice<UInt8>, _ header: TZifHeader) -> [Int64]? {
        let start = data.startIndex + header.timeCount * 9
        let offsets = (0..<header.typeCount).map { data.signed(at: start + $0 * 6, size: 4) }
        // RFC 9636 section 3.2: more than 25 hours behind and 26 ahead are not to be believed.
        return offsets.allSatisfy { (-89_999...93_599).contains($0) } ? offsets : nil
    }

    private static func transitions(
        _ data: ArraySlice<UInt8>, _ header: TZifHeader, _ offsets: [Int64]
    ) -> [(at: Int64, offset: Int64)]? {
        var found: [(at: Int64, offset: Int64)] = []
        for index in 0..<header.timeCount {
            let at = data.signed(at: data.startIndex + index * 8, size: 8)
            let type = Int(data[data.startIndex + header.timeCount * 8 + index])
            guard offsets.indices.contains(type), found.last.map({ $0.at < at }) ?? true else { return nil }
            found.append((at, offsets[type]))
        }
        return found
    }
}

/// The fixed part before each data block (RFC 9636 section 3.1).
private struct TZifHeader {
    static let size = 44

    let version: UInt8
    let end: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    private let characterCount: Int
    private let indicatorCount: Int

    /// `nil` where it is cut short or names no type of local time at all.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.size, bytes.starts(with: Array("TZif".utf8)) else { return nil }
        let counts = (0..<6).map { Int(bytes.signed(at: bytes.startIndex + 20 + $0 * 4, size: 4)) }
        // A file of at most `ZoneHistory.sizeLimit` bytes cannot hold more of anything; so nothing below overflows.
        guard counts.allSatisfy({ (0...ZoneHistory.sizeLimit).contains($0) }), counts[4] > 0 else { return nil }
        version = bytes[bytes.startIndex + 4]
        end = bytes.startIndex + Self.size
        (leapCount, timeCount, typeCount) = (counts[2], counts[3], counts[4])
        (characterCount, indicatorCount) = (counts[5], counts[0] + counts[1])
    }

    /// Bytes of the block behind the header.
    ///
    /// - Parameter timeSize: 4 in the first block, 8 in the second.
    func dataSize(timeSize: Int) -> Int {
        timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + indicatorCount
    }
}

extension ArraySlice<UInt8> {
    /// The next bytes, or `nil` where there are not so many.
    fileprivate func taking(_ count: Int) -> ArraySlice<UInt8>? {
        count <= self.count ? prefix(count) : nil
    }

    /// A big-endian number in two's complement; the place must lie within.
    fileprivate func signed(at index: Int, size: Int) -> Int64 {
        let bits = self[index..<index + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
