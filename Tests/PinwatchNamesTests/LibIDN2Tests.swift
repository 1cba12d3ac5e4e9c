import PinwatchCore
import PinwatchNames
import Testing

@Suite struct LibIDN2Tests {
    let idna = LibIDN2()

    @Test(
        "names become lower-case A-labels",
        arguments: [
            ("bücher.test", "xn--bcher-kva.test"), ("BÜCHER.Test", "xn--bcher-kva.test"),
            ("bu\u{308}cher.test", "xn--bcher-kva.test"), ("faß.de", "xn--fa-hia.de"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("plain.example", "plain.example"),
        ])
    func ascii(_ name: String, _ expected: String) throws {
        #expect(try idna.ascii(name) == expected)
    }

    @Test(
        "what IDNA refuses is refused with the reason in words",
        arguments: [("☃-.test", "hyphen"), ("xn--a.test", ""), ("a\u{0}b.test", "NUL"), ("ü\u{200D}.test", "")])
    func refusals(_ name: String, _ word: String) {
        let problem = #expect(throws: HostProblem.self) { try idna.ascii(name) }
        #expect(word.isEmpty || problem?.description.contains(word) == true)
    }

    @Test(
        "people see Unicode only where it leads back to the same name",
        arguments: [
            ("xn--bcher-kva.test", "bücher.test"), ("plain.example", "plain.example"), ("xn--a.test", "xn--a.test"),
            ("xn--zzzzzzzzz.test", "xn--zzzzzzzzz.test"),
        ])
    func unicode(_ ascii: String, _ expected: String) {
        #expect(idna.unicode(HostName(checked: ascii)) == expected)
    }
}
