package import PinwatchCore

/// The keys of a host, as they are to be pinned.
package struct HostKeys: Sendable, Hashable {
    /// A-labels, without a trailing dot.
    package let host: String
    package let includesSubdomains: Bool
    /// Of the leaf that is served now, then of those to come.
    package let leafKeys: [SHA256Digest]
    /// Of issuers on the path, where those are to be pinned.
    package let issuerKeys: [SHA256Digest]
    /// The leaf's certificate and its end, for clients that pin whole certificates.
    package let certificate: SHA256Digest?
    package let certificateEnd: Instant?

    package init(
        host: String, includesSubdomains: Bool = false, leafKeys: [SHA256Digest], issuerKeys: [SHA256Digest] = [],
        certificate: SHA256Digest? = nil, certificateEnd: Instant? = nil
    ) {
        self.host = host
        self.includesSubdomains = includesSubdomains
        self.leafKeys = leafKeys
        self.issuerKeys = issuerKeys
        self.certificate = certificate
        self.certificateEnd = certificateEnd
    }
}

extension HostKeys {
    /// The keys of files, in their order: those of certificates that are authorities count as issuers'.
    package init(host: String, found: [FoundKey]) {
        let issuers = found.filter { $0.summary?.isCA == true }
        let leaves = found.filter { $0.summary?.isCA != true }
        let leaf = leaves.lazy.compactMap(\.summary).first
        self.init(
            host: host, leafKeys: leaves.compactMap(\.spki), issuerKeys: issuers.compactMap(\.spki),
            certificate: leaf?.fingerprint, certificateEnd: leaf?.notAfter)
    }
}

/// Writes pins in the formats that apps keep them in, the traps of each as comments.
package enum Exporter {
    /// A native pin file in another format.
    ///
    /// - Parameter host: For formats that name one beside the policy (the address of a command line).
    /// - Throws: Why the format cannot hold these pins.
    package static func text(
        of file: Node, as format: ExportFormat, host: String? = nil
    ) throws(HostProblem) -> String {
        guard format != .native else { return NativePinFile.text(of: file) }
        let layers = NativePinFile.layers(of: file)
        guard let first = layers.first else {
            throw HostProblem("the file names no client whose pins could be written")
        }
        let exact = layers.filter { format.exactClients.contains($0.client) }
        if let layer = exact.first {
            let both =
                format == .infoPlist
                ? layers.filter { [.applePinnedDomains, .trustKitIOS].contains($0.client) } : [layer]
            return written(both, as: format, platform: file["platform"], host: host, notes: left(layers, but: both))
        }
        for layer in layers {
            guard var plan = PinPlan(layer) else { continue }
            let notes = left(layers, but: [layer])
            return try converted(&plan, from: layer.client.rawValue, as: format, host: host, notes: notes)
        }
        throw HostProblem("the pins of \(first.client.rawValue) cannot be written in another client's format")
    }

    /// A host's keys in a format.
    ///
    /// - Throws: Why the format cannot hold them.
    package static func text(of keys: HostKeys, as format: ExportFormat) throws(HostProblem) -> String {
        var plan = PinPlan(entries: entries(keys, as: format))
        guard let client = format.client else {
            guard let policy = plan.policy(for: .generic) else { throw HostProblem("there is nothing to write") }
            let identity = PinSetIdentity(app: keys.host, release: "1", variant: .release, stack: "default")
            let layer = NativeLayer(client: .generic, policy: policy)
            return NativePinFile.text(of: NativePinFile.node(identity: identity, platform: nil, layers: [layer]))
        }
        guard let policy = plan.policy(for: client) else {
            throw HostProblem("\(format.rawValue) cannot hold these pins\(reasons(plan.notes))")
        }
        return written(
            [NativeLayer(client: client, policy: policy)], as: format, platform: nil, host: keys.host, notes: plan.notes
        )
    }

    private static func entries(_ keys: HostKeys, as format: ExportFormat) -> [PinPlan.Entry] {
        let scope: PinPlan.Scope = keys.includesSubdomains ? .withAllBelow : .exact
        if format == .wultra {
            let pins = keys.certificate.map { ["cert-sha256:" + $0.hex] } ?? []
            let end = keys.certificateEnd?.rfc3339.map { String($0.prefix(10)) }
            return [.init(host: keys.host, scope: scope, place: .leaf, pins: pins, expires: end)]
        }
        let (leaf, issuers) = (keys.leafKeys.map(\.pin), keys.issuerKeys.map(\.pin))
        guard format == .infoPlist else {
            // One entry: a host that is listed twice is a fault in most formats.
            let place: PinPlan.Place = issuers.isEmpty && (format == .curl || format == .wget) ? .leaf : .anywhere
            return [.init(host: keys.host, scope: scope, place: place, pins: leaf + issuers, expires: nil)]
        }
        return [(PinPlan.Place.leaf, leaf), (.issuers, issuers)].filter { !$0.1.isEmpty }.map { place, pins in
            .init(host: keys.host, scope: scope, place: place, pins: pins, expires: nil)
        }
    }

    private static func converted(
        _ plan: inout PinPlan, from client: String, as format: ExportFormat, host: String?, notes: [String]
    ) throws(HostProblem) -> String {
        guard let target = format.client else {
            throw HostProblem("\(format.rawValue) is written of whole files alone")
        }
        plan.settle(host: host, for: target)
        guard !plan.entries.isEmpty else {
            throw HostProblem("the rules of \(client) hold no pins for \(format.rawValue)\(reasons(plan.notes))")
        }
        let namesNoHost = plan.entries.contains { $0.host.isEmpty }
        guard !namesNoHost || [.curl, .wget, .afnetworking].contains(format) else {
            throw HostProblem("the rules of \(client) name no host, which \(format.rawValue) needs; say which it is")
        }
        guard let policy = plan.policy(for: target) else {
            throw HostProblem("\(format.rawValue) cannot hold the pins of \(client)\(reasons(plan.notes))")
        }
        let first = host ?? plan.entries.first.map(\.host).flatMap { $0.isEmpty ? nil : $0 }
        return written(
            [NativeLayer(client: target, policy: policy)], as: format, platform: nil, host: first,
            notes: ["Made from the rules of \(client)."] + notes + plan.notes)
    }

    private static func reasons(_ notes: [String]) -> String {
        notes.isEmpty ? "" : ": " + notes.joined(separator: "; ")
    }

    /// What of a release with several layers is not written.
    private static func left(_ layers: [NativeLayer], but kept: [NativeLayer]) -> [String] {
        layers.filter { !kept.contains($0) }.map {
            "The release's layer \($0.client.rawValue) is not written here; every layer must accept."
        }
    }

    private static func written(
        _ layers: [NativeLayer], as format: ExportFormat, platform: Node?, host: String?, notes: [String]
    ) -> String {
        guard let layer = layers.first else { return "" }
        let policy = layer.policy
        switch format {
        case .native: return NativePinFile.text(of: policy)
        case .infoPlist, .trustKitPlist: return InfoPlist.write(layers, platform: platform, notes: notes)
        case .trustKitSwift: return TrustKitConfiguration.source(policy, notes: notes, in: .swift)
        case .trustKitObjectiveC: return TrustKitConfiguration.source(policy, notes: notes, in: .objectiveC)
        case .alamofire: return AlamofirePolicies.modern(policy, notes: notes)
        case .alamofire4: return AlamofirePolicies.legacy(policy, notes: notes)
        case .afnetworking: return AFNetworkingSnippet.write(policy, notes: notes)
        case .androidNSC: return NetworkSecurityConfig.write(policy, notes: notes)
        case .okHttpKotlin: return OkHttpSource.write(policy, notes: notes, in: .kotlin)
        case .okHttpJava: return OkHttpSource.write(policy, notes: notes, in: .java)
        case .wultra: return WultraList.write(policy, notes: notes)
        case .curl: return CommandLineText.write(policy, client: .curl, host: host, notes: notes)
        case .wget: return CommandLineText.write(policy, client: .wget, host: host, notes: notes)
        case .hpkp: return HPKPHeader.write(policy, notes: notes)
        }
    }
}
