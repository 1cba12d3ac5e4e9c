internal import PinwatchCore

extension ConfigurationDecoder {
    /// The targets, and what those are shown that ask for a client certificate.
    mutating func targets(
        _ node: Node?, trustStores: Set<String>
    ) -> ([TargetSettings], [TargetIdentity: ClientCertificate]) {
        guard let node, let items = reader.sequence(node, "targets") else { return ([], [:]) }
        var targets: [TargetSettings] = []
        var certificates: [TargetIdentity: ClientCertificate] = [:]
        var marks: [TargetIdentity: Mark] = [:]
        for item in items {
            guard let (target, certificate) = target(item, trustStores: trustStores) else { continue }
            if let first = marks[target.identity] {
                reader.report(
                    item.mark, "target \(target.identity.label) stands already in line \(first.line); keep one of them")
                continue
            }
            marks[target.identity] = item.mark
            targets.append(target)
            certificates[target.identity] = certificate
        }
        return (targets, certificates)
    }

    private mutating func target(
        _ node: Node, trustStores: Set<String>
    ) -> (TargetSettings, ClientCertificate?)? {
        guard let target = reader.mapping(node, "target", allowed: ConfigurationKeys.target),
            let host = target.required("host", &reader)
        else { return nil }
        let before = reader.problems.count
        let identity = identity(host, target)
        let isIdentityWhole = reader.problems.count == before
        let addresses = reader.list(target["addresses"], "addresses") { $0.address($1) }
        if let node = target["addresses"], !addresses.isEmpty, let identity, case .address = identity.host {
            reader.report(node.mark, "addresses stand in for a name's resolution, and \(identity.host.text) has none")
        }
        let owner = target["owner"].flatMap { reader.word($0, "owner", of: Owner.self) }
        let labels = reader.labels(target["labels"], "labels")
        let period = target["period"].flatMap { reader.period($0, "period") }
        let store = target["trust_store"].flatMap { reader.trustStore($0, among: trustStores) }
        let certificate = target["client_certificate"].flatMap { clientCertificate($0) }
        let paused = target["paused"].flatMap { reader.flag($0, "paused") }
        // A wrong port would be taken for 443, and that target be told to stand twice.
        guard let identity, isIdentityWhole else { return nil }
        let settings = TargetSettings(
            identity: identity, owner: owner ?? .ours, labels: labels, periodSeconds: period, addresses: addresses,
            trustStore: store ?? "system", paused: paused ?? false, managedBy: .config)
        return (settings, certificate)
    }

    private mutating func clientCertificate(_ node: Node) -> ClientCertificate? {
        let what = "client_certificate"
        guard let section = reader.mapping(node, what, allowed: ConfigurationKeys.clientCertificate) else { return nil }
        let certificate = section.required("certificate", &reader).flatMap { pem($0, "\(what).certificate") }
        let key = section.required("key", &reader).flatMap { secrets.secret($0, "\(what).key", reader: &reader) }
        guard let certificate, let key else { return nil }
        do {
            return try checks.clientCertificate(certificate.bytes, Array(key.revealed.utf8))
        } catch {
            reader.report(section.mark, "\(what): \(error.description)")
            return nil
        }
    }

    private mutating func identity(_ node: Node, _ target: NodeMapping) -> TargetIdentity? {
        let input = input(node)
        let port = target["port"].flatMap { reader.integer($0, "port", in: 1...65_535) }.map { UInt16($0) }
        if let node = target["port"], let port, let own = input?.port, own != port {
            reader.report(node.mark, "port says \(port) and host says \(own); keep one of them")
        }
        let sni = target["sni"].flatMap { name($0, "sni") }
        let startTLS = target["starttls"].flatMap { reader.word($0, "starttls", of: StartTLS.self) }
        if let node = target["starttls"], let startTLS, let own = input?.startTLS, own != startTLS {
            reader.report(
                node.mark, "starttls says \(startTLS.rawValue) and host says \(own.rawValue); keep one of them")
        }
        return input.map { TargetIdentity($0, port: port, sni: sni, startTLS: startTLS) }
    }

    private mutating func input(_ node: Node) -> HostInput? {
        guard let text = reader.string(node, "host") else { return nil }
        do {
            return try HostInput.parse(text, takesProtocols: true, idna: idna)
        } catch {
            reader.report(node.mark, "host: \(error.description)")
            return nil
        }
    }

    private mutating func name(_ node: Node, _ what: String) -> HostName? {
        guard let text = reader.string(node, what) else { return nil }
        do {
            return try HostInput.name(text, idna: idna)
        } catch {
            reader.report(node.mark, "\(what): \(error.description)")
            return nil
        }
    }
}

extension NodeReader {
    fileprivate mutating func address(_ node: Node) -> IPAddress? {
        guard let text = string(node, "an address") else { return nil }
        if let address = IPAddress(text) { return address }
        report(node.mark, "addresses takes IP addresses such as 192.0.2.1 or 2001:db8::1, not \(node.shown)")
        return nil
    }

    /// The name of a trust store that the configuration declares.
    mutating func trustStore(_ node: Node, among names: Set<String>) -> String? {
        guard let name = string(node, "trust_store") else { return nil }
        if names.contains(name) { return name }
        let known = names.sorted().joined(separator: ", ")
        report(node.mark, "trust_store names \(node.shown), which trust_stores does not have; it has \(known)")
        return nil
    }
}
