import Testing

@testable import PinwatchCore

@Suite("The installation's own view") struct VantageTests {
    private struct Suffixes: PublicSuffixes {
        func suffixLength(of host: String) -> Int? {
            ["co.uk", "com"].first { host == $0 || host.hasSuffix("." + $0) }?.utf8.count
        }
    }

    private func identity(_ host: TargetHost, sni: String? = nil) -> TargetIdentity {
        TargetIdentity(host: host, port: 443, sni: sni.map { HostName(checked: $0) }, startTLS: nil)
    }

    @Test(
        arguments: [
            ("www.shop.com", "shop.com", "shop.com"), ("shop.com", "shop.com", "shop.com"),
            ("a.b.shop.co.uk", "shop.co.uk", "co.uk"), ("api.lab.test", "lab.test", "lab.test"),
            ("localhost", "localhost", "localhost"), ("com", "com", "com"),
        ])
    func `names count by their registrable domain`(name: String, listed: String, unlisted: String) {
        let identity = identity(.name(HostName(checked: name)), sni: name)
        #expect(Vantage.domain(of: identity, suffixes: Suffixes()) == listed)
        #expect(Vantage.domain(of: identity, suffixes: nil) == unlisted)
    }

    @Test func `an address counts by the name that is asked for, and without one by nothing`() throws {
        let address = TargetHost.address(try World.address(1))
        #expect(Vantage.domain(of: identity(address, sni: "www.shop.com"), suffixes: Suffixes()) == "shop.com")
        #expect(Vantage.domain(of: identity(address), suffixes: Suffixes()) == nil)
    }

    @Test(arguments: [(1, 600), (300, 600), (301, 602), (3_600, 7_200), (86_400, 21_600)] as [(Int64, Int64)])
    func `the window is two periods within bounds`(period: Int64, window: Int64) {
        #expect(Vantage.windowSeconds(periodSeconds: period) == window)
    }

    @Test(
        arguments: [
            (0, 3, 3, 3, true), (600, 3, 3, 3, true), (601, 3, 3, 3, false), (0, 9, 2, 9, false), (0, 3, 3, 6, true),
            (0, 3, 3, 7, false), (0, 50_000, 3, 100_000, true),
        ] as [(Int64, Int, Int, Int, Bool)])
    func `many, new and unrelated together are suspect`(
        age: Int64, moved: Int, domains: Int, answered: Int, suspect: Bool
    ) {
        let group = Vantage.Group(firstAt: World.now - age, moved: moved, domains: domains, answered: answered)
        #expect(group.isSuspect(windowSeconds: 600, now: World.now) == suspect)
    }

    @Test func `a suspicion eases for a window before it ends, begins again with its targets, and lasts a week`() {
        let begun = Suspicion(key: "x", name: "x", begunAt: World.now)
        func standing(_ suspicion: Suspicion, _ domains: Int, _ after: Int64) -> Suspicion {
            suspicion.standing(domains: domains, windowSeconds: 600, now: World.now + after)
        }
        #expect(standing(begun, 3, 60) == begun)
        #expect(begun.nextChange(windowSeconds: 600) == World.now + 7 * World.day)
        let eased = standing(begun, 2, 60)
        #expect(eased.easedAt == World.now + 60 && eased.isActive)
        #expect(eased.nextChange(windowSeconds: 600) == World.now + 660)
        #expect(standing(eased, 2, 659) == eased)
        let over = standing(eased, 2, 660)
        #expect(!over.isActive && over.nextChange(windowSeconds: 600) == nil)
        #expect(standing(over, 2, 9_000) == over)
        #expect(standing(over, 3, 9_000) == begun)
        #expect(!standing(begun, 9, 7 * World.day).isActive)
        #expect(!standing(over, 9, 7 * World.day).isActive)
    }

    private func sent(_ letter: Character, _ subject: String, by issuer: String?) throws -> CertificateSummary {
        var made = try World().certificate(letter)
        (made.subject, made.subjectDER) = (subject, Array(subject.utf8))
        (made.issuer, made.issuerDER) = (issuer, issuer.map { Array($0.utf8) })
        return made
    }

    private func authority(_ sent: [CertificateSummary], paths: [Path] = []) throws -> UnknownAuthority? {
        UnknownAuthority(
            of: ChainAssessment(
                chain: try World.chain("A"), trustStore: "system", certificates: sent, paths: paths,
                code: paths.isEmpty ? .untrustedRoot : .ok, reason: "", stray: [], missingIssuer: nil))
    }

    @Test func `the authority is who issued the top of what is sent, told from others of its name by its key`() throws {
        let leaf = try sent("A", "CN=a", by: "CN=I")
        let issuer = try sent("I", "CN=I", by: "CN=R")
        let (root, other) = (try sent("R", "CN=R", by: "CN=R"), try sent("Q", "CN=R", by: "CN=R"))
        #expect(try authority([leaf])?.key == "CN=I")
        #expect(try authority([leaf, issuer])?.key == "CN=R")
        let whole = try #require(try authority([leaf, root, issuer]))
        #expect(whole.name == "CN=R" && whole.key.hasPrefix("CN=R sha256/") && whole.product == nil)
        #expect(try authority([leaf, issuer, other])?.key != whole.key)
        #expect(try authority([leaf, issuer], paths: [Path(certificates: [leaf, issuer], anchor: root)]) == nil)
        #expect(try authority([sent("A", "CN=a", by: nil)]) == nil)
        let long = try #require(try authority([sent("A", "CN=a", by: "CN=" + String(repeating: "x", count: 9_000))]))
        #expect(long.name.count == 300 && long.key == long.name)
    }

    @Test func `of a target's authorities the one on most addresses counts, closed spans do not`() throws {
        var world = World()
        for (letter, issuer, addresses) in [("A", "CN=x", [1]), ("B", "CN=y", [2, 3])] as [(Character, String, [Int])] {
            let leaf = try sent(letter, "CN=a", by: issuer)
            try world.serve(leaf, sent: [leaf], paths: [], code: .missingIssuer, on: addresses)
        }
        func serving() -> String? { UnknownAuthority.serving(world.spans) { world.assessments[$0] }?.authority.key }
        #expect(serving() == "CN=y")
        world.spans[1].closedAt = World.now
        #expect(serving() == "CN=x")
        try world.serve(world.certificate("C"), on: [1, 2, 3])
        #expect(serving() == "CN=x")
        world.spans[0].closedAt = World.now
        #expect(serving() == nil)
    }

    @Test func `the finding names the authority and how much it touches`() throws {
        func suspected(_ name: String, _ targets: Int) -> SuspectedAuthority {
            SuspectedAuthority(
                Suspicion(key: name, name: name, begunAt: World.now), targets: targets, domains: 3, examples: ["a.test"]
            )
        }
        func findings(_ suspected: [SuspectedAuthority]) -> [Finding] {
            Evaluator.evaluate(
                lastScanAt: World.now, startedAt: World.now, targets: 9, suspected: suspected, policy: World().policy,
                now: World.now
            ).findings
        }
        #expect(findings([]).isEmpty)
        let found = findings([suspected("CN=Lab,O=Shop", 3), suspected("CN=Zscaler Root CA", 5)])
        #expect(found.map(\.key) == ["vantage.suspect"] && found.map(\.severity) == [.critical])
        #expect(found[0].summary.contains("5 targets of 3 unrelated domains show certificates of one authority"))
        #expect(found[0].summary.contains(": Zscaler, a gateway") && found[0].nextStep.contains("let through unread"))
        #expect(found[0].evidence.text.contains(#""target_count":3,"domain_count":3,"targets":["a.test"]"#))
        let unnamed = findings([suspected("CN=Lab,O=Shop", 3)])
        #expect(unnamed[0].summary.contains(": \"CN=Lab,O=Shop\".") && unnamed[0].nextStep.contains("another network"))
    }

    @Test(
        arguments: [
            (MissingIssuer(subject: "CN=I", aiaURLs: []), true),
            (MissingIssuer(subject: "CN=I", aiaURLs: ["ldap://ca.test/"]), true),
            (MissingIssuer(subject: "CN=I", aiaURLs: ["http://ca.test/i.crt"]), false),
        ])
    func `who forgot an intermediate that can be had is on no other authority`(
        missing: MissingIssuer, isOther: Bool
    ) throws {
        let world = World()
        var leaf = try world.certificate("A")
        leaf.issuer = "CN=I"
        var known = missing
        for served in [false, true] {
            if served { known.known = [try World.digest("I")] }
            let assessment = ChainAssessment(
                chain: try World.chain("A"), trustStore: "system", certificates: [leaf], paths: [],
                code: .missingIssuer, reason: "", stray: [], missingIssuer: known)
            #expect((UnknownAuthority(of: assessment) != nil) == (isOther && !served))
        }
    }
}
