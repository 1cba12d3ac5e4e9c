/// What lint looks for; the words are stable, and name the rule in SARIF and in findings.
package enum LintRule: String, Sendable, CaseIterable {
    /// The client cannot load the policy at all.
    case configError = "config_error"
    /// An entry without anything to compare, which refuses every connection or pins nothing, as the client has it.
    case noPins = "no_pins"
    /// Fewer pins than the client wants before it pins.
    case tooFewPins = "too_few_pins"
    /// One distinct pin for a host.
    case noBackup = "no_backup"
    /// Every pin of an entry is a key of one certificate chain, so none is left when that is replaced.
    case oneChain = "one_chain"
    /// Every pin of an entry is the key of the leaf in use.
    case leafKeyOnly = "leaf_key_only"
    /// A pin that stands twice, perhaps in another notation.
    case duplicatePin = "duplicate_pin"
    /// A whole leaf certificate is compared, and every renewal is another.
    case leafCertificatePin = "leaf_certificate_pin"
    /// A pinned certificate whose time is over.
    case pinnedCertificateExpired = "pinned_certificate_expired"
    /// A value out of documentation, or one that nobody's key hashes to.
    case placeholderPin = "placeholder_pin"
    /// A pin that by the client's own reading matches no key or certificate.
    case pinNeverMatches = "pin_never_matches"
    /// A certificate as PEM where the client loads DER alone, and drops the rest without a word.
    case pemCertificate = "pem_certificate"
    /// The hash of the right certificate, but of another part of it than the client compares.
    case wrongHash = "wrong_hash"
    /// A hash in the list of the other position: NSPinnedDomains tells the leaf from its issuers.
    case misplacedHash = "misplaced_hash"
    /// Pins whose day has passed: pinning is off, and nothing says so.
    case pinsExpired = "pins_expired"
    /// Pins whose day is near.
    case pinsExpireSoon = "pins_expire_soon"
    /// A public suffix that includes sub-domains: other people's hosts.
    case publicSuffix = "public_suffix"
    /// A host with upper-case letters.
    case hostCase = "host_case"
    /// A URL, or a host with a port or path, where a host should stand.
    case hostIsURL = "host_is_url"
    /// A host entry that ends in a dot.
    case hostTrailingDot = "host_trailing_dot"
    /// A star that the client takes for a letter.
    case wildcardNeverMatches = "wildcard_never_matches"
    /// A wildcard whose own domain is left without pins.
    case wildcardWithoutApex = "wildcard_without_apex"
    /// The same host spelled with a dot at its end is not pinned.
    case trailingDotUnpinned = "trailing_dot_unpinned"
    /// An entry for a sub-domain that takes none of the pins that its parent's entry holds for it.
    case siblingHidesPins = "sibling_hides_pins"
    /// Trust anchors for which pins are not looked at.
    case overridePins = "override_pins"
    /// `debug-overrides` in a file that ships.
    case debugOverrides = "debug_overrides"
    /// Connections without TLS are allowed, and so without pins.
    case cleartext
    /// The release supports systems that ignore these pins.
    case systemTooOld = "system_too_old"
    /// A number or text where the client takes a boolean alone.
    case notBoolean = "not_boolean"
    /// Sub-domains of more than one further label are not covered.
    case oneLabelOnly = "one_label_only"
    /// Two lists of pins, both of which must match.
    case bothLists = "both_lists"
    /// Pins that are reported on and not enforced.
    case reportOnly = "report_only"
    /// Of several domains in one element the client keeps the last.
    case lastDomainOnly = "last_domain_only"
    /// A host that is not listed is let through unpinned.
    case unlistedHosts = "unlisted_hosts"
    /// Every certificate is accepted, whoever made it.
    case trustDisabled = "trust_disabled"
    /// The host's entry compares no pin.
    case comparesNoPin = "compares_no_pin"
    /// The chain is not validated before its pins are compared.
    case validationOff = "validation_off"
    /// Whether the certificate is the host's is not looked at.
    case hostNotValidated = "host_not_validated"
    /// Pinned certificates replace the system's anchors.
    case selfSignedAccepted = "self_signed_accepted"
    /// What a list of pins leaves open is let through.
    case emptyAccepted = "empty_accepted"
    /// Text in a list of pins that spoils its neighbours.
    case pinList = "pin_list"
    /// A setting that the client has no use for.
    case idleSetting = "idle_setting"
    /// Releases for different platforms pin different hosts.
    case platformsDiffer = "platforms_differ"
    /// There are more hosts than lint looks at one by one.
    case tooManyHosts = "too_many_hosts"
    /// Requests go through a session that none of these pins bind.
    case sessionUnpinned = "session_unpinned"
    /// Trust is decided by text that anyone may put into a certificate.
    case trustByName = "trust_by_name"
    /// The evaluation's failure is thrown away.
    case failureIgnored = "failure_ignored"
    /// Something other than the kind of build decides whether connections are pinned.
    case pinningSwitch = "pinning_switch"
    /// A certificate is accepted that nobody has evaluated.
    case credentialUnevaluated = "credential_unevaluated"
    /// App Transport Security is off.
    case arbitraryLoads = "arbitrary_loads"
    /// One fixed header stands before the keys of every kind.
    case fixedKeyHeader = "fixed_key_header"
    /// Keys are made of bytes with one fixed type or size, which those of another kind do not have.
    case fixedKeyType = "fixed_key_type"
    /// A name that articles teach and the library does not know.
    case unknownName = "unknown_name"
    /// A type of the app's own hides the library's of the same name.
    case shadowedName = "shadowed_name"
    /// Reports of broken pins go to a host that the same pins cut off.
    case reportHostPinned = "report_host_pinned"
    /// A pinner is made that no client is given.
    case pinnerUnused = "pinner_unused"
    /// Something that pins depend on, which the files do not tell.
    case unresolved
}
