/// A leaf that is served now and whose revocation is to be looked at.
package struct RevocationCase: Sendable {
    /// A chain that the leaf comes in, with the trust store that a target which serves it names.
    package struct Serving: Sendable {
        package let chain: Chain
        package let trustStore: String

        package init(chain: Chain, trustStore: String) {
            self.chain = chain
            self.trustStore = trustStore
        }
    }

    /// The leaf's fingerprint.
    package let leaf: SHA256Digest
    /// Some of the ways in which it is served, each once; empty where none serves it any longer.
    package let servings: [Serving]
    /// DER of the responses last stapled to it, each once, the newest first; a few.
    package let staples: [[UInt8]]
    /// What is known so far; `nil` before the first look.
    package let known: Revocation?
    /// Since when it is to be looked at.
    package let dueAt: Instant

    package init(leaf: SHA256Digest, servings: [Serving], staples: [[UInt8]], known: Revocation?, dueAt: Instant) {
        self.dueAt = dueAt
        self.leaf = leaf
        self.servings = servings
        self.staples = staples
        self.known = known
    }
}

/// What a look at a leaf's revocation came to.
package struct RevocationLook: Sendable {
    package let leaf: SHA256Digest
    /// `nil` where the leaf is served no longer: what is known stays.
    package let found: Revocation?
    /// Of the ``RevocationCase``: where another look was asked for since, that stands.
    package let dueAt: Instant
    /// `nil` until the leaf is served again.
    package let nextCheckAt: Instant?

    package init(leaf: SHA256Digest, found: Revocation?, dueAt: Instant, nextCheckAt: Instant?) {
        self.dueAt = dueAt
        self.leaf = leaf
        self.found = found
        self.nextCheckAt = nextCheckAt
    }
}
