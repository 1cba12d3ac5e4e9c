import PinwatchCore
import Testing

@Suite("Pin text")
struct PinTextTests {
    @Test(
        "standard and URL-safe base64 is read, padded or not",
        arguments: [
            ("+/8=", [0xFB, 0xFF]), ("-_8=", [0xFB, 0xFF]), ("-/8", [0xFB, 0xFF]), ("_w==", [0xFF]), ("/w", [0xFF]),
            ("AAAA", [0, 0, 0]),
        ] as [(String, [UInt8])])
    func reads(_ text: String, _ bytes: [UInt8]) {
        #expect(PinText.bytes(base64: text) == bytes)
    }

    @Test(
        "anything else is not",
        arguments: [
            "", "=", "====", "A===", "AAAA====", "_w=", "+/8==", "A", "AAAAA", "AA AA", "AAA\n", "+-\u{301}8=", "ÄÄ==",
            "−/8=", "A=AA", String(repeating: "A", count: 4_100),
        ])
    func refuses(_ text: String) {
        #expect(PinText.bytes(base64: text) == nil)
    }
}
