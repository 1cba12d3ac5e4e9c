/// Traps that several clients have, in the same words.
enum LintWords {
    static func disabled(_ name: String, _ host: String) -> PolicyTrap {
        PolicyTrap(
            .trustDisabled, .error, host: host,
            message: "\(name) for \(host) accepts every certificate, whoever made it.",
            advice: "Take it out of what ships, and pin the host or leave it to default validation.")
    }

    static func noPin(_ name: String, _ host: String) -> PolicyTrap {
        PolicyTrap(
            .comparesNoPin, .warning, host: host, message: "\(name) for \(host) compares no pin.",
            advice: "Pin the host's keys, if it is meant to be pinned.")
    }

    static func selfSigned(_ host: String) -> PolicyTrap {
        PolicyTrap(
            .selfSignedAccepted, .warning, host: host,
            message:
                "Self-signed certificates are accepted for \(host): the pinned ones are the only anchors, and a chain "
                + "of a public authority must end in one of them.",
            advice: "Leave it at false, unless the host's authority is your own.")
    }

    static func hostUnchecked(_ flag: String, _ host: String) -> PolicyTrap {
        PolicyTrap(
            .hostNotValidated, .warning, host: host,
            message:
                "\(flag) is false for \(host): a certificate for any other host passes, if a pin matches its chain.",
            advice: "Leave it at true.")
    }

    static func unvalidated(_ flags: String, _ host: String) -> PolicyTrap {
        PolicyTrap(
            .validationOff, .error, host: host,
            message: "\(flags) \(host): neither chain nor dates nor host are checked before pins are compared.",
            advice: "Leave them at true.")
    }
}
