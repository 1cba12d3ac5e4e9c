import PinwatchCore
import TestSupport
import Testing

@testable import PinwatchTLS

/// What is kept of a Certificate message: everything that was whole before a flaw, and the flaw.
struct CertificateMessageTests {
    private typealias Bytes = MessageBytes

    private static func message(_ certificates: [[UInt8]], isTLS13: Bool) -> [UInt8] {
        let list = certificates.flatMap { Bytes.entry($0, extensions: isTLS13 ? [] : nil) }
        return Bytes.certificate(list: list, context: isTLS13 ? [] : nil)
    }

    @Test(arguments: [0, 1, 2, 99, 100], [false, true])
    func `up to a hundred certificates are kept in order`(count: Int, isTLS13: Bool) {
        let sent = (0..<count).map { [UInt8](repeating: UInt8($0), count: $0 + 1) }
        let read = CertificateMessage(message: Self.message(sent, isTLS13: isTLS13), isTLS13: isTLS13)
        #expect(read.entries == sent)
        #expect(read.flaw == nil)
        #expect(read.chain?.certificates.map(\.der) == (count == 0 ? nil : sent))
    }

    @Test(arguments: [101, 5_000], [false, true])
    func `what comes after a hundred certificates is not kept`(count: Int, isTLS13: Bool) {
        let sent = (0..<count).map { Bytes.number($0, width: 2) }
        let read = CertificateMessage(message: Self.message(sent, isTLS13: isTLS13), isTLS13: isTLS13)
        #expect(read.entries == Array(sent.prefix(100)))
        #expect(read.flaw == "there are more than 100 certificates")
    }

    @Test(arguments: [false, true])
    func `a certificate of 10,000 names is kept whole`(isTLS13: Bool) {
        let leaf = TestPKI.selfSigned(dns: (0..<10_000).map { "host-\($0).example.test" })
        let read = CertificateMessage(message: Self.message([leaf.der], isTLS13: isTLS13), isTLS13: isTLS13)
        #expect(leaf.der.count > 1 << 16)
        #expect(read.entries == [leaf.der])
        #expect(read.chain == TestPKI.chain(leaf))
    }

    struct Flawed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: [UInt8]
        let isTLS13: Bool
        let kept: [[UInt8]]
        let flaw: String
    }

    private static let listDisagrees = "the list's length does not agree with the message's"

    static let flawed = [
        Flawed(testDescription: "no byte at all", message: [], isTLS13: false, kept: [], flaw: listDisagrees),
        Flawed(
            testDescription: "a header alone, TLS 1.3", message: [11, 0, 0, 0], isTLS13: true, kept: [],
            flaw: "the message ends within its request context"),
        Flawed(
            testDescription: "a request context beyond the end", message: [11, 0, 0, 2, 5, 1], isTLS13: true, kept: [],
            flaw: "the message ends within its request context"),
        Flawed(
            testDescription: "a list length cut off", message: [11, 0, 0, 2, 0, 0], isTLS13: false, kept: [],
            flaw: listDisagrees),
        Flawed(
            testDescription: "a list longer than the message", message: [11, 0, 0, 4, 0, 0, 9, 1], isTLS13: false,
            kept: [], flaw: listDisagrees),
        Flawed(
            testDescription: "bytes after the list", message: message([[1]], isTLS13: false) + [0], isTLS13: false,
            kept: [], flaw: listDisagrees),
        Flawed(
            testDescription: "a second certificate without its length",
            message: Bytes.certificate(list: Bytes.entry([1], extensions: nil) + [0, 0]), isTLS13: false, kept: [[1]],
            flaw: "certificate 2 is longer than the list that holds it"),
        Flawed(
            testDescription: "a second certificate beyond the list",
            message: Bytes.certificate(list: Bytes.entry([1], extensions: nil) + [0, 0, 2, 7]), isTLS13: false,
            kept: [[1]], flaw: "certificate 2 is longer than the list that holds it"),
        Flawed(
            testDescription: "a length of 16 MB", message: Bytes.certificate(list: [0xFF, 0xFF, 0xFF, 1]),
            isTLS13: false, kept: [], flaw: "certificate 1 is longer than the list that holds it"),
        Flawed(
            testDescription: "an empty certificate between two", message: message([[1], [], [2]], isTLS13: false),
            isTLS13: false, kept: [[1]], flaw: "certificate 2 is empty"),
        Flawed(
            testDescription: "TLS 1.3 without extensions",
            message: Bytes.certificate(list: Bytes.entry([1], extensions: nil), context: []), isTLS13: true,
            kept: [[1]], flaw: "the extensions of certificate 1 are longer than the list that holds them"),
        Flawed(
            testDescription: "extensions beyond the list",
            message: Bytes.certificate(
                list: Bytes.entry([1], extensions: []) + Bytes.entry([2], extensions: nil) + [0, 9, 0], context: []),
            isTLS13: true, kept: [[1], [2]],
            flaw: "the extensions of certificate 2 are longer than the list that holds them"),
    ]

    @Test(arguments: flawed)
    func `what was whole before a flaw is kept`(_ sample: Flawed) {
        let read = CertificateMessage(message: sample.message, isTLS13: sample.isTLS13)
        #expect(read.entries == sample.kept)
        #expect(read.flaw == sample.flaw)
        #expect(read.timestamps == 0 && read.stapledOCSP == nil)
    }

    @Test(arguments: [false, true])
    func `a message cut off anywhere is flawed and gives nothing that was not sent`(isTLS13: Bool) {
        let sent: [[UInt8]] = [[1, 2, 3], [4, 5]]
        let whole = Self.message(sent, isTLS13: isTLS13)
        for length in whole.indices {
            let read = CertificateMessage(message: Array(whole.prefix(length)), isTLS13: isTLS13)
            #expect(read.flaw != nil)
            #expect(read.entries.isEmpty)
        }
    }

    @Test func `a request context of TLS 1.3 is passed over`() {
        let list = Bytes.entry([1], extensions: [])
        let read = CertificateMessage(message: Bytes.certificate(list: list, context: [9, 9, 9]), isTLS13: true)
        #expect(read.entries == [[1]] && read.flaw == nil)
    }

    @Test func `the leaf's stapled response and timestamps are taken, and no other certificate's`() {
        let leafs =
            Bytes.tlsExtension(18, Bytes.timestampList(2)) + Bytes.tlsExtension(5, Bytes.certificateStatus([7, 8]))
            + Bytes.tlsExtension(18, Bytes.timestampList(9))
        let others =
            Bytes.tlsExtension(18, Bytes.timestampList(5)) + Bytes.tlsExtension(5, Bytes.certificateStatus([6]))
        let list = Bytes.entry([1], extensions: leafs) + Bytes.entry([2], extensions: others)
        let both = CertificateMessage(message: Bytes.certificate(list: list, context: []), isTLS13: true)
        #expect(both.entries == [[1], [2]])
        #expect(both.timestamps == 2)
        #expect(both.stapledOCSP == [7, 8])

        let bareLeaf = Bytes.entry([1], extensions: []) + Bytes.entry([2], extensions: others)
        let second = CertificateMessage(message: Bytes.certificate(list: bareLeaf, context: []), isTLS13: true)
        #expect(second.timestamps == 0 && second.stapledOCSP == nil)
    }

    @Test(
        "an extension that cannot be read costs itself alone",
        arguments: [
            (Bytes.tlsExtension(18, [0]), 0, nil as [UInt8]?),
            (Bytes.tlsExtension(18, [0, 9, 0, 1, 1]), 0, nil),
            (Bytes.tlsExtension(18, Bytes.vector([0, 1, 1, 0, 9, 1], width: 2)), 1, nil),
            (Bytes.tlsExtension(18, Bytes.vector([0, 1, 1, 0, 0, 0, 1, 1], width: 2)), 1, nil),
            (Bytes.tlsExtension(5, Bytes.certificateStatus(type: 2, [1])), 0, nil),
            (Bytes.tlsExtension(5, Bytes.certificateStatus([])), 0, nil),
            (Bytes.tlsExtension(5, [1, 0, 0, 9, 1]), 0, nil),
            (Bytes.tlsExtension(5, []) + Bytes.tlsExtension(18, Bytes.timestampList(1)), 1, nil),
            (Bytes.tlsExtension(18, Bytes.timestampList(1)) + [0, 5, 0, 9], 1, nil),
            ([0, 18, 0], 0, nil),
        ])
    func lenientExtensions(_ extensions: [UInt8], _ timestamps: Int, _ stapled: [UInt8]?) {
        let list = Bytes.entry([1], extensions: extensions)
        let read = CertificateMessage(message: Bytes.certificate(list: list, context: []), isTLS13: true)
        #expect(read.entries == [[1]] && read.flaw == nil)
        #expect(read.timestamps == timestamps)
        #expect(read.stapledOCSP == stapled)
    }

    @Test func `the chain's number is that of its fingerprints in order`() {
        let sent: [[UInt8]] = [[1], [2, 2]]
        let read = CertificateMessage(message: Self.message(sent, isTLS13: false), isTLS13: false)
        #expect(read.chain == TestPKI.chain(der: sent))
        #expect(read.chain?.id != TestPKI.chain(der: sent.reversed()).id)
    }
}
