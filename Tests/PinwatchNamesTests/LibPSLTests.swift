import PinwatchCore
import PinwatchNames
import Testing

@Suite struct LibPSLTests {
    @Test(
        "a host's public suffix is the longest that is listed, private section included",
        arguments: [
            ("www.example.com", 3 as Int?), ("example.co.uk", 5), ("co.uk", 5), ("com", 3), ("a.github.io", 9),
            ("github.io", 9),
            ("a.b.ck", 4), ("www.ck", 2), ("xn--85x722f.xn--55qx5d.cn", 13),
            ("localhost", nil), ("corp.internal", nil), ("example.test", nil), ("127.0.0.1", nil), ("", nil),
            ("a.\0com", nil),
        ])
    func suffix(_ host: String, _ length: Int?) {
        #expect(LibPSL().suffixLength(of: host) == length)
    }
}
