internal import FoundationEssentials

/// The blocks of a PEM file (RFC 7468) in order; text before, between and after them is passed over.
struct PEMBlocks {
    struct Block {
        /// What stands after `BEGIN`, such as `CERTIFICATE`.
        let label: String
        /// `nil` where the last line is missing, or what stands between is no base64.
        let bytes: [UInt8]?
    }

    let blocks: [Block]

    /// - Parameter text: Bytes of a file, of a size that the caller has bounded.
    init(_ text: [UInt8]) {
        var found: [Block] = []
        var label: String?
        var base64: [UInt8] = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = Self.trimmed(line)
            if let begun = Self.label(line, "BEGIN ") {
                if let label { found.append(Block(label: label, bytes: nil)) }
                (label, base64) = (begun, [])
            } else if let open = label, let ended = Self.label(line, "END ") {
                found.append(Block(label: open, bytes: ended == open ? Self.decoded(base64) : nil))
                label = nil
            } else if label != nil {
                base64 += line
            }
        }
        if let label { found.append(Block(label: label, bytes: nil)) }
        blocks = found
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func label(_ line: ArraySlice<UInt8>, _ keyword: String) -> String? {
        let (head, tail) = (Array(("-----" + keyword).utf8), Array("-----".utf8))
        guard line.count >= head.count + tail.count, line.starts(with: head), line.suffix(5).elementsEqual(tail) else {
            return nil
        }
        return String(decoding: line.dropFirst(head.count).dropLast(5), as: UTF8.self)
    }

    private static func decoded(_ base64: [UInt8]) -> [UInt8]? {
        Data(base64Encoded: Data(base64)).map { Array($0) }
    }
}
