internal import PinwatchCore

/// The members of a stored JSON object, read back into values.
///
/// What is written here is read by this room only; the API's shapes are made elsewhere and may change freely.
struct StoredObject {
    private let members: [String: JSON]

    init(_ text: String) throws(StoreError) {
        guard let json = JSON(stored: text) else { throw Self.fault("it is not JSON") }
        try self.init(json)
    }

    init(_ json: JSON) throws(StoreError) {
        guard case .object(let members) = json else { throw Self.fault("it is not a JSON object") }
        self.members = Dictionary(members) { first, _ in first }
    }

    static func fault(_ why: String) -> StoreError { .unreadableRow(column: -1, why: why) }

    func json(_ name: String) -> JSON { members[name] ?? .null }

    func object(_ name: String) throws(StoreError) -> StoredObject { try StoredObject(json(name)) }

    func objectOrNil(_ name: String) throws(StoreError) -> StoredObject? {
        json(name) == .null ? nil : try object(name)
    }

    func objects(_ name: String) throws(StoreError) -> [StoredObject] {
        guard case .array(let items) = json(name) else { throw Self.fault("`\(name)` is no list") }
        var objects: [StoredObject] = []
        for item in items { objects.append(try StoredObject(item)) }
        return objects
    }

    func text(_ name: String) throws(StoreError) -> String {
        guard case .string(let text) = json(name) else { throw Self.fault("`\(name)` is no text") }
        return text
    }

    func textOrNil(_ name: String) throws(StoreError) -> String? { json(name) == .null ? nil : try text(name) }

    func texts(_ name: String) throws(StoreError) -> [String] {
        guard let texts = json(name).texts else { throw Self.fault("`\(name)` is no list of texts") }
        return texts
    }

    /// A list of words of a closed list.
    func words<Word: RawRepresentable<String>>(_ name: String) throws(StoreError) -> [Word] {
        var words: [Word] = []
        for text in try texts(name) {
            guard let word = Word(rawValue: text) else { throw Self.fault("`\(name)` has `\(text)`, no \(Word.self)") }
            words.append(word)
        }
        return words
    }

    func integers(_ name: String) throws(StoreError) -> [Int64] {
        guard case .array(let items) = json(name) else { throw Self.fault("`\(name)` is no list") }
        var numbers: [Int64] = []
        for item in items {
            guard case .integer(let number) = item else { throw Self.fault("`\(name)` is no list of whole numbers") }
            numbers.append(number)
        }
        return numbers
    }

    /// An object whose members are texts.
    func dictionary(_ name: String) throws(StoreError) -> [String: String] {
        guard case .object(let members) = json(name) else { throw Self.fault("`\(name)` is no object") }
        var texts: [String: String] = [:]
        for (name, value) in members {
            guard case .string(let text) = value else { throw Self.fault("`\(name)` is no text") }
            texts[name] = text
        }
        return texts
    }

    func integer(_ name: String) throws(StoreError) -> Int64 {
        guard case .integer(let number) = json(name) else { throw Self.fault("`\(name)` is no whole number") }
        return number
    }

    func integerOrNil(_ name: String) throws(StoreError) -> Int64? { json(name) == .null ? nil : try integer(name) }

    func realOrNil(_ name: String) throws(StoreError) -> Double? {
        switch json(name) {
        case .null: return nil
        case .number(let number): return number
        case .integer(let number): return Double(number)
        case .bool, .string, .array, .object: throw Self.fault("`\(name)` is no number")
        }
    }

    func flag(_ name: String) throws(StoreError) -> Bool {
        guard case .bool(let flag) = json(name) else { throw Self.fault("`\(name)` is no flag") }
        return flag
    }

    func instant(_ name: String) throws(StoreError) -> Instant { Instant(unixSeconds: try integer(name)) }

    func instantOrNil(_ name: String) throws(StoreError) -> Instant? {
        try integerOrNil(name).map { Instant(unixSeconds: $0) }
    }

    func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type = Word.self) throws(StoreError) -> Word
    {
        let text = try text(name)
        guard let word = Word(rawValue: text) else { throw Self.fault("`\(name)` is `\(text)`, no \(Word.self)") }
        return word
    }

    func wordOrNil<Word: RawRepresentable<String>>(
        _ name: String, _ type: Word.Type = Word.self
    ) throws(StoreError) -> Word? {
        json(name) == .null ? nil : try word(name)
    }

    func digest(_ name: String) throws(StoreError) -> SHA256Digest {
        guard let digest = SHA256Digest(hex: try text(name)) else { throw Self.fault("`\(name)` is no digest") }
        return digest
    }
}

extension JSON {
    /// Reads text that ``JSON/text`` wrote; `nil` for anything else. Reading back gives an equal value, since
    /// reconciliation compares stored findings with new ones.
    init?(stored text: String) {
        guard let value = try? JSON(parsing: Array(text.utf8), maximumDepth: 64) else { return nil }
        self = value
    }

    /// An instant as it is stored: whole seconds.
    static func stored(_ instant: Instant?) -> JSON { stored(instant?.unixSeconds) }
    static func stored(_ number: Int64?) -> JSON { number.map { .integer($0) } ?? .null }

    /// The members of a list of texts; `nil` for anything else.
    var texts: [String]? {
        guard case .array(let items) = self else { return nil }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.append(text)
        }
        return texts
    }
}
