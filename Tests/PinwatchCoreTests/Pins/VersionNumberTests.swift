import PinwatchCore
import Testing

@Suite struct VersionNumberTests {
    @Test(
        "versions compare by number, not by text, and what is not written is 0",
        arguments: [("4.9.1", "4.10"), ("8.17", "8.18"), ("5", "5.0.1"), ("3.14.9", "4.3.0"), ("4.3.0-rc1", "4.3.1")])
    func order(_ less: String, _ more: String) throws {
        let (less, more) = (try #require(VersionNumber(less)), try #require(VersionNumber(more)))
        #expect(less < more && !(more < less) && less != more)
    }

    @Test func `5 is 5.0.0, and a suffix does not count`() throws {
        let five = try #require(VersionNumber("5"))
        #expect(VersionNumber("5.0.0") == five && VersionNumber("5.0-beta+7") == five && five.major == 5)
    }

    @Test(
        "what is no version is none", arguments: ["", ".", "5.", "v5", "5..1", "1.2.3.4.5.6.7.8.9", "9999999999", "5 "])
    func refused(_ text: String) {
        #expect(VersionNumber(text) == nil)
    }
}
