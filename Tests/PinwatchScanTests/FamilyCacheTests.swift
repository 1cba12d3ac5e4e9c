import PinwatchCore
import Synchronization
import TestSupport
import Testing

@testable import PinwatchScan

/// A leaf is read once as long as it is in use, and what is kept is bounded.
struct FamilyCacheTests {
    /// Counts how often each certificate was read.
    private final class Reader: Sendable {
        private let counts = Mutex<[SHA256Digest: Int]>([:])

        func family(_ leaf: Certificate, _ answer: KeyFamily?) -> KeyFamily? {
            counts.withLock { $0[leaf.fingerprint, default: 0] += 1 }
            return answer
        }

        func count(_ leaf: Certificate) -> Int { counts.withLock { $0[leaf.fingerprint] ?? 0 } }
    }

    private func leaf(_ number: Int) -> Certificate { TestPKI.certificate(der: Array("leaf \(number)".utf8)) }

    @Test(arguments: [.ecdsa, .rsa, .ed25519, .other, nil] as [KeyFamily?])
    func `a leaf is read once, whether or not it has a family`(family: KeyFamily?) {
        let reader = Reader()
        var cache = FamilyCache { reader.family($0, family) }
        for _ in 0..<3 { #expect(cache.family(of: leaf(1)) == family) }
        #expect(reader.count(leaf(1)) == 1)
    }

    @Test func `each leaf has its own`() {
        let (first, second) = (leaf(1), leaf(2))
        var cache = FamilyCache { $0 == first ? .rsa : .ecdsa }
        #expect([first, second, first].map { cache.family(of: $0) } == [.rsa, .ecdsa, .rsa])
    }

    @Test func `a leaf in use stays, however many others come by`() {
        let reader = Reader()
        var cache = FamilyCache { reader.family($0, .ecdsa) }
        for number in 1...20_000 {
            _ = cache.family(of: leaf(number))
            if number.isMultiple(of: 1_000) { _ = cache.family(of: leaf(0)) }
        }
        #expect(reader.count(leaf(0)) == 1)
    }

    @Test(arguments: [(2_048, 1), (4_095, 1), (4_096, 2), (20_000, 2)])
    func `a leaf out of use is forgotten after two generations`(others: Int, reads: Int) {
        let reader = Reader()
        var cache = FamilyCache { reader.family($0, nil) }
        _ = cache.family(of: leaf(0))
        for number in 1...others { _ = cache.family(of: leaf(number)) }
        _ = cache.family(of: leaf(0))
        #expect(reader.count(leaf(0)) == reads)
    }
}
