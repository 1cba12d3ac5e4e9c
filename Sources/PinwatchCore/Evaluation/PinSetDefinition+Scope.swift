extension PinSetDefinition {
    /// Whether a target is known to be one that this release connects to.
    ///
    /// curl, wget, AFNetworking and Wultra hold every host against the same pins, and their files name none: judged by
    /// them, every target but the app's own would be broken. Theirs are those that another layer or an entry's name
    /// covers, and those whose label `app` is the release's app.
    func isKnownToConnect(to settings: TargetSettings) -> Bool {
        let hostless = layers.map(\.policy).filter { !$0.namesHosts }
        guard !hostless.isEmpty, settings.labels["app"] != identity.app else { return true }
        let host = HostPattern.normalised(settings.identity.clientHost)
        let covering = HostPattern.covering(host)
        return layers.contains { $0.policy.namesHosts && $0.policy.concerns(host: host) }
            || hostless.flatMap(\.hosts).contains { covering.contains(HostPattern.normalised($0.pattern)) }
    }

    /// The answer for a target that the release is not known to connect to.
    var notKnownToConnect: ReleaseVerdict {
        let verdict = Verdict(
            .notEvaluated, code: "host_not_named",
            reason: "these pins name no host, and nothing tells that \(identity.app) connects to this one; "
                + "give the target the label app: \(identity.app) if it does")
        return ReleaseVerdict(
            layers: layers.map { ReleaseVerdict.Layer(client: $0.client, verdict: verdict) }, deciding: verdict)
    }
}
