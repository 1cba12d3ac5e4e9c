import Testing

@testable import PinwatchCore

@Suite struct AndroidNSCExpiryTests {
    private static let midnight = Instant(day: "2026-12-01") ?? Lab.now

    private func verdict(_ pins: [UInt8], _ now: Instant, expiration: String = "2026-12-01") -> Verdict {
        let lines = domainConfig(["api.example.com"], pinSet(pins, expiration: expiration))
        let file = NetworkSecurityFile(securityConfig(lines), place: "nsc.xml", resources: Lab.resources())
        let dated = [Lab.issued(1, by: 2, ends: 10_000_000), Lab.issued(2, by: 3, ends: 10_000_000)]
        let path = Path(certificates: dated, anchor: Lab.issued(3, by: 3, ends: 10_000_000))
        return AndroidNSCPolicy(file: file).verdict(for: Lab.served(sent: dated, paths: [path], now: now))
    }

    @Test(
        "pins hold until midnight has come somewhere, and are over when it has come everywhere",
        arguments: [
            (Int64(-50_400), VerdictKind.rejectPin, "no_pin_matched"), (-50_399, .unknown, "expiry_zone_dependent"),
            (0, .unknown, "expiry_zone_dependent"), (43_200, .unknown, "expiry_zone_dependent"),
            (43_201, .unpinned, "expired"),
        ])
    func window(_ offset: Int64, _ kind: VerdictKind, _ code: String) {
        let verdict = verdict([9], Self.midnight + offset)
        #expect(verdict.kind == kind && verdict.code == code && (kind != .unpinned || verdict.by == .trap))
    }

    @Test func `the window's reason names both answers`() {
        #expect(verdict([9], Self.midnight).reason.contains("before it reject_pin"))
        #expect(verdict([1], Self.midnight).reason.contains("before it accept"))
    }

    @Test(
        "dates are read as SimpleDateFormat does",
        arguments: [
            ("2027-06-30", "2027-06-30"), ("2027-6-3", "2027-06-03"), (" 2027- 06-30T12:00", "2027-06-30"),
            ("0027-06-30", "0027-06-30"), ("2028-02-29", "2028-02-29"),
        ])
    func dates(_ text: String, _ day: String) {
        #expect(AndroidDate(text)?.utc == Instant(day: day))
    }

    @Test(
        "and refused as it does",
        arguments: [
            "2027-02-29", "2027-13-01", "2027-00-10", "0000-01-01", "2027/06/30", "2027-06", "2027 -06-30", "x",
            "2027-06-",
        ])
    func refused(_ text: String) {
        #expect(AndroidDate(text) == nil)
    }

    @Test func `expiries are told by domain, the inherited ones too, and pins while they may hold`() {
        let lines = domainConfig(
            ["+example.com"],
            pinSet([9], expiration: "2026-12-01") + domainConfig(["a.example.com"], "")
                + domainConfig(["b.example.com"], pinSet([1])) + domainConfig(["c.example.com"], "<pin-set/>"))
        let policy = AndroidNSCPolicy(
            file: NetworkSecurityFile(securityConfig(lines), place: "nsc.xml", resources: Lab.resources()))
        let last = Self.midnight - 14 * 3_600
        #expect(
            policy.expiries
                == ["example.com", "a.example.com"].map { PinExpiry(at: last, host: $0, localDay: "2026-12-01") })
        #expect(policy.hosts.map(\.pattern) == ["example.com", "a.example.com", "b.example.com", "c.example.com"])
        #expect(policy.hosts.map(\.pins.count) == [1, 1, 1, 0])
        #expect(policy.allPins == [Lab.pin(9), Lab.pin(1)])
        #expect(policy.pins(for: "x.example.com", now: Self.midnight + 12 * 3_600) == [Lab.pin(9)])
        #expect(policy.pins(for: "x.example.com", now: Self.midnight + 12 * 3_600 + 1) == [])
        #expect(policy.pin(Lab.pin(1), matches: Lab.leaf) && !policy.pin(Lab.pin(9), matches: Lab.leaf))
    }
}
