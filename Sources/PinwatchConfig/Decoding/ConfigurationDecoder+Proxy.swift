internal import PinwatchCore

extension ConfigurationDecoder {
    mutating func scan(_ node: Node?) -> Configuration.ScanSettings {
        var settings = reader.scanSettings(node)
        if case .mapping(let members) = node?.value, let proxy = members.first(where: { $0.key == "proxy" }) {
            settings.proxy = self.proxy(proxy.value)
        }
        return settings
    }

    private mutating func proxy(_ node: Node) -> EgressProxy? {
        guard let section = reader.mapping(node, "scan.proxy", allowed: ConfigurationKeys.proxy) else { return nil }
        let url = section.required("url", &reader).flatMap { proxyURL($0) }
        let idna = idna
        let exceptions = reader.list(section["no_proxy"], "scan.proxy.no_proxy") { $0.exception($1, idna: idna) }
        return url.map {
            EgressProxy(host: $0.host, port: $0.port, credentials: $0.credentials, exceptions: exceptions)
        }
    }

    /// Written out, or behind a reference where it holds a user and password.
    private mutating func proxyURL(_ node: Node) -> ProxyURL? {
        let what = "scan.proxy.url"
        var isSecret = false
        if case .mapping = node.value { isSecret = true }
        let text = isSecret ? secrets.secret(node, what, reader: &reader)?.revealed : reader.string(node, what)
        guard let text else { return nil }
        do throws(HostProblem) {
            let url = try ProxyURL(text, idna: idna)
            guard isSecret || url.credentials == nil else {
                throw HostProblem("holds a user, so it must not stand here: write {file: PATH} or {env: NAME}")
            }
            return url
        } catch {
            // What is at fault may hold a password that was not found to be one.
            reader.report(node.mark, "\(what) \(error.description)\(isSecret ? "; its value is not shown" : "")")
            return nil
        }
    }
}

extension NodeReader {
    /// `10.0.0.0/8`, `.internal.example` or `host.example`.
    fileprivate mutating func exception(_ node: Node, idna: any IDNA) -> EgressProxy.Exception? {
        let what = "scan.proxy.no_proxy"
        guard let text = string(node, what) else { return nil }
        if let network = IPNetwork(text) { return .network(network) }
        let isBelow = text.hasPrefix(".")
        do {
            let name = try HostInput.name(isBelow ? String(text.dropFirst()) : text, idna: idna)
            return isBelow ? .below(name) : .host(name)
        } catch {
            report(
                node.mark,
                "\(what) takes ranges such as 10.0.0.0/8, names such as host.example, and .internal.example for all names "
                    + "below one, not \(node.shown)")
            return nil
        }
    }
}
