internal import PinwatchCore

/// Maintenance windows: silences that return each week and have no end.
extension ConfigurationDecoder {
    mutating func silences(_ node: Node?) -> [Silence] {
        guard let node, let items = reader.sequence(node, "silences") else { return [] }
        var silences: [Silence] = []
        var lines: [Silence: Int] = [:]
        for item in items {
            guard let silence = silence(item) else { continue }
            if let line = lines[silence] {
                reader.report(item.mark, "the same silence stands already in line \(line); keep one of them")
                continue
            }
            lines[silence] = item.mark.line
            silences.append(silence)
        }
        return silences
    }

    private mutating func silence(_ node: Node) -> Silence? {
        guard let section = reader.mapping(node, "silence", allowed: ConfigurationKeys.silence) else { return nil }
        let before = reader.problems.count
        let matchers = section.required("matchers", &reader).flatMap { self.matchers($0) }
        let weekdays = section.required("weekdays", &reader).map { node in
            reader.words(node, "weekdays", of: Silence.Weekly.Weekday.self, absent: "write all seven for every day")
        }
        let from = section.required("from", &reader).flatMap { reader.timeOfDay($0, "from") }
        let to = section.required("to", &reader).flatMap { reader.timeOfDay($0, "to") }
        let zone = section.required("zone", &reader).flatMap { self.zone($0) }
        let comment = section["comment"].flatMap { reader.title($0, "comment") }
        guard let matchers, let weekdays, let from, let to, let zone, reader.problems.count == before else {
            return nil
        }
        return Silence(
            matchers: matchers, startsAt: Instant(unixSeconds: 0), endsAt: nil,
            weekly: Silence.Weekly(weekdays: Set(weekdays), fromMinute: from, toMinute: to, zone: zone),
            comment: comment ?? "")
    }

    private mutating func matchers(_ node: Node) -> Silence.Matchers? {
        guard var members = reader.members(node, "matchers") else { return nil }
        if let targets = members.first(where: { $0.key == "targets" }) {
            reader.report(
                targets.keyMark, "matchers name targets by host here; their ids are known to the database alone")
            members.removeAll { $0.key == "targets" }
        }
        let known = Node(value: .mapping(members), mark: node.mark)
        guard let section = reader.mapping(known, "matchers", allowed: ConfigurationKeys.matchers) else { return nil }
        if section.isEmpty {
            let keys = ConfigurationKeys.matchers.joined(separator: ", ")
            reader.report(node.mark, "matchers must say something of \(keys)")
        }
        let labels = reader.labels(section["labels"], "labels")
        if let node = section["labels"], case .mapping([]) = node.value {
            reader.report(node.mark, "labels must name at least one; leave it out to ask for all")
        }
        return Silence.Matchers(
            host: section["host"].flatMap { hostMatcher($0) }, labels: labels,
            kinds: Set(reader.words(section["kind"], "kind", of: FindingKind.self)),
            severities: Set(reader.words(section["severity"], "severity", of: Severity.self)))
    }

    /// A host as targets carry it, or `*.` and a suffix of names.
    private mutating func hostMatcher(_ node: Node) -> String? {
        guard let text = reader.string(node, "host") else { return nil }
        do {
            if text.hasPrefix("*.") { return "*." + (try HostInput.name(String(text.dropFirst(2)), idna: idna)).ascii }
            let input = try HostInput.parse(text, idna: idna)
            if input.port == nil { return input.host.text }
            reader.report(node.mark, "host: \(node.shown) holds a port; a silence covers a host with all its ports")
        } catch {
            reader.report(node.mark, "host: \(error.description)")
        }
        return nil
    }

    private mutating func zone(_ node: Node) -> String? {
        guard let name = reader.string(node, "zone") else { return nil }
        if checks.zones.offset(of: name, at: Instant(unixSeconds: 0)) != nil { return name }
        reader.report(
            node.mark,
            "zone must be a name of the tz database such as Europe/Berlin or UTC, not \(node.shown); "
                + "if it is one, install the package tzdata")
        return nil
    }
}

extension NodeReader {
    /// Minutes after midnight of `HH:MM`.
    fileprivate mutating func timeOfDay(_ node: Node, _ what: String) -> Int? {
        if case .scalar(let text, _) = node.value {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            let isShaped =
                parts.count == 2
                && parts.allSatisfy { part in
                    part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                }
            if isShaped, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60 {
                return hour * 60 + minute
            }
        }
        report(node.mark, "\(what) must be a time of day from 00:00 to 23:59, not \(node.shown)")
        return nil
    }
}
