internal import PinwatchCore

/// Key families by fingerprint, so that an unchanged leaf is not read again at every scan. One per loop, bounded.
struct FamilyCache {
    private static let limit = 4_096
    private let read: @Sendable (Certificate) -> KeyFamily?
    /// Two generations: the older is dropped when the younger is full, so that what is in use stays.
    private var young: [SHA256Digest: KeyFamily?] = [:]
    private var old: [SHA256Digest: KeyFamily?] = [:]

    init(read: @escaping @Sendable (Certificate) -> KeyFamily?) {
        self.read = read
    }

    mutating func family(of leaf: Certificate) -> KeyFamily? {
        if let known = young[leaf.fingerprint] { return known }
        let family = old[leaf.fingerprint] ?? read(leaf)
        if young.count == Self.limit / 2 { (old, young) = (young, [:]) }
        young[leaf.fingerprint] = .some(family)
        return family
    }
}
