extension WultraIOSPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        WultraLint.traps(acceptsEmpty: onEmpty == .accept, isEmpty: entries.isEmpty) + [WultraLint.renewals]
    }
}

extension WultraAndroidPolicy {
    package func traps(_ facts: LintFacts, release: ReleaseFacts) -> [PolicyTrap] {
        let unvalidated = PolicyTrap(
            .validationOff, .note,
            message:
                "Wultra's trust manager for Android compares the fingerprint alone: chain and dates are not validated.",
            advice: "Ask the platform's trust manager as well, before the fingerprint is compared.")
        return WultraLint.traps(acceptsEmpty: list.onEmpty == .accept, isEmpty: list.entries.isEmpty)
            + [unvalidated, WultraLint.renewals]
    }
}

private enum WultraLint {
    static func traps(acceptsEmpty: Bool, isEmpty: Bool) -> [PolicyTrap] {
        let accepts = PolicyTrap(
            .emptyAccepted, .error,
            message:
                "The app lets through what its list has no entry for: a certificate with another common name is "
                + "accepted, "
                + "without a word.",
            advice: "Refuse what the list leaves open.")
        let empty = PolicyTrap(
            .noPins, .error,
            message: "The list has no entries, so every connection is left to what the app makes of that.",
            advice: "Add the fingerprints of the certificates in use and of those to come.")
        return (acceptsEmpty ? [accepts] : []) + (isEmpty ? [empty] : [])
    }

    static let renewals = PolicyTrap(
        .leafCertificatePin, .note,
        message:
            "The list holds whole leaf certificates: each renewal needs a new entry before it is served, the same "
            + "key or "
            + "not.",
        advice: "Publish the next certificate's entry before it is put in place.")
}
