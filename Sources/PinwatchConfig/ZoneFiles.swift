package import PinwatchCore
internal import Synchronization

/// The machine's tz database: TZif files by their zones' names, each read once and kept.
package final class ZoneFiles: TimeZones {
    /// Where Linux keeps them; `TZDIR` in the environment says otherwise (tzset(3)).
    package static let standardFolder = "/usr/share/zoneinfo"
    /// The most zones that are kept; the tz database has fewer than 600 names.
    private static let kept = 1_000

    private let sources: InputSources
    private let folder: String
    private let zones = Mutex<[String: ZoneHistory]>([:])

    package init(sources: InputSources) {
        self.sources = sources
        let named = sources.environment("TZDIR")
        folder = named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.standardFolder
    }

    package func offset(of zone: String, at instant: Instant) -> Int64? {
        if let known = zones.withLock({ $0[zone] }) { return known.offset(at: instant) }
        guard Self.isName(zone), let bytes = try? sources.readFile(folder + "/" + zone, ZoneHistory.sizeLimit),
            let history = ZoneHistory(tzif: bytes)
        else { return nil }
        zones.withLock { zones in if zones.count < Self.kept { zones[zone] = history } }
        return history.offset(at: instant)
    }

    /// Words of letters, digits, `_`, `+`, `-` and dots, between slashes (theory.html of the tz database): nothing that
    /// leads out of the folder.
    static func isName(_ zone: String) -> Bool {
        zone.utf8.count <= 255
            && zone.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty && word.first != "." && word.first != "-"
                    && word.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                            || [0x2B, 0x2D, 0x2E, 0x5F].contains(byte)
                    }
            }
    }
}
