internal import FoundationEssentials
package import PinwatchCore

/// What a channel's secrets must be, whether they come from the configuration file or by the API.
package enum ChannelRules {
    /// The host of a channel's URL, without user, port or brackets.
    ///
    /// - Throws: What is wrong with the URL; completes "url …", and does not show it.
    package static func host(of url: Secret) throws(HostProblem) -> String {
        do {
            return String(try WebAddress(url.revealed).host)
        } catch {
            throw HostProblem("\(error.words); its value is not shown")
        }
    }

    /// - Throws: What is wrong with a secret that is to sign webhooks (Standard Webhooks); completes "secret …", and does
    ///   not show it.
    package static func check(signingKey: Secret) throws(HostProblem) {
        guard isWebhookKey(signingKey.revealed) else {
            throw HostProblem("must be whsec_ and base64 of 24 to 64 bytes; its value is not shown")
        }
    }

    private static func isWebhookKey(_ secret: String) -> Bool {
        let text = String(secret.dropFirst(6))
        guard secret.hasPrefix("whsec_"), text.utf8.count.isMultiple(of: 4), let key = Data(base64Encoded: text)
        else { return false }
        return (24...64).contains(key.count)
    }
}
