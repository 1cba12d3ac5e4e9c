/// The store's number for a silence; its decimal text is the API's opaque id.
package struct SilenceID: Hashable, Sendable, Comparable {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }
    package static func < (left: SilenceID, right: SilenceID) -> Bool { left.rawValue < right.rawValue }
    package var text: String { String(rawValue) }
}

/// A time in which nobody is told of certain alerts: once, or every week.
package struct Silence: Sendable, Hashable {
    /// Which findings it covers: those that meet every matcher that is set. At least one is.
    package struct Matchers: Sendable, Hashable {
        package var targets: Set<TargetID>
        /// A host's name, or `*.` and a suffix of names.
        package var host: String?
        /// A target must carry all of these.
        package var labels: [String: String]
        package var kinds: Set<FindingKind>
        package var severities: Set<Severity>

        package init(
            targets: Set<TargetID> = [], host: String? = nil, labels: [String: String] = [:],
            kinds: Set<FindingKind> = [], severities: Set<Severity> = []
        ) {
            self.targets = targets
            self.host = host
            self.labels = labels
            self.kinds = kinds
            self.severities = severities
        }

        /// Nothing is set: it would cover everything, which no silence may.
        package var isEmpty: Bool {
            targets.isEmpty && host == nil && labels.isEmpty && kinds.isEmpty && severities.isEmpty
        }
    }

    /// A window that returns each week, in the civil time of a zone.
    package struct Weekly: Sendable, Hashable {
        package enum Weekday: String, Sendable, CaseIterable {
            case mon, tue, wed, thu, fri, sat, sun
        }

        /// The days on which it begins; at least one.
        package var weekdays: Set<Weekday>
        /// Minutes after midnight, 0 to 1439.
        package var fromMinute: Int
        /// The same; at or before `fromMinute` it is the next day's.
        package var toMinute: Int
        /// An IANA name, such as `Europe/Berlin`.
        package var zone: String

        package init(weekdays: Set<Weekday>, fromMinute: Int, toMinute: Int, zone: String) {
            self.weekdays = weekdays
            self.fromMinute = fromMinute
            self.toMinute = toMinute
            self.zone = zone
        }
    }

    package var matchers: Matchers
    package var startsAt: Instant
    /// `nil` only for a weekly one without an end.
    package var endsAt: Instant?
    package var weekly: Weekly?
    package var comment: String

    package init(matchers: Matchers, startsAt: Instant, endsAt: Instant?, weekly: Weekly? = nil, comment: String) {
        self.matchers = matchers
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.weekly = weekly
        self.comment = comment
    }
}

/// A silence as it is stored.
package struct SilenceRecord: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        case active, pending, ended
    }

    package var id: SilenceID
    package var silence: Silence
    package var createdBy: String
    package var createdAt: Instant
    package var managedBy: ManagedBy
    package var revision: Int64
    /// At the time of reading.
    package var state: State
    /// Alerts that it silences now.
    package var alerts: Int

    package init(
        id: SilenceID, silence: Silence, createdBy: String, createdAt: Instant, managedBy: ManagedBy, revision: Int64,
        state: State, alerts: Int
    ) {
        self.id = id
        self.silence = silence
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.managedBy = managedBy
        self.revision = revision
        self.state = state
        self.alerts = alerts
    }
}

/// What a silence would do if it were active now.
package struct SilencePreview: Sendable {
    /// Open alerts that it would silence, worst first, at most 50.
    package var alerts: [AlertRecord]
    package var alertCount: Int
    /// Targets that it covers, at most 50.
    package var targets: [(id: TargetID, label: String)]
    package var targetCount: Int

    package init(
        alerts: [AlertRecord], alertCount: Int, targets: [(id: TargetID, label: String)], targetCount: Int
    ) {
        self.alerts = alerts
        self.alertCount = alertCount
        self.targets = targets
        self.targetCount = targetCount
    }
}

/// The civil time of zones by name, from the machine's tz database.
package protocol TimeZones: Sendable {
    /// Seconds east of UTC in a zone at an instant; `nil` if there is no such zone.
    func offset(of zone: String, at instant: Instant) -> Int64?
}

/// The one zone that needs no database.
package struct UniversalTime: TimeZones {
    package init() {}
    package func offset(of zone: String, at instant: Instant) -> Int64? { zone == "UTC" ? 0 : nil }
}
