extension Preflight {
    /// What it means for the users of one app on one system.
    package struct Users: Sendable, Hashable {
        package let app: String
        /// `nil` where neither file nor client library tells.
        package let system: Platform.System?
        /// Parts of these users, 0 to 1, whose releases reject the candidate, and of which it could not be told; `nil`
        /// where the share of such a release is not known.
        package let rejected: Double?
        package let unknown: Double?
        /// `rejected for 31 % of iOS users of shop-ios`.
        package let sentence: String
    }

    /// One for each app and system of the releases that count, those it goes worst with first.
    package var users: [Users] {
        struct Group: Hashable {
            let app: String
            let system: Platform.System?
        }
        var order: [Group] = []
        var groups: [Group: [Row]] = [:]
        for row in rows where row.decides {
            let group = Group(app: row.release.definition.identity.app, system: row.release.system)
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(row)
        }
        let counted = order.map { group in UserCount(app: group.app, system: group.system, rows: groups[group] ?? []) }
        return counted.filter { !$0.rejected.isEmpty }.map(\.users)
            + counted.filter { $0.rejected.isEmpty && !$0.unknown.isEmpty }.map(\.users)
            + counted.filter { $0.rejected.isEmpty && $0.unknown.isEmpty }.map(\.users)
    }

    /// The answer in one or two sentences.
    package var sentence: String {
        guard isThirdParty else { return verdict }
        let told = verdict.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? verdict
        return "Neither go nor stop: \(host) is a third party's, whose keys are rotated without asking. The candidate: "
            + told
    }

    private var verdict: String {
        let deciding = rows.filter(\.decides)
        let statuses = deciding.map { CheckExit($0.verdict.deciding) }
        let (bad, open) = (statuses.count { $0 == .bad }, statuses.count { $0 == .couldNotTell })
        let affected = users.filter { one in
            (bad > 0 ? ["rejected", "not pinned"] : ["not known"]).contains { one.sentence.hasPrefix($0) }
        }.map(\.sentence)
        let rest = affected.count > 3 ? "; and \(affected.count - 3) more" : ""
        let told = affected.prefix(3).joined(separator: "; ") + rest
        if bad > 0 { return "Stop: \(told)." }
        if open > 0 { return "Could not tell: \(told)." }
        let accepting = deciding.count { $0.verdict.deciding.kind == .accept }
        guard accepting > 0 else { return "Go: no release build that is known here pins \(host)." }
        return accepting == 1
            ? "Go: the release that pins \(host) accepts it."
            : "Go: all \(accepting) releases that pin \(host) accept it."
    }
}

/// The releases of an app on a system, counted by what they make of a candidate.
private struct UserCount {
    let app: String
    let system: Platform.System?
    let rows: [Preflight.Row]

    /// Whose releases stop the rotation: those that reject it, or where there are none, that a trap leaves unpinned.
    var rejected: [Preflight.Row] {
        let bad = rows.filter { CheckExit($0.verdict.deciding) == .bad }
        let cut = bad.filter { $0.verdict.deciding.kind != .unpinned }
        return cut.isEmpty ? bad : cut
    }
    var unknown: [Preflight.Row] { rows.filter { CheckExit($0.verdict.deciding) == .couldNotTell } }

    var users: Preflight.Users {
        Preflight.Users(
            app: app, system: system, rejected: Self.sum(rejected), unknown: Self.sum(unknown), sentence: sentence)
    }

    private var sentence: String {
        if !rejected.isEmpty {
            // Nobody is cut off by a trap; but nothing guards the connection either.
            let isCut = rejected.contains { $0.verdict.deciding.kind != .unpinned }
            return words(isCut ? "rejected" : "not pinned", rejected)
        }
        if !unknown.isEmpty { return words("not known", unknown) }
        return "accepted for " + whose
    }

    private func words(_ word: String, _ affected: [Preflight.Row]) -> String {
        if let share = Self.sum(affected) { return "\(word) for \(Self.percent(share)) of \(whose)" }
        let count = rows.count == 1 ? "the release" : "\(affected.count) of \(rows.count) releases"
        let least = affected.compactMap(\.release.definition.share).reduce(0, +)
        return "\(word) \(word == "rejected" ? "by" : "for") \(count) of \(app)\(onSystem)"
            + (least > 0 ? ", at least \(Self.percent(least)) of its users" : "")
    }

    private var whose: String { (system.map { $0.words + " " } ?? "") + "users of \(app)" }
    private var onSystem: String { system.map { " for \($0.words)" } ?? "" }

    /// `nil` where a share is not known.
    private static func sum(_ rows: [Preflight.Row]) -> Double? {
        let shares = rows.compactMap(\.release.definition.share)
        guard shares.count == rows.count else { return nil }
        // Decimal fractions summed in binary: 0.1 and 0.2 are to be 0.3.
        return min((shares.reduce(0, +) * 1_000_000).rounded() / 1_000_000, 1)
    }

    private static func percent(_ share: Double) -> String {
        let percent = (min(share, 1) * 100).rounded()
        if percent < 1 { return share > 0 ? "under 1 %" : "0 %" }
        return "\(Int(percent)) %"
    }
}

extension Platform.System {
    /// As people write it.
    package var words: String {
        switch self {
        case .ios: "iOS"
        case .macos: "macOS"
        case .android: "Android"
        case .jvm: "JVM"
        case .linux: "Linux"
        }
    }
}
