/// What a client is shown when it connects.
package struct Presentation: Sendable {
    /// The host as the app spells it, case and trailing dot included.
    package let host: String
    /// What was sent and how it verifies, against the trust store that this client would use.
    package let assessment: ChainAssessment
    /// The same at the time of the connection, for the name in `host`.
    package let verification: Verification
    package let now: Instant
    /// Of the release that connects.
    package let release: ReleaseFacts
    /// Certificates that are at hand, whether or not they are served.
    package let known: [CertificateSummary]

    package init(
        host: String, assessment: ChainAssessment, verification: Verification, now: Instant,
        release: ReleaseFacts = ReleaseFacts(), known: [CertificateSummary] = []
    ) {
        self.host = host
        self.assessment = assessment
        self.verification = verification
        self.now = now
        self.release = release
        self.known = known
    }

    /// The same, to another release.
    package func shown(to release: ReleaseFacts) -> Presentation {
        Presentation(
            host: host, assessment: assessment, verification: verification, now: now, release: release, known: known)
    }

    /// The same, to whom these certificates are at hand.
    package func shown(beside known: [CertificateSummary]) -> Presentation {
        known.isEmpty
            ? self
            : Presentation(
                host: host, assessment: assessment, verification: verification, now: now, release: release,
                known: known)
    }
}

/// The end of one host entry's pins.
package struct PinExpiry: Sendable, Hashable {
    /// The last instant at which the pins still apply.
    package let at: Instant
    /// The entry as the policy writes it, wildcards included.
    package let host: String
    /// The day as the policy names it, where it begins at midnight of each device's own zone and `at` is the first of
    /// these; `nil` where `at` is the end for all.
    package let localDay: String?

    package init(at: Instant, host: String, localDay: String? = nil) {
        self.at = at
        self.host = host
        self.localDay = localDay
    }
}

/// One host entry of a policy, as people read it.
package struct PinnedHost: Sendable, Hashable {
    /// As the policy writes it, wildcards included.
    package let pattern: String
    /// Which certificates the pins are held against, in the client's own word: `leaf`, `any`, `any_in_path`.
    package let match: String
    package let pins: [Pin]
    /// The last instant at which the entry still pins; `nil` if it has no end.
    package let expires: Instant?

    package init(pattern: String, match: String, pins: [Pin], expires: Instant?) {
        self.pattern = pattern
        self.match = match
        self.pins = pins
        self.expires = expires
    }
}

/// A file that a policy takes its rules from, such as an app's own XML.
package struct PolicyText: Sendable, Hashable {
    /// As the policy names it.
    package let path: String
    /// All of it.
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// One client library's rules over its own policy: a pure function from what is served to a verdict.
///
/// A client is one file in `Clients/` and a case of ``Client``.
package protocol PinPolicy: Sendable {
    /// Reads the `policy:` node, reporting every fault through `reader`; `nil` if any was reported.
    init?(from node: Node, reader: inout NodeReader)

    /// Decides exactly as the client's own code does.
    func verdict(for presentation: Presentation) -> Verdict

    /// The pins that apply to a host as the client would look it up, in file order; empty where none do.
    ///
    /// Used to tell whether a backup pin is left; whether they are satisfied is for ``verdict(for:)``.
    func pins(for host: String, now: Instant) -> [Pin]

    /// Whether the policy may have anything to say of a host but that it does not list it: whether the host's judgement
    /// can change with the policy. As the client would look the host up.
    func concerns(host: String) -> Bool

    /// The entries that the client comes to when it looks a host up, as the policy writes them, whatever their pins and
    /// their date; empty too for a policy that names no hosts.
    func patterns(covering host: String) -> [String]

    /// Whether its entries tell which hosts the app connects to: false for a client that holds every host of a session,
    /// or every leaf by its own name, against the same pins.
    var namesHosts: Bool { get }

    /// Every host entry in file order, whatever has expired.
    var hosts: [PinnedHost] { get }

    /// Every pin of every host entry, in file order, whatever has expired: what the policy was made from beside its text.
    var allPins: [Pin] { get }

    /// What was read beside the pin file's own text, certificates and keys of pins apart: it may change while that stays.
    var readTexts: [PolicyText] { get }

    /// Whether `pin` is satisfied by this certificate, by the client's own comparison and strictness.
    func pin(_ pin: Pin, matches certificate: CertificateSummary) -> Bool

    /// The last instants at which host entries still pin, past ones included, in any order; empty if none expire.
    var expiries: [PinExpiry] { get }

    /// Why the client cannot load this policy at all, as a `config_error` verdict; `nil` if it can, or if only a
    /// connection could tell.
    var configurationError: Verdict? { get }

    /// Whether a host that no entry covers is refused, rather than let through unpinned.
    var refusesUnlistedHosts: Bool { get }

    /// What this client alone makes a trap of, in file order; what every client's look-up and comparison tell is found
    /// without it (``PolicyLint``).
    func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap]
}

extension PinPolicy {
    /// Right for every policy, and dear: all hosts are judged when it changes.
    package func concerns(host: String) -> Bool { true }
    package func patterns(covering host: String) -> [String] { [] }
    package var namesHosts: Bool { true }
    package var configurationError: Verdict? { nil }
    package var readTexts: [PolicyText] { [] }
    package var refusesUnlistedHosts: Bool { false }
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] { [] }
}
