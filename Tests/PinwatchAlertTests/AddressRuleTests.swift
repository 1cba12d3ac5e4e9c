import PinwatchAlert
import PinwatchCore
import Testing

@Suite struct AddressRuleTests {
    private func refusal(_ text: String, allowPrivate: Bool) throws -> AttemptFailure? {
        let address = try #require(IPAddress(text))
        return AddressRule(allowPrivate: allowPrivate).refusal(of: address)
    }

    @Test(
        "Private addresses only with allow_private",
        arguments: [
            "127.0.0.1", "127.8.9.10", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd00::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "0.0.0.0", "::", "64:ff9b::10.0.0.1",
            "64:ff9b:1::8.8.8.8", "::10.0.0.1", "::127.0.0.1", "2002:a00:1::1",
        ])
    func privates(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(try refusal(text, allowPrivate: false) == .addressPrivate(address))
        #expect(try refusal(text, allowPrivate: true) == nil)
    }

    @Test(
        "Link-local and metadata addresses never, however they are written",
        arguments: [
            "169.254.169.254", "169.254.0.1", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254", "2002:a9fe:a9fe::1",
            "64:ff9b:1::169.254.169.254", "64:ff9b:1:a:b:c:169.254.169.254", "::169.254.169.254", "::100.100.100.200",
            "fe80::1", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "168.63.129.16",
        ])
    func denied(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(try refusal(text, allowPrivate: false) == .addressDenied(address))
        #expect(try refusal(text, allowPrivate: true) == .addressDenied(address))
    }

    @Test(
        "Public addresses always",
        arguments: ["93.184.215.14", "2606:4700::6810:84e5", "::ffff:1.1.1.1", "172.32.0.1", "::1.1.1.1"])
    func publics(text: String) throws {
        #expect(try refusal(text, allowPrivate: false) == nil)
    }

    @Test func `A refusal names the address and the key that would allow it`() throws {
        let words = try #require(try refusal("10.1.2.3", allowPrivate: false)).words
        #expect(words.contains("10.1.2.3") && words.contains("allow_private"))
    }
}
