import PinwatchConfig
import PinwatchCore
import Testing

@Suite struct ChannelRulesTests {
    @Test(
        "a URL's host is what stands before port and path",
        arguments: [
            ("https://hooks.slack.com/services/T0/B0/x", "hooks.slack.com"), ("http://u:p@[::1]:80/", "::1"),
            ("HTTPS://a.example:8443", "a.example"),
        ])
    func host(_ url: String, _ host: String) throws {
        #expect(try ChannelRules.host(of: Secret(url)) == host)
    }

    @Test(
        "what is no URL is refused without being shown",
        arguments: ["hush", "ftp://hush/", "https://", "https://hush:0/"])
    func refused(_ url: String) {
        let error = #expect(throws: HostProblem.self) { try ChannelRules.host(of: Secret(url)) }
        #expect(error?.description.hasPrefix("must be a URL") == true)
        #expect(error?.description.contains("hush") == false)
    }

    @Test func `a secret that signs is checked as in the file`() {
        #expect(throws: Never.self) { try ChannelRules.check(signingKey: Secret(Room.secret)) }
        #expect(throws: HostProblem.self) { try ChannelRules.check(signingKey: Secret("whsec_AAAA")) }
    }
}
