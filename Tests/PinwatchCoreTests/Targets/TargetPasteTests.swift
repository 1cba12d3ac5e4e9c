import PinwatchCore
import Testing

@Suite struct TargetPasteTests {
    private struct PlainIDNA: IDNA {
        func ascii(_ name: String) throws(HostProblem) -> String {
            guard name == "bücher.example" else { throw HostProblem("\(name) is no name") }
            return "xn--bcher-kva.example"
        }
        func unicode(_ name: HostName) -> String { name.ascii }
    }

    private func read(_ text: String) throws -> [String] {
        try TargetPaste(text, allowedPorts: [443, 8443], idna: PlainIDNA()).items.map { item in
            switch item.reading {
            case .identity(let identity): "\(item.line) \(identity.label)"
            case .duplicate(let identity, let first): "\(item.line) \(identity.label) as in \(first)"
            case .refused(let reason): "\(item.line) refused: \(reason)"
            }
        }
    }

    @Test(arguments: [
        ("a.example\nb.example", ["1 a.example", "2 b.example"]),
        ("a.example\r\nb.example\r\n", ["1 a.example", "2 b.example"]),
        ("a.example, b.example;c.example\td.example", ["1 a.example", "1 b.example", "1 c.example", "1 d.example"]),
        ("# all of it\n\n  a.example # the first\n#b.example", ["3 a.example"]),
        ("https://A.Example/ [2001:db8::1]:8443", ["1 a.example", "1 [2001:db8::1]:8443"]),
        ("bücher.example 192.0.2.1:8443", ["1 xn--bcher-kva.example", "1 192.0.2.1:8443"]),
        ("a.example\nA.example.\na.example:443", ["1 a.example", "2 a.example as in 1", "3 a.example as in 1"]),
        ("a.example\na.example:8443", ["1 a.example", "2 a.example:8443"]), ("", []), (" \n\t\n#", []),
    ])
    func `Pasted text is taken apart by line`(text: String, items: [String]) throws {
        #expect(try read(text) == items)
    }

    @Test func `A port that is not allowed is refused, and says which are`() throws {
        #expect(
            try read("a.example:22") == [
                "1 refused: port 22 is not among scan.allow_ports of the configuration, which has 443, 8443"
            ])
    }

    @Test func `What is no host is refused in its line, the others stand`() throws {
        let items = try read("a.example\nhttps://b.example/path\n*.example")
        #expect(items.count == 3 && items[0] == "1 a.example")
        #expect(items[1].hasPrefix("2 refused: ") && items[2].hasPrefix("3 refused: "))
    }

    @Test func `More than a thousand hosts are not taken apart`() throws {
        let lines = (1...1_000).map { "h\($0).example" }
        #expect(try read(lines.joined(separator: "\n")).count == 1_000)
        #expect(throws: TargetPaste.Refusal.tooMany) { try read((lines + ["x.example"]).joined(separator: " ")) }
    }

    @Test func `A long word is cut where it is shown`() throws {
        let paste = try TargetPaste(String(repeating: "x", count: 5_000), allowedPorts: [443], idna: PlainIDNA())
        #expect(paste.items.map(\.text.count) == [300])
    }
}
