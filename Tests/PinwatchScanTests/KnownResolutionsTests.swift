import PinwatchCore
import Testing

@testable import PinwatchScan

@Suite("Resolutions that are known") struct KnownResolutionsTests {
    private let name = HostName(checked: "a.test")

    private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test(
        "are known for their time to live, five minutes at most, and not beyond",
        arguments: [(60, 60), (300, 300), (86_400, 300), (0, 0), (-1, 0)] as [(Int64, Int64)])
    func lifetimes(lifetime: Int64, known: Int64) throws {
        var resolutions = KnownResolutions()
        let address = try #require(IPAddress("192.0.2.1"))
        resolutions.keep(Resolution(addresses: [address], lifetimeSeconds: lifetime), of: name, at: at(10))
        #expect(resolutions.addresses(of: name, at: at(9 + known)) == (known > 0 ? [address] : nil))
        #expect(resolutions.addresses(of: name, at: at(10 + known)) == nil)
        #expect(resolutions.addresses(of: HostName(checked: "b.test"), at: at(10)) == nil)
    }

    @Test("give way to a newer answer, and to one that may not be kept")
    func newer() throws {
        var resolutions = KnownResolutions()
        let (first, second) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        resolutions.keep(Resolution(addresses: [first], lifetimeSeconds: 60), of: name, at: at(0))
        resolutions.keep(Resolution(addresses: [second], lifetimeSeconds: 60), of: name, at: at(1))
        #expect(resolutions.addresses(of: name, at: at(2)) == [second])
        resolutions.keep(Resolution(addresses: [first]), of: name, at: at(2))
        #expect(resolutions.addresses(of: name, at: at(2)) == nil)
    }
}
