import Testing

@testable import PinwatchCore

@Suite("Whom a rotation cuts off") struct PreflightUsersTests {
    private func run(_ releases: PreflightRelease..., candidate: Candidate = PreflightLab.chain(1, 2)) throws
        -> Preflight
    {
        try Preflight.run(PreflightLab.question(candidate), of: releases, knowing: PreflightLab.knowledge())
    }

    private func accepting(_ release: String, share: Double? = nil, system: Platform.System? = .ios) -> PreflightRelease
    {
        PreflightLab.release([PreflightLab.generic([1])], release: release, share: share, system: system)
    }

    private func rejecting(
        _ release: String, share: Double? = nil, variant: Variant = .release, system: Platform.System? = .ios
    ) -> PreflightRelease {
        PreflightLab.release(
            [PreflightLab.generic([9])], release: release, variant: variant, share: share, system: system)
    }

    @Test func `shares are summed by app and system`() throws {
        let preflight = try run(
            rejecting("1", share: 0.1), rejecting("2", share: 0.2), accepting("3", share: 0.6),
            accepting("3", share: 1, system: .android))
        #expect(preflight.go == false && preflight.status == .bad)
        #expect(preflight.users.map(\.rejected) == [0.3, 0])
        #expect(
            preflight.users.map(\.sentence) == [
                "rejected for 30 % of iOS users of shop", "accepted for Android users of shop",
            ])
        #expect(preflight.sentence == "Stop: rejected for 30 % of iOS users of shop.")
    }

    @Test func `a share that is missing is never made up`() throws {
        let preflight = try run(rejecting("1", share: 0.1), rejecting("2"), accepting("3", share: 0.6))
        #expect(preflight.users.map(\.rejected) == [nil])
        #expect(
            preflight.users.map(\.sentence) == [
                "rejected by 2 of 3 releases of shop for iOS, at least 10 % of its users"
            ])
        let none = try run(rejecting("1"), rejecting("2"), accepting("3"))
        #expect(none.users.map(\.sentence) == ["rejected by 2 of 3 releases of shop for iOS"])
        #expect(try run(rejecting("1", system: nil)).sentence == "Stop: rejected by the release of shop.")
    }

    @Test func `of many apps that are cut off the headline counts those that it does not name`() throws {
        func releases(_ count: Int) throws -> String {
            let all = (1...count).map { number in
                PreflightLab.release([PreflightLab.generic([9])], app: "app\(number)", release: "1", share: 1)
            }
            return try Preflight.run(
                PreflightLab.question(PreflightLab.chain(1, 2)), of: all, knowing: PreflightLab.knowledge()
            ).sentence
        }
        #expect(try releases(6).hasSuffix("app3; and 3 more."))
        #expect(try releases(3).hasSuffix("app3."))
    }

    @Test func `debug builds are shown and never decide`() throws {
        let preflight = try run(accepting("1", share: 1), rejecting("2", share: 0.5, variant: .debug))
        #expect(preflight.rows.count == 2 && preflight.go == true)
        #expect(preflight.sentence == "Go: the release that pins api.example.com accepts it.")
    }

    @Test func `releases that say nothing of the host are left out unless nothing else is there`() throws {
        let elsewhere = PreflightLab.release(
            [GenericPolicy(entries: [Lab.entry("other.test", [Lab.pin(1)])])], app: "other")
        let strict = PreflightLab.release([AlamofirePolicy(entries: [])], app: "strict")
        #expect(try run(accepting("1"), elsewhere, strict).rows.map(\.release.definition.identity.app) == ["shop"])
        let alone = try run(elsewhere)
        #expect(alone.rows.count == 1 && alone.go == true)
        #expect(alone.sentence == "Go: no release build that is known here pins api.example.com.")
    }

    @Test func `what cannot be told is neither go nor stop`() throws {
        let preflight = try run(rejecting("1", share: 0.25), candidate: PreflightLab.key(5))
        #expect(preflight.go == nil && preflight.status == .couldNotTell)
        #expect(preflight.sentence == "Could not tell: not known for 25 % of iOS users of shop.")
        #expect(preflight.users.map(\.unknown) == [0.25])
    }

    @Test func `pins that name no host count for the targets of their app`() throws {
        let curl = PreflightLab.release([CurlPolicy(.list("sha256//" + Lab.digest(2, 9).base64))])
        var settings = TargetSettings(
            identity: TargetIdentity(
                host: .name(HostName(checked: PreflightLab.host)), port: 443, sni: nil, startTLS: nil))
        func go() throws -> Bool? {
            try Preflight.run(
                PreflightLab.question(PreflightLab.chain(1, 2), targets: [settings]), of: [curl],
                knowing: PreflightLab.knowledge()
            ).go
        }
        #expect(try go() == true)
        settings.labels = ["app": "shop"]
        #expect(try go() == false)
    }

    @Test(
        arguments: [
            ([.ours], UInt8(1), true, "Go: the release that pins api.example.com accepts it."),
            ([.thirdParty, .ours], 9, false, "Stop: rejected by the release of shop for iOS."),
            ([.thirdParty], 1, nil, "The candidate: the release that pins api.example.com accepts it."),
            ([.thirdParty, .thirdParty], 9, nil, "The candidate: rejected by the release of shop for iOS."),
        ] as [([Owner], UInt8, Bool?, String)])
    func `a third party's host has neither go nor stop`(owners: [Owner], pin: UInt8, go: Bool?, end: String) throws {
        let name = HostName(checked: PreflightLab.host)
        let targets = owners.map { owner in
            TargetSettings(
                identity: TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil), owner: owner)
        }
        let preflight = try Preflight.run(
            PreflightLab.question(PreflightLab.chain(1, 2), targets: targets),
            of: [PreflightLab.release([PreflightLab.generic([pin])])], knowing: PreflightLab.knowledge())
        #expect(preflight.go == go && preflight.sentence.hasSuffix(end))
        #expect(preflight.status == (go == nil ? .couldNotTell : go == true ? .fine : .bad))
        #expect(preflight.sentence.hasPrefix("Neither go nor stop: api.example.com is a third party's") == (go == nil))
    }
}
