extension TargetView {
    /// What a responder can do about a host whose keys others rotate without asking; `ours` where it is one of ours, or
    /// where whose it is makes no difference.
    func advice(_ kind: FindingKind, ours: String) -> String {
        switch target.settings.owner {
        case .ours: ours
        case .thirdParty: kind.stepAtThirdParty ?? ours
        }
    }
}

extension FindingKind {
    /// `nil` where the same is to be done as with a host of ours.
    fileprivate var stepAtThirdParty: String? {
        switch self {
        case .pinRejected:
            "Others rotate this host's keys: ship a release that pins the authority's key, or none, for it; until then "
                + "its users cannot connect."
        case .pinAtRisk, .pinNoBackup:
            "Others rotate this host's keys and keep none in reserve for us: ship a release that pins the keys of its "
                + "authorities, or does not pin it."
        case .certificateExpiry, .chainExpiry, .certificateNotYetValid, .chainInvalid, .chainIncomplete,
            .hostnameMismatch, .certificateRevoked, .cryptoWeak:
            "Tell whoever runs the host: the server is not ours to mend."
        case .pinConfigError, .pinSetExpiry, .pinSetLint, .interceptionSuspected, .vantageSuspect, .scanFailing,
            .scanStale, .hostUnpinned, .channelFailing:
            nil
        }
    }
}
