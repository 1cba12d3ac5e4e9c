/// The document's component schemas. A reference can only be made to one of these, so none can lead nowhere.
enum SchemaName: String, Sendable, CaseIterable {
    case problem = "Problem"
    case resources = "Resources"
    case summary = "Summary"
    case findingCounts = "FindingCounts"
    case upcoming = "Upcoming"
    case target = "Target"
    case targetBody = "TargetBody"
    case targetEdit = "TargetEdit"
    case targetLeaf = "TargetLeaf"
    case targetPreview = "TargetPreview"
    case messageTarget = "MessageTarget"
    case span = "Span"
    case observationDetail = "ObservationDetail"
    case observationRun = "ObservationRun"
    case verdict = "Verdict"
    case targetVerdict = "TargetVerdict"
    case pinMatch = "PinMatch"
    case certificate = "Certificate"
    case key = "Key"
    case sighting = "Sighting"
    case finding = "Finding"
    case alert = "Alert"
    case alertRecord = "AlertRecord"
    case silence = "Silence"
    case silenceMatchers = "SilenceMatchers"
    case silencePreview = "SilencePreview"
    case event = "Event"
    case delivery = "Delivery"
    case deliveryWithMessage = "DeliveryWithMessage"
    case attempt = "Attempt"
    case channel = "Channel"
    case channelWithSecret = "ChannelWithSecret"
    case channelTest = "ChannelTest"
    case route = "Route"
    case pinSet = "PinSet"
    case pinSetDetail = "PinSetDetail"
    case pinSetPreview = "PinSetPreview"
    case pinnedHost = "PinnedHost"
    case pinFileReading = "PinFileReading"
    case handedFile = "HandedFile"
    case lintProblem = "LintProblem"
    case token = "Token"
    case tokenWithText = "TokenWithText"
    case session = "Session"
    case settings = "Settings"
    case reloadReport = "ReloadReport"
    case auditRecord = "AuditRecord"
    case alertMessage = "AlertMessage"
    case eventMessage = "EventMessage"
    case testMessage = "TestMessage"

    var schema: Schema {
        switch self {
        case .problem: .problem
        case .resources: .resources
        case .summary: .summary
        case .findingCounts: .findingCounts
        case .upcoming: .upcoming
        case .target: .target
        case .targetBody: TargetBody.shape.schema
        case .targetEdit: TargetEdit.shape.schema
        case .targetLeaf: .targetLeaf
        case .targetPreview: .targetPreview
        case .messageTarget: .messageTarget
        case .span: .span
        case .observationDetail: .observationDetail
        case .observationRun: .observationRun
        case .verdict: .verdict
        case .targetVerdict: .targetVerdict
        case .pinMatch: .pinMatch
        case .certificate: .certificate
        case .key: .key
        case .sighting: .sighting
        case .finding: .finding
        case .alert: .alert
        case .alertRecord: .alertRecord
        case .silence: .silence
        case .silenceMatchers: .silenceMatchers
        case .silencePreview: .silencePreview
        case .event: .event
        case .delivery: .delivery
        case .deliveryWithMessage: .deliveryWithMessage
        case .attempt: .attempt
        case .channel: .channel
        case .channelWithSecret: .channelWithSecret
        case .channelTest: .channelTest
        case .route: .route
        case .pinSet: .pinSet
        case .pinSetDetail: .pinSetDetail
        case .pinSetPreview: .pinSetPreview
        case .pinnedHost: .pinnedHost
        case .pinFileReading: .pinFileReading
        case .handedFile: .handedFile
        case .lintProblem: .lintProblem
        case .token: .token
        case .tokenWithText: .tokenWithText
        case .session: .session
        case .settings: .settings
        case .reloadReport: .reloadReport
        case .auditRecord: .auditRecord
        case .alertMessage: .alertMessage
        case .eventMessage: .eventMessage
        case .testMessage: .testMessage
        }
    }
}
