internal import PinwatchCore

/// What the configuration says of targets that come by the API.
struct TargetRules: Sendable {
    let idna: any IDNA
    let allowedPorts: [UInt16]
    let trustStores: Set<String>

    init(_ context: ServiceContext) async {
        let configuration = await context.administration.settings().configuration
        idna = context.idna
        allowedPorts = configuration.scan.allowPorts
        trustStores = Set(configuration.trustStores.keys)
    }
}

/// A body that adds targets.
enum TargetBody: Sendable {
    case one(TargetSettings)
    case many([TargetSettings])

    var settings: [TargetSettings] {
        switch self {
        case .one(let settings): [settings]
        case .many(let all): all
        }
    }

    /// Why it is not added: a body of one target names that, a list the places of those that exist.
    func refusal(_ existing: [ChangeRefusal.Existing]) -> ChangeRefusal {
        switch self {
        case .one: existing.first.map { .exists(id: $0.id) } ?? .someExist(existing)
        case .many: .someExist(existing)
        }
    }

    static let shape = BodyShape()
        .requiring(TargetMembers.host).taking(TargetMembers.port).taking(TargetMembers.sni)
        .taking(TargetMembers.startTLS).taking(TargetMembers.unicode).taking(TargetMembers.owner)
        .taking(TargetMembers.labels).taking(TargetMembers.period).taking(TargetMembers.trustStore)
        .taking(TargetMembers.paused).taking(TargetMembers.addresses).taking(TargetMembers.policy)
        .refusing(["client_certificate"], because: TargetMembers.whyNoClientCertificate)

    static func read(_ body: JSON, _ rules: TargetRules, _ reader: inout BodyReader) -> TargetBody? {
        guard case .array(let items) = body else { return settings(body, rules, &reader).map { .one($0) } }
        guard (1...TargetPaste.maximumItems).contains(items.count) else {
            reader.report("must hold 1 to \(TargetPaste.maximumItems) targets, not \(items.count)")
            return nil
        }
        var known: [TargetIdentity: Int] = [:]
        var all: [TargetSettings] = []
        for (index, item) in items.enumerated() {
            reader.at(item: index) { reader in
                guard let settings = settings(item, rules, &reader) else { return }
                if let first = known[settings.identity] {
                    reader.report(member: "host", "is the same target as [\(first)]; keep one of them")
                }
                known[settings.identity] = known[settings.identity] ?? index
                all.append(settings)
            }
        }
        return .many(all)
    }

    private static func settings(
        _ body: JSON, _ rules: TargetRules, _ reader: inout BodyReader
    ) -> TargetSettings? {
        guard let members = reader.object(body, shape) else { return nil }
        let identity = identity(members, rules, &reader)
        let addresses = members.value(TargetMembers.addresses, &reader) ?? []
        if !addresses.isEmpty, case .address(let address)? = identity?.host {
            reader.report(member: "addresses", "stand in for a name's resolution, and \(address) has none")
        }
        _ = members.value(TargetMembers.unicode, &reader)
        let store = members.value(TargetMembers.trustStore, &reader)
        reader.check(trustStore: store, rules)
        let owner = members.value(TargetMembers.owner, &reader)
        let labels = members.value(TargetMembers.labels, &reader)
        let period = members.value(TargetMembers.period, &reader)
        let policy = members.value(TargetMembers.policy, &reader)
        let paused = members.value(TargetMembers.paused, &reader)
        return identity.map {
            TargetSettings(
                identity: $0, owner: owner ?? .ours, labels: labels ?? [:], periodSeconds: period,
                addresses: addresses, addressPolicy: policy, trustStore: store ?? "system", paused: paused ?? false,
                managedBy: .api)
        }
    }

    private static func identity(
        _ members: BodyMembers, _ rules: TargetRules, _ reader: inout BodyReader
    ) -> TargetIdentity? {
        let text = members.value(TargetMembers.host, &reader)
        let input = text.flatMap { text in
            reader.at(member: "host") {
                $0.understood { () throws(HostProblem) in
                    try HostInput.parse(text, takesProtocols: true, idna: rules.idna)
                }
            }
        }
        let port = members.value(TargetMembers.port, &reader).map { UInt16(truncatingIfNeeded: $0) }
        let sni = members.value(TargetMembers.sni, &reader).flatMap { text in
            reader.at(member: "sni") {
                $0.understood { () throws(HostProblem) in try HostInput.name(text, idna: rules.idna) }
            }
        }
        let startTLS = members.value(TargetMembers.startTLS, &reader)
        guard let input else { return nil }
        if let port, let own = input.port, own != port {
            reader.report(member: "port", "says \(port) and host says \(own); keep one of them")
        }
        if let startTLS, let own = input.startTLS, own != startTLS {
            reader.report(
                member: "starttls", "says \(startTLS.rawValue) and host says \(own.rawValue); keep one of them")
        }
        let identity = TargetIdentity(input, port: port, sni: sni, startTLS: startTLS)
        if let why = PortRule.refusal(of: identity.port, among: rules.allowedPorts) {
            reader.report(member: input.port == nil ? "port" : "host", why)
        }
        return identity
    }
}

/// A change of a target's settings (RFC 7396).
struct TargetEdit: Sendable {
    static let shape = BodyShape()
        .taking(TargetMembers.owner).taking(TargetMembers.labelChanges).taking(TargetMembers.period)
        .taking(TargetMembers.trustStore).taking(TargetMembers.paused).taking(TargetMembers.addresses)
        .taking(TargetMembers.policy)
        .refusing(
            ["host", "port", "sni", "starttls"],
            because: "cannot be changed: with another one it is another target; add that, and delete this one"
        )
        .refusing(["client_certificate"], because: TargetMembers.whyNoClientCertificate)

    private let owner: Given<Owner>
    private let labels: Given<[String: String?]>
    private let period: Given<Int64>
    private let trustStore: Given<String>
    private let paused: Given<Bool>
    private let addresses: Given<[IPAddress]>
    private let policy: Given<AddressPolicy>

    init(_ members: BodyMembers, _ rules: TargetRules, _ reader: inout BodyReader) {
        owner = members.given(TargetMembers.owner, &reader)
        labels = members.given(TargetMembers.labelChanges, &reader)
        period = members.given(TargetMembers.period, &reader)
        trustStore = members.given(TargetMembers.trustStore, &reader)
        paused = members.given(TargetMembers.paused, &reader)
        addresses = members.given(TargetMembers.addresses, &reader)
        policy = members.given(TargetMembers.policy, &reader)
        reader.check(trustStore: trustStore.value, rules)
    }

    func apply(to settings: inout TargetSettings) throws(ChangeRefusal) {
        owner.merge(into: &settings.owner, default: .ours)
        trustStore.merge(into: &settings.trustStore, default: "system")
        paused.merge(into: &settings.paused, default: false)
        settings.periodSeconds = period.merged(into: settings.periodSeconds)
        settings.addressPolicy = policy.merged(into: settings.addressPolicy)
        addresses.merge(into: &settings.addresses, default: [])
        labels.mergeLabels(into: &settings.labels)
        if !settings.addresses.isEmpty, case .address(let address) = settings.identity.host {
            throw .invalid(
                field: "addresses", message: "they stand in for a name's resolution, and \(address) has none")
        }
    }
}

extension BodyReader {
    /// Gives what `read` made of the value, or reports why nothing could be made of it.
    mutating func understood<Value>(_ read: () throws(HostProblem) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            report(error.description)
            return nil
        }
    }

    fileprivate mutating func check(trustStore name: String?, _ rules: TargetRules) {
        guard let name, !rules.trustStores.contains(name) else { return }
        let known = rules.trustStores.sorted().joined(separator: ", ")
        report(member: "trust_store", "is none of the configuration's trust_stores, which has \(known)")
    }
}
