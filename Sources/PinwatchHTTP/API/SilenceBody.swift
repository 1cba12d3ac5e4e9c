internal import PinwatchCore

/// The members by which a silence is made.
enum SilenceBody {
    private static let targets = Member(
        "targets", Kind.list(of: .targetID, 0...100).example(.strings(["1"])), "Ids of targets: any of them.")
    private static let host = Member(
        "host", Kind.line(1...253).example(.string("*.example.com")), orNull: true,
        "A host's name, or `*.` and a suffix of names.")
    private static let labels = Member("labels", Kind.labels, "Targets that carry all of these.")
    private static let kinds = Member("kind", Kind.list(of: .word(of: FindingKind.self), 0...100), "Any of these.")
    private static let severities = Member("severity", Kind.list(of: .word(of: Severity.self), 0...3), "Any of these.")
    private static let matcherShape = BodyShape()
        .taking(targets).taking(host).taking(labels).taking(kinds).taking(severities)

    private static let weekdays = Member(
        "weekdays", Kind.list(of: .word(of: Silence.Weekly.Weekday.self), 1...7), "The days on which it begins.")
    private static let from = Member("from", Kind.clock, "When it begins, in the zone's civil time.")
    private static let to = Member("to", Kind.clock, "When it ends; at or before `from` it is the next day's.")
    private static let zone = Member(
        "zone", Kind.line(1...64).example(.string("Europe/Berlin")), "An IANA name, such as `Europe/Berlin`.")
    private static let weeklyShape = BodyShape().requiring(weekdays).requiring(from).requiring(to).requiring(zone)

    private static let matchers = Member(
        "matchers", Kind.object(matcherShape) { matchers($0, &$1) },
        "What it covers: findings that meet every matcher that is set. At least one is.")
    private static let startsAt = Member(
        "starts_at", Kind.time.example(.null), orNull: true, "Now, if nothing is said.")
    static let endsAt = Member(
        "ends_at", Kind.time.example(.string("2099-01-01T08:00:00Z")), orNull: true, "Needed, but for a weekly one.")
    private static let weekly = Member(
        "weekly", Kind.object(weeklyShape) { weekly($0, &$1) }, orNull: true, "A window that returns each week.")
    static let comment = Member("comment", Kind.text(0...1_000), "Why, for whoever wonders.")

    static let shape = BodyShape()
        .requiring(matchers).taking(startsAt).taking(endsAt).taking(weekly).taking(comment)

    static func silence(
        _ members: BodyMembers, now: Instant, idna: any IDNA, zones: any TimeZones, _ reader: inout BodyReader
    ) -> Silence? {
        let matchers = members.value(Self.matchers, &reader)
        let startsAt = members.value(Self.startsAt, &reader) ?? now
        let end = members.given(endsAt, &reader)
        let weekly = members.value(Self.weekly, &reader)
        let comment = members.value(Self.comment, &reader) ?? ""
        if end.value == nil, weekly == nil, members["weekly"] ?? .null == .null, members["ends_at"] ?? .null == .null {
            reader.report(member: "ends_at", "is needed: only a weekly silence may go without an end")
        }
        if let end = end.value, end <= max(now, startsAt) {
            reader.report(member: "ends_at", "must be later than \(startsAt > now ? "starts_at" : "now")")
        }
        if let zone = weekly?.zone, zones.offset(of: zone, at: now) == nil {
            reader.at(member: "weekly") {
                $0.report(member: "zone", "is no time zone that this machine knows; write one such as Europe/Berlin")
            }
        }
        guard var matchers else { return nil }
        matchers.host = matchers.host.flatMap { host in
            reader.at(member: "matchers") { $0.at(member: "host") { $0.pattern(host, idna) } }
        }
        return Silence(
            matchers: matchers, startsAt: startsAt, endsAt: end.value, weekly: weekly, comment: comment)
    }

    private static func matchers(_ members: BodyMembers, _ reader: inout BodyReader) -> Silence.Matchers? {
        let before = reader.errors.count
        let matchers = Silence.Matchers(
            targets: Set(members.value(Self.targets, &reader) ?? []), host: members.value(Self.host, &reader),
            labels: members.value(Self.labels, &reader) ?? [:], kinds: Set(members.value(Self.kinds, &reader) ?? []),
            severities: Set(members.value(Self.severities, &reader) ?? []))
        guard reader.errors.count == before else { return nil }
        guard matchers.isEmpty else { return matchers }
        reader.report("must set at least one matcher: a silence that covers everything would hide everything")
        return nil
    }

    private static func weekly(_ members: BodyMembers, _ reader: inout BodyReader) -> Silence.Weekly? {
        let days = members.value(Self.weekdays, &reader)
        let from = members.value(Self.from, &reader)
        let to = members.value(Self.to, &reader)
        let zone = members.value(Self.zone, &reader)
        guard let days, let from, let to, let zone else { return nil }
        return Silence.Weekly(weekdays: Set(days), fromMinute: from, toMinute: to, zone: zone)
    }
}

extension Kind where Value == TargetID {
    static let targetID = Kind(schema: .id) { value, reader in
        if case .string(let text) = value, let number = Identifier.number(text) { return TargetID(number) }
        reader.report("must be an id as this API gives it")
        return nil
    }
}

extension Kind where Value == Int {
    /// `22:00` as minutes after midnight.
    static let clock = Kind(schema: .text(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$")) { value, reader in
        if case .string(let text) = value {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2,
                parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            {
                return hour * 60 + minute
            }
        }
        reader.report("must be a time of day such as 22:00")
        return nil
    }
}

extension BodyReader {
    /// A host's name, or `*.` and a suffix, normalised as targets' hosts are.
    fileprivate mutating func pattern(_ text: String, _ idna: any IDNA) -> String? {
        understood { () throws(HostProblem) in
            guard text.hasPrefix("*.") else {
                let input = try HostInput.parse(text, idna: idna)
                guard input.port == nil else {
                    throw HostProblem("a silence covers a host's ports alike; leave it out")
                }
                return input.host.text
            }
            return "*." + (try HostInput.name(String(text.dropFirst(2)), idna: idna)).ascii
        }
    }
}
