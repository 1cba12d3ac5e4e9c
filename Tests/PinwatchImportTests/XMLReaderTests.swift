import PinwatchCore
import Testing

@testable import PinwatchImport

@Suite struct XMLReaderTests {
    @Test func `elements keep their order, attributes, text and place`() throws {
        let root = try XMLReader.root(of: "<a x='1' y='&lt;2'>\n  <b/>t<![CDATA[<u>]]>&#x41;<c><d/></c>\n</a>")
        #expect(root.name == "a" && root[attribute: "y"] == "<2" && root.attributes.map(\.name) == ["x", "y"])
        #expect(root.elements.map(\.name) == ["b", "c"] && root.elements[1].elements.map(\.name) == ["d"])
        #expect(root.text == "\n  t<u>A\n" && root.elements[0].mark == Mark(line: 2, column: 3))
    }

    @Test func `a property list's DTD is not fetched, and comments and instructions are left out`() throws {
        let root = try XMLReader.root(
            of: """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://127.0.0.1:1/PropertyList-1.0.dtd">
                <plist version="1.0"><!-- none --><?pi x?><true/></plist>
                """)
        #expect(root.elements.map(\.name) == ["true"] && root.text == "")
    }

    @Test(
        "what is no document is refused with its place",
        arguments: [
            ("", "line 1"), ("text", "line 1, column 1"), ("<a>\n<b></a>", "line 2"), ("<a x='1' x='2'/>", "line 1"),
            ("<a/><b/>", "line 1, column 5"), ("<a>&nope;</a>", "undefined entity"), ("<a>\u{1}</a>", "line 1"),
        ])
    func refusal(_ text: String, _ words: String) {
        #expect(throws: HostProblem.self) { try XMLReader.root(of: text) }
        do { _ = try XMLReader.root(of: text) } catch { #expect(error.description.contains(words), "\(error)") }
    }

    @Test func `nesting and number are bounded`() {
        let deep = String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65)
        let many = "<a>" + String(repeating: "<b/>", count: 200_000) + "</a>"
        for text in [deep, many] {
            do {
                _ = try XMLReader.root(of: text)
                Issue.record("taken")
            } catch {
                #expect(error.description.contains("more than 64 elements within one another, or 200000 in all"))
            }
        }
        let fine = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
        #expect(throws: Never.self) { try XMLReader.root(of: fine) }
    }

    @Test func `entities that grow without end are stopped, and none reads a file`() {
        let lol = (1...20).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 30))\">" }.joined()
        let bomb = "<!DOCTYPE a [<!ENTITY l0 \"\(String(repeating: "x", count: 100))\">\(lol)]><a>&l20;</a>"
        #expect(throws: HostProblem.self) { try XMLReader.root(of: bomb) }
        let many = String(repeating: "&a;", count: 100_000)
        do {
            _ = try XMLReader.root(
                of: "<!DOCTYPE a [<!ENTITY a \"\(String(repeating: "y", count: 90))\">]><a>\(many)</a>")
            Issue.record("taken")
        } catch {
            #expect(error.description.contains("grow to more than 8388608 bytes"), "\(error)")
        }
        let attributes = (0..<20).map { "<b x='&a;' y\($0)='&a;'/>" }.joined()
        let large = "<!DOCTYPE a [<!ENTITY a \"\(String(repeating: "y", count: 400_000))\">]><a>\(attributes)</a>"
        do {
            _ = try XMLReader.root(of: large)
            Issue.record("taken")
        } catch {
            #expect(error.description.contains("grow to more than 8388608 bytes"), "\(error)")
        }
        let outside = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/hostname\">]><a>&f;</a>"
        let text = try? XMLReader.root(of: outside).text
        #expect(text == nil || text == "")
    }
}
