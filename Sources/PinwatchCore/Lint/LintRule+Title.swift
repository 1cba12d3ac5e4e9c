extension LintRule {
    /// A few words for lists of rules.
    package var title: String {
        switch self {
        case .configError: "The client cannot load the pins"
        case .noPins: "An entry without pins"
        case .tooFewPins: "Too few pins"
        case .noBackup: "No backup pin"
        case .oneChain: "All pins on one chain"
        case .leafKeyOnly: "Only the leaf's key is pinned"
        case .duplicatePin: "A pin stands twice"
        case .leafCertificatePin: "A leaf certificate is pinned"
        case .pinnedCertificateExpired: "A pinned certificate has expired"
        case .placeholderPin: "A placeholder in a pin's place"
        case .pinNeverMatches: "A pin that never matches"
        case .pemCertificate: "PEM where DER is loaded"
        case .wrongHash: "The hash of something else"
        case .misplacedHash: "A hash in the other list"
        case .pinsExpired: "Pinning has ended"
        case .pinsExpireSoon: "Pinning ends soon"
        case .publicSuffix: "A public suffix is pinned"
        case .hostCase: "Upper case in a host"
        case .hostIsURL: "A URL stands where a host should"
        case .hostTrailingDot: "A host ends in a dot"
        case .wildcardNeverMatches: "A wildcard that never matches"
        case .wildcardWithoutApex: "A wildcard without its own domain"
        case .trailingDotUnpinned: "A trailing dot escapes the pins"
        case .siblingHidesPins: "A sibling entry hides pins"
        case .overridePins: "Anchors override pins"
        case .debugOverrides: "Debug overrides ship"
        case .cleartext: "Cleartext is allowed"
        case .systemTooOld: "Older systems ignore the pins"
        case .notBoolean: "A number in a boolean's place"
        case .oneLabelOnly: "Sub-domains of one label only"
        case .bothLists: "Both lists must match"
        case .reportOnly: "Pins are not enforced"
        case .lastDomainOnly: "Only the last domain counts"
        case .unlistedHosts: "Unlisted hosts are not pinned"
        case .trustDisabled: "Every certificate is accepted"
        case .comparesNoPin: "No pin is compared"
        case .validationOff: "The chain is not validated"
        case .hostNotValidated: "The host is not validated"
        case .selfSignedAccepted: "Pinned certificates are the only anchors"
        case .emptyAccepted: "An empty list lets everything through"
        case .pinList: "A malformed list of pins"
        case .idleSetting: "A setting without effect"
        case .platformsDiffer: "Platforms pin different hosts"
        case .tooManyHosts: "More hosts than are examined"
        case .sessionUnpinned: "Requests beside the pinned session"
        case .trustByName: "Trust by a certificate's text"
        case .failureIgnored: "A failed evaluation is ignored"
        case .pinningSwitch: "A switch turns pinning off"
        case .credentialUnevaluated: "A certificate is accepted unevaluated"
        case .arbitraryLoads: "App Transport Security is off"
        case .fixedKeyHeader: "One key header for all keys"
        case .fixedKeyType: "One type of key for all keys"
        case .unknownName: "A name that the library lacks"
        case .shadowedName: "An own type hides the library's"
        case .reportHostPinned: "Reports go to a pinned host"
        case .pinnerUnused: "A pinner is not used"
        case .unresolved: "Pins depend on what is not told"
        }
    }

    /// Whether it depends on having all of the pins: nothing of it is said where some are still to be handed over.
    package var needsAllPins: Bool {
        switch self {
        case .configError, .noPins, .tooFewPins, .noBackup, .oneChain, .leafKeyOnly, .platformsDiffer: true
        case .duplicatePin, .leafCertificatePin, .pinnedCertificateExpired, .placeholderPin, .pinNeverMatches,
            .pemCertificate, .wrongHash, .misplacedHash, .pinsExpired, .pinsExpireSoon, .publicSuffix,
            .wildcardNeverMatches, .hostCase, .hostIsURL, .hostTrailingDot, .wildcardWithoutApex, .trailingDotUnpinned,
            .siblingHidesPins, .overridePins, .debugOverrides, .cleartext,
            .systemTooOld, .notBoolean, .oneLabelOnly, .bothLists, .reportOnly, .lastDomainOnly, .unlistedHosts,
            .trustDisabled, .comparesNoPin, .validationOff, .hostNotValidated, .selfSignedAccepted, .emptyAccepted,
            .pinList, .idleSetting, .tooManyHosts, .sessionUnpinned, .trustByName, .failureIgnored, .pinningSwitch,
            .credentialUnevaluated, .arbitraryLoads, .fixedKeyHeader, .fixedKeyType, .unknownName, .shadowedName,
            .reportHostPinned, .pinnerUnused, .unresolved:
            false
        }
    }
}
