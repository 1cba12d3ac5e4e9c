internal import PinwatchCore

/// A kind of thing that the API has by id, in the words of its answers.
struct Noun: Sendable {
    /// `target`, as in "this target" and "there is no target".
    let word: String
    /// `/api/v1/targets`.
    let path: String

    static let target = Noun(word: "target", path: "/api/v1/targets")
    static let pinSet = Noun(word: "pin set", path: "/api/v1/pin-sets")
    static let channel = Noun(word: "channel", path: "/api/v1/channels")
    static let route = Noun(word: "route", path: "/api/v1/routes")
    static let silence = Noun(word: "silence", path: "/api/v1/silences")
    static let alert = Noun(word: "alert", path: "/api/v1/alerts")
    static let delivery = Noun(word: "delivery", path: "/api/v1/deliveries")
    static let event = Noun(word: "event", path: "/api/v1/events")
    static let token = Noun(word: "token", path: "/api/v1/tokens")

    var missing: Problem { Problem(404, "There is no \(word) with this id; \(path) lists them.") }

    /// The number that the path's `{id}` is.
    ///
    /// - Throws: A ``Problem`` 404 for what cannot be an id of these.
    func number(in call: Call) throws(Problem) -> Int64 {
        guard let id = Identifier.number(call.parameter("id")) else { throw missing }
        return id
    }

    /// - Throws: A ``Problem`` 404 if there is none.
    func found<Record>(_ record: Record?) throws(Problem) -> Record {
        guard let record else { throw missing }
        return record
    }

    func location(of id: String) -> Response.Header { .init("Location", path + "/" + id) }
}

extension ServiceContext {
    /// Makes a change that the caller asks for, and gives each ``ChangeRefusal`` its answer.
    func change<Result>(
        _ noun: Noun, _ call: Call, _ make: (any ManagingStore, Change) async throws -> Result
    ) async throws -> Result {
        let change = try call.change
        do {
            return try await make(managing, change)
        } catch let refusal as ChangeRefusal {
            throw await problem(refusal, noun)
        }
    }

    private func problem(_ refusal: ChangeRefusal, _ noun: Noun) async -> Problem {
        switch refusal {
        case .unknown: return noun.missing
        case .managedByConfig:
            let file = await administration.settings().file
            return Problem(
                409,
                "This \(noun.word) is set in the configuration file\(file.map { " " + $0 } ?? ""); change it there and "
                    + "reload.")
        case .exists(let id):
            return Problem(
                409, "It is there already: \(noun.word) \(id). Change that one at \(noun.path)/\(id).",
                pinSetID: noun.path == Noun.pinSet.path ? id : nil)
        case .someExist(let existing):
            let places = existing.map { "[\($0.index)] \($0.label) is \(noun.word) \($0.id)" }
            return Problem(
                409,
                "Nothing was added, for some are there already: \(Self.list(places)). Leave these out, or change them "
                    + "at \(noun.path).",
                errors: existing.prefix(100).map {
                    .init(
                        field: "[\($0.index)].host",
                        message: "\($0.label) is there already: \(noun.word) \($0.id); leave it out")
                })
        case .revised(let current):
            return Problem(
                412,
                "This \(noun.word) was changed by somebody else: its revision is now \(current). Read it again, and "
                    + "make the change from there.")
        case .conflict(let words): return Problem(409, words)
        case .invalid(let field, let message):
            return Problem(
                422, "The \(noun.word)'s \(field) cannot be taken: \(message)",
                errors: [.init(field: field, message: message)])
        }
    }
}

extension ServiceContext {
    /// The first of several, and how many are left.
    fileprivate static func list(_ words: [String]) -> String {
        let shown = words.prefix(5).joined(separator: ", ")
        return words.count > 5 ? "\(shown) and \(words.count - 5) more" : shown
    }
}

extension Call {
    /// Who asks for the change that this call is, and of which state of the thing.
    var change: Change {
        get throws(Problem) {
            guard let principal else { throw Problem(401, "Who asks for this is not known.") }
            return Change(by: principal, from: address, at: now, expecting: try IfMatch.revision(in: request))
        }
    }
}

/// `If-Match` (RFC 9110 section 13.1.1), of whose entity tags only the revision counts: what a scan changed between
/// reading and saving is no conflict. Weakened tags count too, since the revision in them is what it was.
enum IfMatch {
    /// - Returns: `nil` where any state will do.
    /// - Throws: A ``Problem`` 412 for tags that none of this API's are.
    static func revision(in request: Request) throws(Problem) -> Int64? {
        let values = request.values(of: "if-match")
        let tags: [String] = values.joined(separator: ",").split(separator: ",")
            .map { tag in String(tag.filter { $0 != " " && $0 != "\t" }) }
        if values.isEmpty || tags == ["*"] { return nil }
        guard tags.count == 1, let tag = tags.first, let revision = revision(of: tag) else {
            throw Problem(
                412, "If-Match must be one ETag as a GET of this thing gave it, or *: the state to change is not known."
            )
        }
        return revision
    }

    /// The number before the dot of `"7.3f…"`.
    private static func revision(of tag: String) -> Int64? {
        let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        guard strong.count >= 2, strong.first == "\"", strong.last == "\"" else { return nil }
        let parts = strong.dropFirst().dropLast().split(separator: ".")
        return parts.count == 2 ? Identifier.number(String(parts[0])) : nil
    }
}
