import Testing

@testable import PinwatchHTTP

@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/b%C3%BCcher", ["bücher"]),
        ("/a%20b", ["a b"]), ("/a+b", ["a+b"]), ("/%2541", ["%41"]), ("/...", ["..."]), ("http://h/a?x", ["a"]),
        ("http://h", [""]),
    ])
    func `A path is split and decoded once`(text: String, segments: [String]) throws {
        #expect(try RequestTarget(text).segments == segments)
    }

    @Test(arguments: [
        "", "a", "*", "/..", "/a/../b", "/%2e%2E/x", "/.", "/a%2Fb", "/a%5Cb", "/a\\b%", "/%", "/%4", "/%zz", "/%00",
        "/%0A", "/%7F", "/%FF", "/%C3", "/a b", "/ü", "/a#b", "ftp://h/a", "/\u{0}",
    ])
    func `A path with two readings is refused`(text: String) {
        #expect(throws: Problem.self) { try RequestTarget(text) }
    }

    @Test func `A query keeps repeated names, order and blanks`() throws {
        let query = try RequestTarget("/?b=1&a=x+y&a=%2B&c&=d&&e=f=g").query
        #expect(query.map { "\($0.name)|\($0.value)" } == ["b|1", "a|x y", "a|+", "c|", "|d", "e|f=g"])
    }

    @Test(arguments: ["/?a=%", "/?a=%FF", "/?%00=1", "/?" + String(repeating: "a&", count: 101)])
    func `A query that cannot be read is refused`(text: String) {
        #expect(throws: Problem.self) { try RequestTarget(text) }
    }

    @Test func `An absolute target gives its authority`() throws {
        #expect(try RequestTarget("HTTP://evil.example:80/a").authority == "evil.example:80")
        #expect(try RequestTarget("/a").authority == nil)
    }
}
