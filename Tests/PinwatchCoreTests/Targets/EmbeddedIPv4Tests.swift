import PinwatchCore
import Testing

@Suite struct EmbeddedIPv4Tests {
    @Test(
        "The IPv4 address behind a gateway's form is found",
        arguments: [
            "64:ff9b::192.0.2.1", "64:ff9b:1::192.0.2.1", "64:ff9b:1:a:b:c:192.0.2.1", "::192.0.2.1",
            "2002:c000:201::1", "2002:c000:201:ffff:ffff:ffff:ffff:ffff",
        ])
    func found(text: String) throws {
        #expect(try #require(IPAddress(text)).embeddedIPv4 == IPAddress("192.0.2.1"))
    }

    @Test(
        "Other addresses embed none",
        arguments: [
            "192.0.2.1", "::ffff:192.0.2.1", "64:ff9b:0:1::192.0.2.1", "64:ff9b:2::192.0.2.1", "2001:db8::192.0.2.1",
            "2003:c000:201::1", "::1:0:192.0.2.1", "fe80::192.0.2.1",
        ])
    func none(text: String) throws {
        #expect(try #require(IPAddress(text)).embeddedIPv4 == nil)
    }
}
