import PinwatchCore

@testable import PinwatchHTTP

private let finding = Finding(
    key: "pin.rejected/1/1", kind: .pinRejected, scope: Scope(affected: 1, of: 2), severity: .critical,
    targetID: TargetID(1), pinSetID: PinSetID(1), subject: "api.example.com", summary: "It is rejected.",
    nextStep: "Move it back.", evidence: .object([("pins", .array([]))]), since: now, affectedShare: 0.5)

private let event = Event(
    kind: .keyChanged, at: now, targetID: TargetID(1), subject: "api.example.com", keyChange: .unpinned, quiet: false,
    summary: "It has another key.", evidence: .object([]))

private let alert = AlertRecord(
    alert: Alert(
        id: AlertID(1), findingKey: finding.key, kind: .pinRejected, state: .open, severity: .critical, openedAt: now,
        told: ["ops"]),
    subjects: ["api.example.com"], finding: finding)

private let delivery = Delivery(
    id: 1, messageID: "msg_1", type: "alert.opened", channel: "ops", alertID: AlertID(1),
    body: Array(#"{"id":"msg_1"}"#.utf8), state: .dead,
    attempts: [Attempt(at: now, status: 503, error: "it answered 503", milliseconds: 7)], nextAttemptAt: nil,
    createdAt: now)

/// What a scan of target 1 saw.
let observation: Observation = {
    var made = Observation(at: now, address: address("192.0.2.1"), profile: .phone, outcome: .ok)
    made.tlsVersion = .tls13
    made.keyFamily = .ecdsa
    return made
}()

/// A certificate that only has to be shown.
enum ChainSample {
    static let certificate = Certificate(der: [1, 2, 3], fingerprint: digest(0xAB))

    static func json(_ certificate: Certificate) -> JSON {
        .object(
            [("sha256", .string(certificate.fingerprint.hex))]
                + ["spki", "subject", "issuer", "serial", "not_before", "not_after", "lifetime_s", "names", "key"]
                .map { ($0, .null) }
                + ["signature", "is_ca", "self_signed", "scts", "ocsp_urls", "aia_urls"].map { ($0, .null) }
                + [("unreadable", .array([])), ("pem", .string(PEMText.certificate(certificate.der)))])
    }

    static let sighting = Sighting(
        targetID: TargetID(1), label: "api.example.com", certificate: digest(0xAB), position: 0, firstSeen: now - 60,
        lastSeen: now, open: true)
}

extension StubReadingStore.Contents {
    static var sample: StubReadingStore.Contents {
        var contents = StubReadingStore.Contents()
        contents.targets = [targetRecord(id: 1)]
        contents.findings = [finding]
        contents.alerts = [alert]
        contents.deliveries = [delivery]
        contents.events = [EventRecord(id: 1, event: event)]
        contents.observations = [
            ObservationRecord(
                id: 1, targetID: TargetID(1), identity: targetRecord().target.identity, observation: observation,
                fingerprints: [digest(1)], weak: [], firstAt: now - 60, times: 3)
        ]
        contents.verdicts = [
            VerdictRecord(
                pinSetID: PinSetID(1), pinSet: definition().identity, targetID: TargetID(1),
                address: address("192.0.2.1"), family: .ecdsa, chain: [digest(1)],
                verdict: ReleaseVerdict(
                    layers: [
                        .init(client: .generic, verdict: Verdict(.rejectPin, code: "no_pin_matched", reason: "no"))
                    ],
                    deciding: Verdict(.rejectPin, code: "no_pin_matched", reason: "no")))
        ]
        contents.accepted = [AcceptedRecord(pinSetID: PinSetID(1), pinSet: definition().identity, count: 2)]
        contents.certificates = [
            CertificateRecord(certificate: ChainSample.certificate, sightings: [ChainSample.sighting])
        ]
        contents.keys = [
            KeyRecord(
                spki: digest(0xFB), family: .ecdsa, certificates: [digest(0xAB)], sightings: [ChainSample.sighting])
        ]
        contents.summary.broken = [finding]
        contents.summary.changes = contents.events
        contents.summary.runway = [
            Upcoming(
                kind: .certificate, endsAt: now + 86_400, targetID: TargetID(1), pinSetID: nil,
                subject: "api.example.com", summary: "leaf certificate ends")
        ]
        return contents
    }
}

extension StubManagingStore.Contents {
    static var sample: StubManagingStore.Contents {
        var contents = StubManagingStore.Contents()
        var record = targetRecord(id: 1)
        record.target.settings.managedBy = .api
        contents.targets = [record.target.id: record]
        contents.known = [record.target.identity: KnownTarget(id: record.target.id, removed: false)]
        contents.pinSets = [
            PinSetID(1): PinSetRecord(
                pinSet: PinSet(id: PinSetID(1), definition: definition()), revision: 1, createdAt: now, updatedAt: now,
                targetCount: 1,
                verdicts: [.accept: 2, .acceptReport: 1, .rejectPin: 3, .rejectChain: 1, .unknown: 1, .unpinned: 4])
        ]
        contents.pinSetTargets = [
            PinSetTarget(
                targetID: TargetID(1), label: "api.example.com", verdict: .rejectPin, code: "no_pin_matched",
                reason: "none matches", addresses: 3)
        ]
        contents.channels = [
            "ops": channelRecord(
                StoredChannel(
                    name: "ops", kind: .webhook, urlHost: "hooks.example.com", allowPrivate: false, managedBy: .api,
                    secretCount: 1, sealed: .init(url: [7], secrets: [[8]])), at: now)
        ]
        contents.routes = [
            1: RouteRecord(
                id: 1, route: PinwatchCore.Route(severities: [.critical], labels: ["app": "shop"], channels: ["ops"]),
                managedBy: .api, revision: 1)
        ]
        contents.silences = [
            SilenceID(1): SilenceRecord(
                id: SilenceID(1),
                silence: Silence(
                    matchers: .init(host: "*.example.com", kinds: [.pinRejected]), startsAt: now, endsAt: nil,
                    weekly: .init(weekdays: [.sat, .mon], fromMinute: 22 * 60, toMinute: 65, zone: "Europe/Berlin"),
                    comment: "maintenance"),
                createdBy: "Anna", createdAt: now, managedBy: .api, revision: 1, state: .active, alerts: 1)
        ]
        contents.alerts = [alert.alert.id: alert]
        contents.deliveries = [1: delivery]
        contents.events = [1: EventRecord(id: 1, event: event)]
        contents.tokens = [
            1: TokenRecord(id: 1, name: "Anna", role: .admin, createdAt: now, expiresAt: nil, revokedAt: nil)
        ]
        contents.audit = [
            AuditRecord(
                id: 1, at: now, principal: .loopback, address: address("127.0.0.1"), action: .targetUpdate,
                object: AuditObject(type: "target", id: "1", name: "api.example.com"),
                changes: .object([("paused", .object([("from", .bool(false)), ("to", .bool(true))]))]))
        ]
        return contents
    }
}
