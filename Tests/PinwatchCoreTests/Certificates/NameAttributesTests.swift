import Testing

@testable import PinwatchCore

@Suite("Attributes of a name") struct NameAttributesTests {
    private func pairs(_ name: String) -> [String] { NameAttribute.all(of: name).map { "\($0.type)|\($0.value)" } }

    @Test(
        arguments: [
            ("CN=Zscaler Root CA,O=Zscaler Inc.,C=US", ["CN|Zscaler Root CA", "O|Zscaler Inc.", "C|US"]),
            (#"O=ESET\, spol. s r. o.,CN=a+OU=b"#, ["O|ESET, spol. s r. o.", "CN|a", "OU|b"]),
            (#"CN=x\2cO=mitmproxy"#, ["CN|x,O=mitmproxy"]), (#"CN=a\=b\\c=d"#, [#"CN|a=b\c=d"#]),
            (#"CN=mitmproxy\00.example"#, ["CN|mitmproxy\u{0}.example"]), (#"CN=\c3\bc"#, ["CN|ü"]),
            ("", []), ("CN", ["CN|"]), ("=x", ["|x"]), (",", ["|"]), (#"CN=a\"#, [#"CN|a\"#]),
            ("CN=,O=", ["CN|", "O|"]),
        ])
    func `are parted at commas and plus signs that are not escaped`(name: String, expected: [String]) {
        #expect(pairs(name) == expected)
    }

    @Test func `of a name that is longer than any authority's are not read`() {
        #expect(pairs("CN=" + String(repeating: "a", count: 4_093)).count == 1)
        #expect(pairs("CN=" + String(repeating: "a", count: 4_094)).isEmpty)
    }
}
