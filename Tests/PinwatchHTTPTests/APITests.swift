import FoundationEssentials
import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct ListTests {
    private static let lists = [
        "/api/v1/targets", "/api/v1/findings", "/api/v1/alerts", "/api/v1/deliveries", "/api/v1/events",
        "/api/v1/targets/1/spans", "/api/v1/targets/1/observations", "/api/v1/targets/1/verdicts",
    ]

    private func fixture() -> Fixture {
        var contents = StubReadingStore.Contents()
        contents.targets = [targetRecord(id: 1), targetRecord(id: 2)]
        return Fixture(contents)
    }

    @Test(arguments: lists)
    func `A list has items, next and total`(path: String) async {
        let text = await fixture().answer(path).text
        #expect(text.hasPrefix(#"{"items":["#) && text.contains(#"],"next":null,"total":"#))
    }

    @Test(
        arguments: lists,
        [
            "limit=0", "limit=201", "limit=-1", "limit=x", "limit=", "limit=%2B5", "limit=1&limit=2",
            "cursor=", "sort=nothing", "sort=", "nothing=1", "cursor=a&cursor=b",
        ])
    func `A bad query is a 400 that names its field`(path: String, query: String) async throws {
        let answer = await fixture().answer(path + "?" + query)
        #expect(answer.status == 400)
        let field = try #require(query.split(separator: "=").first)
        #expect(answer.text.contains(#""errors":[{"field":"\#(field)","message":""#))
    }

    @Test func `All faults of a query are told at once`() async {
        let answer = await fixture().answer("/api/v1/targets?limit=0&state=bad&x=1")
        for field in ["limit", "state", "x"] { #expect(answer.text.contains(#"{"field":"\#(field)","#)) }
    }

    @Test func `Limit, cursor, sort and filters reach the store`() async throws {
        let fixture = fixture()
        let query =
            "limit=200&cursor=abc&sort=-leaf.not_after&state=ok&state=unknown&label=app%3Ashop&stale=true&host=api"
        #expect(await fixture.answer("/api/v1/targets?" + query).status == 200)
        let expected = PageRequest(
            limit: 200, cursor: "abc", sort: "leaf.not_after", descending: true,
            filters: ["state": ["ok", "unknown"], "label": ["app:shop"], "stale": ["true"], "host": ["api"]])
        #expect(fixture.store.requests == [expected])
    }

    @Test func `A list takes fifty by itself and names the next page`() async {
        let fixture = fixture()
        #expect(await fixture.answer("/api/v1/targets?limit=1").text.contains(#""next":"more","total":2"#))
        _ = await fixture.answer("/api/v1/targets")
        #expect(fixture.store.requests.last?.limit == 50)
    }

    @Test(arguments: [
        ("targets", "owner=them"), ("targets", "stale=1"), ("targets", "label=app"), ("targets", "label=:x"),
        ("targets", "host="), ("findings", "kind=pin.nothing"), ("findings", "severity=Critical"),
        ("findings", "target_id=x"), ("findings", "target_id=01"), ("findings", "pin_set_id=-1"),
        ("alerts", "state=closed"), ("deliveries", "alert_id=1.0"), ("deliveries", "state=done"),
        ("events", "kind=key"), ("events", "quiet=yes"),
    ])
    func `A filter's value must be one that can occur`(list: String, query: String) async {
        #expect(await fixture().answer("/api/v1/\(list)?\(query)").status == 400)
    }

    @Test(arguments: [
        ("findings", "kind=pin.rejected&severity=critical&target_id=1&pin_set_id=2&stale=false"),
        ("alerts", "state=open&severity=critical&kind=pin.rejected"),
        ("deliveries", "state=dead&channel=ops&alert_id=3&type=alert.opened"),
        ("events", "kind=key.changed&target_id=1&quiet=false"), ("targets/1/spans", "open=true&key_family=ecdsa"),
    ])
    func `The documented filters are taken`(list: String, query: String) async {
        #expect(await fixture().answer("/api/v1/\(list)?\(query)").status == 200)
    }

    private static let accents = String(repeating: "%C3%A9", count: 64)

    @Test(arguments: [
        ("host=" + accents + accents + accents + accents, 200),
        ("host=" + accents + accents + accents + accents + "x", 400), ("host=a%00", 400), ("host=a%C2%85", 400),
        ("label=" + accents + ":" + accents + accents + accents, 200), ("label=" + accents + "x:", 400),
        ("label=app:" + accents + accents + accents + "12345678", 200),
        ("label=app:" + accents + accents + accents + "123456789", 400),
        // An accent joins the colon before it, and is the value all the same.
        ("label=app:%CC%81", 200), ("label=app:a%0Ab", 400), ("label=a%7F:b", 400),
    ])
    func `Filters are as long as the document says, counted as it counts`(query: String, status: Int) async {
        #expect(await fixture().answer("/api/v1/targets?" + query).status == status, "\(query)")
    }

    @Test(arguments: ["summary", "targets/1"])
    func `What is no list takes no query`(path: String) async {
        #expect(await fixture().answer("/api/v1/\(path)?limit=1").status == 400)
        #expect(await fixture().answer("/api/v1/\(path)").status == 200)
    }
}

@Suite struct ResourceTests {
    @Test func `A target has the contract's members in their order`() async {
        var contents = StubReadingStore.Contents()
        contents.targets = [targetRecord(host: "xn--bcher-kva.example")]
        let text = await Fixture(contents).answer("/api/v1/targets/1").text
        let leaf =
            #"{"sha256":"\#(digest(1).hex)","spki":"\#(digest(2).pin)","subject":"CN=x","not_after":"2026-12-01T12:00:00Z"}"#
        #expect(
            text == #"{"id":"1","host":"xn--bcher-kva.example","host_unicode":"bücher.example","port":443,"#
                + #""sni":"xn--bcher-kva.example","starttls":null,"owner":"ours","labels":{"a":"1","b":"2"},"#
                + #""period_s":300,"addresses_policy":"all","addresses":[],"trust_store":"system","client_certificate":null,"#
                + #""paused":false,"#
                + #""managed_by":"config","state":"ok","stale":false,"last_scan_at":"2026-11-30T12:00:00Z","#
                + #""next_scan_at":"2026-11-30T12:05:00Z","open_findings":{"critical":0,"warning":1,"info":2},"#
                + #""leaf":\#(leaf),"revision":1,"created_at":"1970-01-01T00:00:00Z"}"#)
    }

    @Test func `A target that was never scanned has nulls, no zeros`() async {
        var contents = StubReadingStore.Contents()
        contents.targets = [targetRecord(scanned: nil)]
        let text = await Fixture(contents).answer("/api/v1/targets/1").text
        #expect(text.contains(#""state":"unknown","stale":false,"last_scan_at":null,"next_scan_at":null"#))
        #expect(text.contains(#""leaf":null,"#))
    }

    @Test(arguments: [
        "targets/2", "targets/x", "targets/01", "targets/99999999999999999999", "targets/2/spans",
        "targets/x/verdicts", "targets/-1/observations", "alerts/7", "certificates/abc", "keys/abc",
        "certificates/" + String(repeating: "0", count: 64), "keys/" + String(repeating: "A", count: 43),
        "certificates/.pem",
    ])
    func `What does not exist is 404 with problem details`(path: String) async {
        var contents = StubReadingStore.Contents()
        contents.targets = [targetRecord(id: 1)]
        let answer = await Fixture(contents).answer("/api/v1/" + path)
        #expect(answer.status == 404)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.text.hasPrefix(#"{"type":"about:blank","title":"Not Found","status":404,"detail":""#))
    }

    private func certificateContents() -> StubReadingStore.Contents {
        var contents = StubReadingStore.Contents()
        let der = [UInt8](0..<100)
        let sighting = Sighting(
            targetID: TargetID(1), label: "api.example.com", certificate: digest(1), position: 0, firstSeen: now - 60,
            lastSeen: now, open: true)
        let certificate = Certificate(der: der, fingerprint: digest(0xAB))
        contents.certificates = [CertificateRecord(certificate: certificate, sightings: [sighting])]
        contents.keys = [
            KeyRecord(spki: digest(0xFB), family: .ecdsa, certificates: [digest(0xAB)], sightings: [sighting])
        ]
        return contents
    }

    @Test func `A certificate is given as JSON, PEM and DER`() async throws {
        let fixture = Fixture(certificateContents())
        let path = "/api/v1/certificates/" + digest(0xAB).hex
        let json = await fixture.answer(path)
        let start = #"{"sha256":"\#(digest(0xAB).hex)","revocation":null,"served":[{"target_id":"1","label":"#
        #expect(json.text.hasPrefix(start))
        let der = await fixture.answer(path + ".der")
        #expect(der.body == [UInt8](0..<100))
        #expect(der.header("Content-Type") == "application/pkix-cert")
        let pem = await fixture.answer(path + ".pem")
        #expect(pem.header("Content-Type") == "application/x-pem-file")
        let lines = pem.text.split(separator: "\n")
        #expect(lines.first == "-----BEGIN CERTIFICATE-----" && lines.last == "-----END CERTIFICATE-----")
        #expect(lines.allSatisfy { $0.utf8.count <= 64 })
        #expect(Data(base64Encoded: lines.dropFirst().dropLast().joined()).map(Array.init) == [UInt8](0..<100))
        #expect(await fixture.answer(path + ".der", [("Accept", "application/json")]).status == 406)
        #expect(await fixture.answer(path, [("Accept", "application/pkix-cert")]).status == 406)
    }

    @Test func `A key is found by its base64url digest`() async {
        let fixture = Fixture(certificateContents())
        let answer = await fixture.answer("/api/v1/keys/" + digest(0xFB).base64url)
        let start = #"{"spki":"\#(digest(0xFB).pin)","key_family":"ecdsa","certificates":["\#(digest(0xAB).hex)"]"#
        #expect(answer.text.hasPrefix(start))
        let standard = digest(0xFB).base64.dropLast().replacing("/", with: "%2F").replacing("+", with: "%2B")
        #expect(standard.contains("%"))
        #expect([400, 404].contains(await fixture.answer("/api/v1/keys/" + standard).status))
    }

    @Test func `Hostile text stays inside its string`() async throws {
        var contents = StubReadingStore.Contents()
        var record = targetRecord()
        record.leaf?.subject = "CN=</script>\"\\\u{0}\u{2028}"
        contents.targets = [record]
        let answer = await Fixture(contents).answer("/api/v1/targets/1")
        #expect(answer.text.contains(#""subject":"CN=</script>\"\\\u0000\u2028""#))
        #expect(answer.header("Content-Type") == "application/json")
    }
}

@Suite struct HealthTests {
    @Test func `Health says ok, and readiness too`() async {
        #expect(await Fixture().answer("/healthz").text == #"{"status":"ok"}"#)
        #expect(await Fixture().answer("/readyz").text == #"{"status":"ready","reasons":[]}"#)
    }

    @Test func `Readiness names each reason, and health stays`() async {
        var contents = StubReadingStore.Contents()
        contents.writeProblem = "the disk is full"
        let fixture = Fixture(contents, ready: "it has not started")
        let answer = await fixture.answer("/readyz")
        #expect(answer.status == 503)
        #expect(answer.header("ETag") == nil)
        let reasons = #"["store: the disk is full","scanner: it has not started"]"#
        #expect(answer.text == #"{"status":"not_ready","reasons":\#(reasons)}"#)
        #expect(await fixture.answer("/healthz").status == 200)
    }
}

@Suite struct MetricsTests {
    @Test func `Metrics are Prometheus text with everything that is counted`() async {
        var contents = StubReadingStore.Contents()
        contents.summary.conditions = [.critical: 2]
        contents.summary.findings = FindingCounts(critical: 3, warning: 0, info: 0)
        contents.depths = [("pending", 4)]
        let scans = MetricFamily(name: "pinwatch_scans_total", kind: .counter, help: "Scans.", value: 1.5)
        let fixture = Fixture(contents, metrics: [scans])
        _ = await fixture.answer("/nothing")
        let answer = await fixture.answer("/metrics", [("Accept", "application/openmetrics-text")])
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            "# TYPE pinwatch_build_info gauge", "pinwatch_build_info{version=\"1.2.3\"} 1",
            "pinwatch_targets{state=\"critical\"} 2", "pinwatch_targets{state=\"ok\"} 0",
            "pinwatch_findings_open{severity=\"critical\"} 3", "pinwatch_queue_items{queue=\"pending\"} 4",
            "pinwatch_http_requests_total{class=\"4xx\"} 1", "pinwatch_http_requests_total{class=\"5xx\"} 0",
            "# HELP pinwatch_scans_total Scans.", "pinwatch_scans_total 1.5",
        ] {
            #expect(answer.text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(answer.text.hasSuffix("\n"))
    }

    @Test func `Labels, help and odd numbers are written as the format asks`() {
        let family = MetricFamily(
            name: "m", kind: .gauge, help: "a\\b\n\"c\"",
            samples: [
                .init(.nan, labels: [.init("l", "x\"\\\ny"), .init("k", "")]), .init(.infinity), .init(-.infinity),
                .init(1e300),
            ])
        #expect(
            family.exposition
                == "# HELP m a\\\\b\\n\"c\"\n# TYPE m gauge\nm{l=\"x\\\"\\\\\\ny\",k=\"\"} NaN\nm +Inf\nm -Inf\nm 1e+300\n"
        )
    }
}
