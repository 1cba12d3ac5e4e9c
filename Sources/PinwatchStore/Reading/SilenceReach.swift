internal import PinwatchCore

/// What a silence's matchers may cover, as SQL asks for it by index: of findings more than
/// ``Silence/Matchers/cover(_:targets:)`` does where several targets are concerned, never less; of targets exactly it.
struct SilenceReach {
    private let ofFinding: [String]
    private let ofTarget: [String]
    private let findingValues: Values
    /// For ``targets``.
    let targetValues: Values
    /// For ``findings(_:states:)``.
    var values: Values { findingValues + targetValues }

    init(_ matchers: Silence.Matchers) {
        var (ofFinding, ofTarget): ([String], [String]) = ([], [])
        let kinds = NamedList("kind", matchers.kinds.map(\.rawValue).sorted().map { .text($0) })
        if !kinds.values.isEmpty { ofFinding.append("finding.kind IN \(kinds.sql)") }
        let severities = NamedList("severity", matchers.severities.map(\.storedRank).sorted().map { .integer($0) })
        if !severities.values.isEmpty { ofFinding.append("finding.severity IN \(severities.sql)") }
        let targets = NamedList("target", matchers.targets.sorted().map { .integer($0.rawValue) })
        if !targets.values.isEmpty { ofTarget.append("target.id IN \(targets.sql)") }
        var values = targets.values
        if let host = matchers.normalisedHost {
            let isSuffix = host.hasPrefix("*.")
            let suffix = host.dropFirst().map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
            ofTarget.append(isSuffix ? "target.host LIKE :host ESCAPE '\\'" : "target.host = :host")
            values.append(("host", .text(isSuffix ? "%" + suffix : host)))
        }
        for (index, label) in matchers.labels.sorted(by: { $0.key < $1.key }).enumerated() {
            ofTarget.append(
                """
                target.id IN (SELECT target_id FROM target_label
                  WHERE name = :label\(index)_name AND value = :label\(index)_value)
                """)
            values += [("label\(index)_name", .text(label.key)), ("label\(index)_value", .text(label.value))]
        }
        (self.ofFinding, self.ofTarget) = (ofFinding, ofTarget)
        (findingValues, targetValues) = (kinds.values + severities.values, values)
    }

    /// Whether a finding's targets count at all.
    var asksForTarget: Bool { !ofTarget.isEmpty }

    /// Of targets that are configured.
    var targets: String {
        "target_standing standing JOIN target ON target.id = standing.target_id" + Self.clause(ofTarget)
    }

    /// Selects columns of `finding` and `alert`, of each finding once that has an alert in one of some states.
    ///
    /// A finding about a host as a whole has no target of its own. The cross joins keep SQLite from starting at all
    /// findings.
    func findings(_ columns: String, states: [AlertState]) -> String {
        let words = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let conditions = ofFinding + ["alert.state IN (\(words))"]
        let alert = "CROSS JOIN alert ON alert.id = finding.alert_id"
        guard asksForTarget else { return "SELECT \(columns) FROM finding \(alert)\(Self.clause(conditions))" }
        return """
            SELECT \(columns) FROM target CROSS JOIN finding ON finding.target_id = target.id
            \(alert)\(Self.clause(ofTarget + conditions))
            UNION SELECT \(columns) FROM target
            CROSS JOIN finding ON finding.scope_key = 'host/' || target.host AND finding.target_id IS NULL
            \(alert)\(Self.clause(ofTarget + conditions))
            """
    }

    private static func clause(_ conditions: [String]) -> String {
        conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }
}
