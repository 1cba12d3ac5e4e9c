/// A place that alerts are sent to.
package struct Channel: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Standard Webhooks: a JSON body signed with HMAC-SHA256.
        case webhook
        /// A Slack-compatible incoming webhook: `{"text": …}`.
        case slack
    }

    package let name: String
    package let kind: Kind
    /// An http or https URL. Secret, for chat services put their token in it.
    package let url: Secret
    /// `whsec_<base64>` keys, newest first, at most two; each signs every message. Empty for kinds that do not sign.
    package let secrets: [Secret]
    /// Whether loopback and private addresses may be connected to.
    package let allowPrivate: Bool

    package init(name: String, kind: Kind, url: Secret, secrets: [Secret], allowPrivate: Bool) {
        self.name = name
        self.kind = kind
        self.url = url
        self.secrets = secrets
        self.allowPrivate = allowPrivate
    }

    /// The URL's host without its port, which is no secret: `hooks.slack.com`.
    package var urlHost: String {
        let url = url.revealed
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") { return String(place[...end]) }
        return String(place.prefix { $0 != ":" })
    }
}

/// Which alerts and events go to which channels. What a route leaves out it does not ask about.
package struct Route: Sendable, Hashable {
    package var severities: Set<Severity>
    package var kinds: Set<FindingKind>
    /// A target must carry all of these.
    package var labels: [String: String]
    /// Events told beside alerts, such as `key.changed`; alerts ignore routes that name events and nothing else.
    package var events: Set<EventKind>
    package var channels: [String]

    package init(
        severities: Set<Severity> = [], kinds: Set<FindingKind> = [], labels: [String: String] = [:],
        events: Set<EventKind> = [], channels: [String]
    ) {
        self.severities = severities
        self.kinds = kinds
        self.labels = labels
        self.events = events
        self.channels = channels
    }
}
