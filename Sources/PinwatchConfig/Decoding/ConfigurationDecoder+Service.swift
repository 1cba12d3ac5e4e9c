internal import PinwatchCore

/// What concerns the service itself rather than what it watches: its port, its proxies, its key.
extension ConfigurationDecoder {
    /// The most bytes of a certificate's or key's file.
    private static let pemLimit = 1 << 20

    /// The URL of a heartbeat holds what makes it one's own, so it is a secret.
    mutating func heartbeat(_ node: Node?) -> Configuration.Heartbeat? {
        guard let node, let section = reader.mapping(node, "heartbeat", allowed: ConfigurationKeys.heartbeat) else {
            return nil
        }
        let every = section["every"].flatMap { reader.duration($0, "heartbeat.every", in: 10...86_400) }
        guard let at = section.required("url", &reader),
            let url = secrets.secret(at, "heartbeat.url", reader: &reader)
        else { return nil }
        do {
            _ = try ChannelRules.host(of: url)
        } catch {
            reader.report(at.mark, "heartbeat.url \(error.description)")
            return nil
        }
        var heartbeat = Configuration.Heartbeat(url: url)
        if let every { heartbeat.everySeconds = every }
        return heartbeat
    }

    mutating func tls(_ node: Node?) -> Configuration.TLSFiles? {
        guard let node, let section = reader.mapping(node, "tls", allowed: ConfigurationKeys.tls) else { return nil }
        let certificate = section.required("certificate", &reader).flatMap { pem($0, "tls.certificate") }
        let key = section.required("key", &reader).flatMap { pem($0, "tls.key") }
        guard let certificate, let key else { return nil }
        do {
            try checks.keyPair(certificate.bytes, key.bytes)
        } catch {
            reader.report(section.mark, "tls: \(error.description)")
        }
        return Configuration.TLSFiles(certificate: certificate.path, key: key.path)
    }

    /// A path with the bytes that are there; `nil` after reporting why there are none.
    mutating func pem(_ node: Node, _ what: String) -> (path: String, bytes: [UInt8])? {
        guard let path = reader.path(node, what, in: folder) else { return nil }
        do {
            return (path, try sources.readFile(path, Self.pemLimit))
        } catch {
            reader.report(node.mark, "\(what): \(error.description)")
            return nil
        }
    }

    /// Base64 of 32 bytes each, newest first.
    mutating func secretKeys(_ node: Node?) -> [Secret] {
        guard let node else { return [] }
        var keys: [Secret] = []
        for reference in secrets.references(node, "secret_key", reader: &reader) {
            guard let key = secrets.secret(reference, "secret_key", reader: &reader) else { continue }
            guard key.isSealingKey else {
                reader.report(
                    reference.mark,
                    "secret_key must be base64 of exactly 32 bytes, as `openssl rand -base64 32` makes it; "
                        + "its value is not shown")
                continue
            }
            guard !keys.contains(key) else {
                reader.report(reference.mark, "secret_key names the same key twice; keep one of them")
                continue
            }
            keys.append(key)
        }
        return keys
    }
}

extension NodeReader {
    /// Ranges whose `X-Forwarded-…` headers are believed. One of everybody is none.
    mutating func trustedProxies(_ node: Node?) -> [IPNetwork] {
        list(node, "trusted_proxies") { reader, item in
            guard let network = reader.network(item, "trusted_proxies") else { return nil }
            guard network.prefixLength > 0 else {
                reader.report(item.mark, "trusted_proxies: \(network) would believe everybody; name the proxies alone")
                return nil
            }
            return network
        }
    }

    /// Values of the label `environment`, in the order that people are offered them.
    mutating func environments(_ node: Node?) -> [String] {
        var lines: [String: Int] = [:]
        return list(node, "environments") { reader, item in
            guard let name = reader.title(item, "an environment") else { return nil }
            if let line = lines[name] {
                reader.report(item.mark, "environment \(item.shown) stands already in line \(line); keep one of them")
                return nil
            }
            lines[name] = item.mark.line
            return name
        }
    }
}
