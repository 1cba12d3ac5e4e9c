import PinwatchCore
import Testing

@Suite struct JSONParserTests {
    private func parse(_ text: String, depth: Int = 32) throws(JSONFault) -> JSON {
        try JSON(parsing: Array(text.utf8), maximumDepth: depth)
    }

    @Test(arguments: [
        ("null", JSON.null), (" \t\r\n true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
        ("-0", .integer(0)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)), ("1e2", .number(100)),
        ("-1.5E-1", .number(-0.15)), ("\"\"", .string("")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e4\ud83d\ude00""#, .string("ä😀")), ("\"ä😀\"", .string("ä😀")), (#""\u0000""#, .string("\0")),
        ("[]", .array([])), ("[1, [2] ]", .array([.integer(1), .array([.integer(2)])])), ("{}", .object([])),
        (#"{"b":1 , "a":null}"#, .object([("b", .integer(1)), ("a", .null)])),
    ])
    func `A JSON text is read, its members in their order`(text: String, value: JSON) throws {
        #expect(try parse(text) == value)
    }

    @Test(arguments: [
        ("", 1, 1), (" ", 1, 2), ("nul", 1, 1), ("True", 1, 1), ("1 2", 1, 3), ("{}x", 1, 3), ("01", 1, 2), ("-", 1, 2),
        ("1.", 1, 3), (".5", 1, 1), ("+1", 1, 1), ("1e", 1, 3), ("1e400", 1, 6), ("NaN", 1, 1), ("\"a", 1, 3),
        ("\"a\nb\"", 1, 3), (#""\x""#, 1, 4), (#""\u12""#, 1, 4), (#""\ud800""#, 1, 8), (#""\udc00""#, 1, 8),
        (#""\ud800A""#, 1, 8), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("[", 1, 2), ("{\"a\"}", 1, 5),
        ("{a:1}", 1, 2), ("{\"a\":1,}", 1, 8), ("{\"a\":1 \"b\":2}", 1, 8), ("{\n \"a\":1,\n \"a\":2}", 3, 5),
        (#"{"a":1,"\u0061":2}"#, 1, 16), ("'a'", 1, 1), ("/**/1", 1, 1), ("\u{FEFF}1", 1, 1),
    ])
    func `What is no JSON text is refused at its place`(text: String, line: Int, column: Int) throws {
        let fault = try #require(throws: JSONFault.self) { try parse(text) }
        #expect((fault.line, fault.column) == (line, column), "\(fault.message)")
    }

    @Test func `Bytes that are no UTF-8 are refused`() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONFault.self) { try JSON(parsing: bytes) }
        }
    }

    @Test func `Depth is bounded`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(32))
        #expect(throws: JSONFault.self) { try parse(nested(33)) }
        #expect(throws: JSONFault.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test func `What was written is read back as it was`() throws {
        let value = JSON.object([
            ("text", .string("\u{2028}\u{7F}\"\\\u{0}😀")), ("list", .array([.integer(-1), .number(0.1), .bool(true)])),
            ("null", .null),
        ])
        #expect(try parse(value.text) == value)
        #expect(try parse(value.indented) == value)
    }

    @Test func `A member is found by its name, the first of an object only`() {
        let value = JSON.object([("a", .integer(1))])
        #expect(value["a"] == .integer(1) && value["b"] == nil && JSON.null["a"] == nil)
    }
}
