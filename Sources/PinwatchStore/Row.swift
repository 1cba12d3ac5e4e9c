internal import PinwatchCore

/// One row of an answer, its columns by their place in the statement.
struct Row: Sendable {
    let values: [Value]

    subscript(column: Int) -> Value { values[column] }

    func integer(_ column: Int) throws(StoreError) -> Int64 {
        guard case .integer(let number) = values[column] else { throw wrong(column, "an integer") }
        return number
    }

    func integerOrNil(_ column: Int) throws(StoreError) -> Int64? {
        values[column] == .null ? nil : try integer(column)
    }

    func whole(_ column: Int) throws(StoreError) -> Int { Int(truncatingIfNeeded: try integer(column)) }

    func flag(_ column: Int) throws(StoreError) -> Bool { try integer(column) != 0 }

    func realOrNil(_ column: Int) throws(StoreError) -> Double? {
        switch values[column] {
        case .null: return nil
        case .real(let number): return number
        case .integer, .text, .blob: throw wrong(column, "a real number")
        }
    }

    func text(_ column: Int) throws(StoreError) -> String {
        guard case .text(let text) = values[column] else { throw wrong(column, "text") }
        return text
    }

    func textOrNil(_ column: Int) throws(StoreError) -> String? {
        values[column] == .null ? nil : try text(column)
    }

    func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        guard case .blob(let bytes) = values[column] else { throw wrong(column, "bytes") }
        return bytes
    }

    func blobOrNil(_ column: Int) throws(StoreError) -> [UInt8]? {
        values[column] == .null ? nil : try blob(column)
    }

    func instant(_ column: Int) throws(StoreError) -> Instant { Instant(unixSeconds: try integer(column)) }

    func instantOrNil(_ column: Int) throws(StoreError) -> Instant? {
        try integerOrNil(column).map { Instant(unixSeconds: $0) }
    }

    func digest(_ column: Int) throws(StoreError) -> SHA256Digest {
        guard let digest = SHA256Digest(try blob(column)) else { throw wrong(column, "32 bytes") }
        return digest
    }

    func digestOrNil(_ column: Int) throws(StoreError) -> SHA256Digest? {
        values[column] == .null ? nil : try digest(column)
    }

    /// Empty bytes are no address, see ``Value/address(_:)``.
    func addressOrNil(_ column: Int) throws(StoreError) -> IPAddress? {
        let bytes = try blob(column)
        if bytes.isEmpty { return nil }
        guard let address = IPAddress(bytes: bytes) else { throw wrong(column, "4 or 16 bytes") }
        return address
    }

    func address(_ column: Int) throws(StoreError) -> IPAddress {
        guard let address = try addressOrNil(column) else { throw wrong(column, "an address") }
        return address
    }

    /// A word of a closed list.
    func word<Word: RawRepresentable<String>>(_ column: Int, _ type: Word.Type = Word.self) throws(StoreError) -> Word {
        let text = try text(column)
        guard let word = Word(rawValue: text) else { throw wrong(column, "a word of \(Word.self), not `\(text)`") }
        return word
    }

    /// A word, or `nil` for NULL and for empty text.
    func wordOrNil<Word: RawRepresentable<String>>(
        _ column: Int, _ type: Word.Type = Word.self
    ) throws(StoreError) -> Word? {
        if values[column] == .null || values[column] == .text("") { return nil }
        return try word(column)
    }

    func wrong(_ column: Int, _ expected: String) -> StoreError {
        .unreadableRow(column: column, why: "it should be \(expected)")
    }
}
