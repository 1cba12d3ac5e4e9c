import PinwatchAlert
import PinwatchCore
import Testing

@Suite struct RedactionTests {
    private let url = Secret("https://user:passw0rd@hooks.example.com/services/T0AAAAAA/B0BBBBBB?token=q9q9q9q9#f")

    @Test(
        "Path, query, user and their parts are taken out, and the host stays",
        arguments: [
            ("Cannot POST /services/T0AAAAAA/B0BBBBBB?token=q9q9q9q9", ["T0AAAAAA", "B0BBBBBB", "q9q9q9q9"]),
            (#"{"path":"\/services\/T0AAAAAA\/B0BBBBBB"}"#, ["T0AAAAAA", "B0BBBBBB"]),
            ("bad token q9q9q9q9 at hooks.example.com", ["q9q9q9q9"]), ("passw0rd", ["passw0rd"]),
        ])
    func cleans(text: String, secrets: [String]) {
        let cleaned = Redaction(url: url).clean(text)
        for secret in secrets { #expect(!cleaned.contains(secret)) }
        #expect(cleaned.contains("<secret>"))
        #expect(cleaned.contains("hooks.example.com") == text.contains("hooks.example.com"))
    }

    @Test(
        "Other words are left alone",
        arguments: ["no_service", "Could not resolve host: hooks.example.com", "/", "post"])
    func keeps(text: String) {
        #expect(Redaction(url: url).clean(text) == text)
        #expect(Redaction(url: Secret("https://hooks.example.com/")).clean(text) == text)
        #expect(Redaction(url: Secret("")).clean(text) == text)
    }
}
