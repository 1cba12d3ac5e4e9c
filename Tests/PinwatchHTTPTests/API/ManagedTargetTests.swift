import PinwatchCore
import Testing

@testable import PinwatchHTTP

@Suite struct ManagedTargetTests {
    private let fixture = ManagedFixture()

    @Test func `A target is added as a person writes it, and told with its address`() async throws {
        let body =
            #"{"host":"https://NEW.example.com.:8443/","owner":"third_party","labels":{"app":"shop"},"period_s":60,"#
            + #""trust_store":"corp","paused":true,"addresses":["2001:db8::1"],"addresses_policy":"first"}"#
        let answer = await fixture.answer("POST", "/api/v1/targets", body)
        #expect(answer.status == 201)
        #expect(answer.header("Location") == "/api/v1/targets/2")
        #expect(answer.header("ETag")?.hasPrefix("\"1.") == true)
        let settings = try #require(fixture.managing.now.targets[TargetID(2)]).target.settings
        let name = HostName(checked: "new.example.com")
        #expect(
            settings
                == TargetSettings(
                    identity: TargetIdentity(host: .name(name), port: 8443, sni: name, startTLS: nil),
                    owner: .thirdParty, labels: ["app": "shop"], periodSeconds: 60,
                    addresses: [address("2001:db8::1")], addressPolicy: .first, trustStore: "corp", paused: true,
                    managedBy: .api))
        #expect(fixture.managing.now.changes == [Change(by: .loopback, from: address("127.0.0.1"), at: now)])
    }

    @Test func `Null stands for what is not said, and what a preview gave can be posted`() async throws {
        let preview = await fixture.answer("POST", "/api/v1/targets/preview", #"{"text":"192.0.2.7\nb.example"}"#)
        let targets = try #require(preview.json["items"]).items.compactMap { $0["target"] }
        let answer = await fixture.answer("POST", "/api/v1/targets", JSON.array(targets).text)
        #expect(answer.status == 201 && answer.header("Location") == nil)
        #expect(answer.json["items"]?.items.compactMap { $0["sni"] } == [.null, .string("b.example")])
    }

    @Test(arguments: [
        (#"{}"#, "host", "is needed"), (#"{"host":5}"#, "host", "must be a text, not a number"),
        (#"{"host":"a.example/path"}"#, "host", "holds a path"), (#"{"host":"*.example"}"#, "host", "wildcard"),
        (#"{"host":"a.example","colour":1}"#, "colour", "is not a member here"),
        (#"{"host":"a.example","port":0}"#, "port", "from 1 to 65535"),
        (#"{"host":"a.example","port":1.5}"#, "port", "a whole number"),
        (#"{"host":"a.example","port":22}"#, "port", "scan.allow_ports"),
        (#"{"host":"a.example:22"}"#, "host", "scan.allow_ports"),
        (#"{"host":"a.example:443","port":8443}"#, "port", "keep one of them"),
        (#"{"host":"a.example","sni":"b.example:1"}"#, "sni", "not a host name alone"),
        (#"{"host":"a.example","starttls":"gopher"}"#, "starttls", "one of smtp, lmtp"),
        (#"{"host":"a.example","owner":"them"}"#, "owner", "one of ours, third_party"),
        (#"{"host":"a.example","owner":null}"#, "owner", "one of"),
        (#"{"host":"a.example","labels":{"app":5}}"#, "labels.app", "must be a text"),
        (#"{"host":"a.example","labels":{"a b":"x"}}"#, "labels.a b", "a label's name must be"),
        (#"{"host":"a.example","labels":[]}"#, "labels", "an object"),
        (#"{"host":"a.example","period_s":0}"#, "period_s", "from 1 to"),
        (#"{"host":"a.example","trust_store":"none"}"#, "trust_store", "corp, system"),
        (
            #"{"host":"a.example","client_certificate":{"certificate":"x"}}"#, "client_certificate",
            "comes by the configuration file only"
        ),
        (#"{"host":"a.example","paused":"yes"}"#, "paused", "true or false"),
        (#"{"host":"a.example","addresses":["b"]}"#, "addresses[0]", "an IP address"),
        (#"{"host":"192.0.2.1","addresses":["192.0.2.2"]}"#, "addresses", "has none"),
        (#"[]"#, "", "must hold 1 to 1000"), (#"5"#, "", "must be an object"),
        (#"[{"host":"a.example"},{"host":"b.example","port":"x"}]"#, "[1].port", "a whole number"),
        (#"[{"host":"a.example"},{"host":"A.EXAMPLE:443"}]"#, "[1].host", "the same target as [0]"),
        (#"[{"host":"a.example","labels":{"app":null}}]"#, "[0].labels.app", "must be a text"),
    ])
    func `A wrong body is a 422 that names the field`(body: String, field: String, words: String) async {
        let answer = await fixture.answer("POST", "/api/v1/targets", body)
        #expect(answer.status == 422)
        #expect(answer.error(field)?.contains(words) == true, "\(answer.text)")
        #expect(fixture.managing.now.changes.isEmpty)
    }

    @Test func `All faults of a body are told at once, but no more than a hundred`() async {
        let answer = await fixture.answer("POST", "/api/v1/targets", #"{"host":"","port":0,"owner":1,"x":1}"#)
        for field in ["host", "port", "owner", "x"] { #expect(answer.error(field) != nil, "\(field)") }
        let many = "{" + (0..<5_000).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        #expect(await fixture.answer("POST", "/api/v1/targets", many).json["errors"]?.items.count == 100)
    }

    @Test(arguments: [
        "{", "", "{\"host\":\"a.example\",\"host\":\"b.example\"}", "{\"host\":\"a.example\"} x",
        String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    ])
    func `What is no JSON is a 400`(body: String) async {
        #expect(await fixture.answer("POST", "/api/v1/targets", body).status == 400)
    }

    @Test func `A change merges, and null sets back or takes away`() async throws {
        let path = "/api/v1/targets/1"
        let first = await fixture.answer(
            "PATCH", path, #"{"labels":{"a":null,"c":"3"},"period_s":60,"addresses_policy":"first","paused":true}"#,
            [("Content-Type", "application/merge-patch+json")])
        #expect(first.status == 200)
        #expect(first.json["labels"] == .object([("b", .string("2")), ("c", .string("3"))]))
        #expect(first.json["period_s"] == .integer(60) && first.json["addresses_policy"] == .string("first"))
        #expect(first.json["revision"] == .integer(2) && first.header("ETag")?.hasPrefix("\"2.") == true)
        let second = await fixture.answer("PATCH", path, #"{"labels":null,"period_s":null,"addresses_policy":null}"#)
        #expect(second.json["labels"] == .object([]) && second.json["period_s"] == .integer(300))
        #expect(second.json["addresses_policy"] == .string("all") && second.json["paused"] == .bool(true))
    }

    @Test(arguments: ["host", "port", "sni", "starttls"])
    func `What makes a target that target is not changed`(member: String) async {
        let answer = await fixture.answer("PATCH", "/api/v1/targets/1", "{\"\(member)\":null}")
        #expect(answer.status == 422)
        #expect(answer.error(member)?.contains("another target") == true)
    }

    @Test func `If-Match compares the revision and nothing else`() async throws {
        let read = await fixture.answer("GET", "/api/v1/targets/1")
        let tag = try #require(read.header("ETag"))
        let paused = #"{"paused":true}"#
        func change(_ tag: String) async -> Int {
            await fixture.answer("PATCH", "/api/v1/targets/1", paused, [("If-Match", tag)]).status
        }
        #expect(await change("\"7" + tag.dropFirst(2)) == 412)
        #expect(await change("\"abc\"") == 412)
        #expect(await change("") == 412)
        #expect(await change("\"1.0\", \"2.0\"") == 412)
        #expect(await change("\"1.scanned-since\"") == 200)
        #expect(fixture.managing.now.changes.last?.expecting == 1)
        #expect(await change(tag) == 412)
        #expect(await change("*") == 200)
        let deletion = await fixture.answer("DELETE", "/api/v1/targets/1", nil, [("If-Match", "W/\"3.x\"")])
        #expect(deletion.status == 204 && deletion.body.isEmpty)
    }

    @Test(arguments: [
        (ChangeRefusal.unknown, 404, "/api/v1/targets lists them"),
        (.managedByConfig, 409, "the configuration file /etc/pinwatch/pinwatch.yaml; change it there and reload"),
        (.exists(id: "17"), 409, "target 17"), (.revised(current: 9), 412, "its revision is now 9"),
        (.conflict("It cannot be."), 409, "It cannot be."), (.invalid(field: "host", message: "is bad"), 422, "is bad"),
    ])
    func `A refused change is told in words`(refusal: ChangeRefusal, status: Int, words: String) async {
        fixture.managing.set { $0.refusal = refusal }
        for (method, body) in [("PATCH", #"{"paused":true}"#), ("DELETE", nil)] {
            let answer = await fixture.answer(method, "/api/v1/targets/1", body)
            #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test func `Of a list each target that is there already is named, with its place and id`() async {
        let known = #"{"host":"api.example.com"}"#
        let one = await fixture.answer("POST", "/api/v1/targets", known)
        #expect(one.status == 409 && one.text.contains("target 1.") && one.json["errors"] == nil, "\(one.text)")
        let list = await fixture.answer("POST", "/api/v1/targets", #"[{"host":"new.example"},\#(known)]"#)
        #expect(list.status == 409 && list.text.contains("[1] api.example.com is target 1"), "\(list.text)")
        #expect(list.error("[1].host")?.contains("target 1") == true && list.error("[0].host") == nil)
        let alone = await fixture.answer("POST", "/api/v1/targets", "[\(known)]")
        #expect(alone.status == 409 && alone.error("[0].host") != nil)
    }

    @Test func `A preview says of each line what would become of it`() async throws {
        fixture.managing.set { contents in
            let name = HostName(checked: "gone.example")
            let identity = TargetIdentity(host: .name(name), port: 443, sni: name, startTLS: nil)
            contents.known[identity] = KnownTarget(id: TargetID(8), removed: true)
        }
        let text = "new.example, api.example.com\\ngone.example # was here\\nNEW.example new.example:22"
        let answer = await fixture.answer(
            "POST", "/api/v1/targets/preview", #"{"text":"\#(text)","labels":{"app":"x"},"owner":"third_party"}"#)
        let items = try #require(answer.json["items"]?.items)
        #expect(items.compactMap { $0["status"]?.string } == ["new", "known", "removed", "duplicate", "refused"])
        #expect(items.compactMap { $0["line"]?.integer } == [1, 1, 2, 3, 3])
        #expect(items.map { $0["target_id"]?.string } == [nil, "1", "8", nil, nil])
        #expect(items[0]["target"]?["labels"] == .object([("app", .string("x"))]))
        #expect(items[0]["target"]?["owner"] == .string("third_party") && items[4]["target"] == .null)
        #expect(answer.json["counts"]?.members.map { $0.1.integer } == [1, 1, 1, 1, 1])
        #expect(fixture.managing.now.changes.isEmpty)
    }

    @Test func `A scan is audited, and waited for only by who asks so`() async {
        let queued = await fixture.answer("POST", "/api/v1/targets/1/scan")
        #expect(queued.status == 202 && queued.json["state"] == .string("queued"))
        #expect(fixture.managing.now.audit.last?.action == .targetScan)
        let late = ManagedFixture { $0.observations = nil }
        #expect(await late.answer("POST", "/api/v1/targets/1/scan?wait=1s").status == 202)
        for wait in ["0s", "61s", "30", "s", "1m", "01s", ""] {
            #expect(await fixture.answer("POST", "/api/v1/targets/1/scan?wait=\(wait)").status == 400, "\(wait)")
        }
        #expect(await fixture.answer("POST", "/api/v1/targets/9/scan").status == 404)
    }

    @Test func `What a scan saw is what the store holds of it`() async {
        let fixture = ManagedFixture { $0.observations = [observation] }
        let answer = await fixture.answer("POST", "/api/v1/targets/1/scan?wait=60s")
        #expect(answer.json["items"]?.items.count == 1)
        #expect(answer.json["items"]?.items.first?["times"] == .integer(3))
        #expect(answer.json["target"]?["id"] == .string("1"))
    }
}
