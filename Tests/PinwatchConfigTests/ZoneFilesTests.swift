import PinwatchCore
import Synchronization
import Testing

@testable import PinwatchConfig

@Suite struct ZoneFilesTests {
    private let machine = ZoneFiles(sources: .fileSystem(environment: { _ in nil }))

    @Test(
        "The machine's tz database tells the offset on both sides of each change",
        arguments: [
            ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200),
            ("Europe/Berlin", "2026-10-25T00:59:59Z", 7_200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600),
            ("Europe/Berlin", "2050-03-27T01:00:00Z", 7_200), ("Europe/Berlin", "2050-10-30T01:00:00Z", 3_600),
            ("Europe/Berlin", "1975-07-01T00:00:00Z", 3_600),
            ("America/New_York", "2026-03-08T06:59:59Z", -18_000),
            ("America/New_York", "2026-03-08T07:00:00Z", -14_400),
            ("America/New_York", "2026-11-01T05:59:59Z", -14_400),
            ("America/New_York", "2026-11-01T06:00:00Z", -18_000),
            ("America/New_York", "1975-02-23T07:00:00Z", -14_400),
            ("America/New_York", "2050-03-13T07:00:00Z", -14_400),
            ("Australia/Lord_Howe", "2026-04-04T14:59:59Z", 39_600),
            ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37_800),
            ("Australia/Lord_Howe", "2026-10-03T15:29:59Z", 37_800),
            ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", 39_600),
            ("Australia/Lord_Howe", "2050-10-01T15:30:00Z", 39_600),
            ("Asia/Kolkata", "2026-07-01T00:00:00Z", 19_800), ("Asia/Kolkata", "2050-07-01T00:00:00Z", 19_800),
            ("UTC", "2026-07-01T00:00:00Z", 0), ("Etc/GMT+1", "2026-07-01T00:00:00Z", -3_600),
        ] as [(String, String, Int64)])
    func offset(_ zone: String, _ text: String, _ seconds: Int64) throws {
        let instant = try #require(Instant(rfc3339: text))
        #expect(machine.offset(of: zone, at: instant) == seconds)
        #expect(machine.offset(of: zone, at: instant) == seconds)
    }

    @Test(
        "What is no zone has no offset",
        arguments: [
            "", "Europe", "Europe/Atlantis", "europe/berlin", "../zoneinfo/UTC", "/usr/share/zoneinfo/UTC", "./UTC",
            "Europe//Berlin", "UTC/", "zone.tab", "right/UTC", "UTC\0", "Europe/Berlin ", "-UTC",
        ])
    func unknown(_ zone: String) {
        #expect(machine.offset(of: zone, at: Instant(unixSeconds: 0)) == nil)
    }

    @Test func `A file is read once, below TZDIR where that is set, and never for what is no name`() throws {
        let bytes = try InputSources.fileSystem(environment: { _ in nil })
            .readFile("/usr/share/zoneinfo/Europe/Berlin", 1 << 16)
        let asked = Mutex<[String]>([])
        let sources = InputSources(
            environment: { $0 == "TZDIR" ? "/zones" : nil },
            readFile: { (path: String, _: Int) throws(HostProblem) -> [UInt8] in
                asked.withLock { $0.append(path) }
                return path.hasSuffix("Broken") ? [0x54] : bytes
            },
            listFiles: { (_: String, _: String) throws(HostProblem) -> [String] in [] },
            realPath: { (path: String) throws(HostProblem) -> String in path })
        let zones = ZoneFiles(sources: sources)
        for _ in 1...3 { #expect(zones.offset(of: "Home", at: Instant(unixSeconds: 0)) == 3_600) }
        #expect(zones.offset(of: "Broken", at: Instant(unixSeconds: 0)) == nil)
        #expect(zones.offset(of: "../etc/passwd", at: Instant(unixSeconds: 0)) == nil)
        #expect(asked.withLock { $0 } == ["/zones/Home", "/zones/Broken"])
    }
}
