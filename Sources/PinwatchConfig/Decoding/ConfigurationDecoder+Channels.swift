internal import PinwatchCore

extension ConfigurationDecoder {
    mutating func channels(_ node: Node?) -> [Channel] {
        guard let node, let items = reader.sequence(node, "channels") else { return [] }
        var channels: [Channel] = []
        var lines: [String: Int] = [:]
        for item in items {
            guard let section = reader.mapping(item, "channel", allowed: ConfigurationKeys.channel),
                let nameNode = section.required("name", &reader), let name = reader.name(nameNode, "name of a channel")
            else { continue }
            if let line = lines[name] {
                reader.report(
                    nameNode.mark, "channel \(name) stands already in line \(line); give this one another name")
            }
            lines[name] = lines[name] ?? nameNode.mark.line
            if let channel = channel(section, name: name) { channels.append(channel) }
        }
        return channels
    }

    /// The names of all channels, those at fault included, so that a route to one is not reported as well.
    func declaredChannels(_ node: Node?) -> [String] {
        guard case .sequence(let items) = node?.value else { return [] }
        return items.compactMap { item in
            guard case .mapping(let members) = item.value,
                case .scalar(let name, _) = members.first(where: { $0.key == "name" })?.value.value
            else { return nil }
            return name
        }
    }

    private mutating func channel(_ section: NodeMapping, name: String) -> Channel? {
        let kind = section.required("type", &reader).flatMap { reader.word($0, "type", of: Channel.Kind.self) }
        let url = section.required("url", &reader).flatMap { self.url($0, channel: name) }
        let keys = section["secret"].map { signingKeys($0, channel: name) }
        let allowPrivate = section["allow_private"].flatMap { reader.flag($0, "allow_private") }
        switch kind {
        case .webhook where keys == nil:
            reader.report(section.mark, "channel \(name) of type webhook needs a secret to sign with")
        case .slack where keys != nil:
            reader.report(
                section["secret"]?.mark ?? section.mark,
                "channel \(name) of type slack is not signed; remove its secret")
        case .webhook, .slack, nil:
            break
        }
        guard let kind, let url else { return nil }
        return Channel(name: name, kind: kind, url: url, secrets: keys ?? [], allowPrivate: allowPrivate ?? false)
    }

    private mutating func url(_ node: Node, channel: String) -> Secret? {
        guard let url = secrets.secret(node, "url of channel \(channel)", reader: &reader) else { return nil }
        do {
            _ = try ChannelRules.host(of: url)
            return url
        } catch {
            reader.report(node.mark, "url of channel \(channel) \(error.description)")
            return nil
        }
    }

    /// One reference, or two with the newest first while a key is being replaced.
    private mutating func signingKeys(_ node: Node, channel: String) -> [Secret] {
        let what = "secret of channel \(channel)"
        return secrets.references(node, what, reader: &reader).compactMap { reference -> Secret? in
            guard let secret = secrets.secret(reference, what, reader: &reader) else { return nil }
            do throws(HostProblem) {
                try ChannelRules.check(signingKey: secret)
                return secret
            } catch {
                reader.report(reference.mark, "\(what) \(error.description)")
                return nil
            }
        }
    }

    mutating func routes(_ node: Node?, channels: [String]) -> [Route] {
        reader.list(node, "routes") { reader, item in
            guard let section = reader.mapping(item, "route", allowed: ConfigurationKeys.route) else { return nil }
            let labels = reader.labels(section["labels"], "labels")
            let to = section.required("channels", &reader).map { node in
                if case .sequence(let items) = node.value, items.isEmpty {
                    reader.report(node.mark, "channels of a route must name at least one")
                }
                return reader.list(node, "channels") { $0.channel($1, among: channels) }
            }
            return Route(
                severities: Set(reader.words(section["severity"], "severity", of: Severity.self)),
                kinds: Set(reader.words(section["kind"], "kind", of: FindingKind.self)), labels: labels,
                events: Set(reader.words(section["events"], "events", of: EventKind.self)), channels: to ?? [])
        }
    }
}

extension NodeReader {
    fileprivate mutating func channel(_ node: Node, among names: [String]) -> String? {
        guard let name = string(node, "a channel of a route") else { return nil }
        if names.contains(name) { return name }
        let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
        report(node.mark, "the route names channel \(node.shown), which channels does not have; \(known)")
        return nil
    }
}
