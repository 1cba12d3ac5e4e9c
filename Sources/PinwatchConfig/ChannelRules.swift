package import PinwatchCore

/// What a channel's secrets must be, wherever they come from.
package enum ChannelRules {
    /// The host of a channel's URL, without user, port or brackets.
    ///
    /// - Throws: What is wrong with the URL. It is not shown.
    package static func host(of url: Secret) throws(HostProblem) -> String {
        do { return String(try WebAddress(url.revealed).host) } catch { throw HostProblem("url \(error.words)") }
    }

    /// - Throws: What is wrong with a secret that signs. It is not shown.
    package static func check(webhookSecret: Secret) throws(HostProblem) {
        guard webhookSecret.isWebhookKey else {
            throw HostProblem("secret must be whsec_ and base64 of 24 to 64 bytes")
        }
    }
}
