internal import FoundationEssentials
internal import PinwatchCore

/// A place in a list: the sort values of the item before it. Opaque to clients as base64url.
struct Cursor {
    /// Which list and order it belongs to; another's cursor is refused.
    let list: String
    let values: [Value]

    init(list: String, values: [Value]) {
        self.list = list
        self.values = values
    }

    /// - Throws: ``StoreRefusal`` for text that is no cursor of `list` with `count` values.
    init(_ text: String, list: String, count: Int) throws(StoreRefusal) {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard text.utf8.count <= 1_024, let data = Data(base64Encoded: base64),
            case .array(let items)? = JSON(stored: String(decoding: data, as: UTF8.self)), items.count == count + 1,
            items.first == .string(list)
        else {
            throw StoreRefusal(field: "cursor", message: "it is not a `next` of this list with this sort")
        }
        self.list = list
        values = items.dropFirst().map { item in
            switch item {
            case .integer(let number): .integer(number)
            case .string(let text): .text(text)
            case .null, .bool, .number, .array, .object: .null
            }
        }
    }

    var text: String {
        let items: [JSON] = values.map { value in
            switch value {
            case .integer(let number): .integer(number)
            case .text(let text): .string(text)
            case .null, .real, .blob: .null
            }
        }
        let base64 = Data(JSON.array([.string(list)] + items).bytes).base64EncodedString()
        return String(base64.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
