internal import PinwatchCore

/// A policy of whichever client the caller names, out of pins that say neither client nor host.
enum ClientPins {
    /// Whether the client compares whole certificates where it is given one.
    static func comparesCertificates(_ client: Client?) -> Bool {
        switch client {
        case .wultraIOS, .wultraAndroid, .httpCertificatePinning: true
        case nil, .generic, .alamofire, .alamofire4, .trustKitIOS, .trustKitAndroid, .applePinnedDomains, .androidNSC,
            .okhttp, .okhttp3, .ktorDarwin, .cronet, .curl, .wget, .afnetworking, .urlSession, .rnSSLPinningIOS,
            .rnSSLPinningAndroid, .rnPublicKeyPinningIOS, .rnPublicKeyPinningAndroid, .dartSecurityContext,
            .cordovaAdvancedHTTPIOS, .cordovaAdvancedHTTPAndroid, .dotnetCallback, .hpkp:
            false
        }
    }

    /// One layer, or none where client or host are missing, which is asked for.
    ///
    /// - Parameter mark: Where the pins begin, if they stand in one file.
    static func layers(
        _ pins: [Node], at mark: Mark?, context: ImportContext, _ draft: inout Draft
    ) -> [NativeLayer] {
        if context.client == nil {
            draft.ask(
                "client",
                "Which client library holds these pins? Say so with --client; `generic` is a plain rule of any "
                    + "pin on the path.", key: "client", at: mark, mustAnswer: true)
        }
        let needsHost = context.client != .curl && context.client != .wget
        if context.host == nil, needsHost {
            draft.ask(
                "host", "For which host are these pins? Say so with --host.", key: "policy", at: mark, mustAnswer: true)
        }
        guard let client = context.client, context.host != nil || !needsHost else { return [] }
        let texts = pins.compactMap(\.scalar)
        let entry = PinPlan.Entry(host: context.host ?? "", scope: .exact, place: .anywhere, pins: texts, expires: nil)
        var plan = PinPlan(entries: [entry])
        guard let policy = plan.policy(for: client) else {
            draft.ask(
                "client", "\(client.rawValue) takes no pins like these; which client library is it?", key: "client",
                at: mark, mustAnswer: true)
            return []
        }
        for note in plan.notes { draft.remark(nil, note) }
        return [NativeLayer(client: client, policy: policy)]
    }
}
