internal import PinwatchCore

/// `settings`: the configuration in force, which is changed in its file and read again here.
enum Settings {
    static func routes(_ context: ServiceContext) -> [Route] {
        let admin = Access.role(.admin)
        return [
            Route(.get, "/api/v1/settings", .readSettings, access: admin) { _ in
                Response(json: await context.administration.settings().json(version: context.version))
            },
            Route(.post, "/api/v1/settings/reload", .reloadSettings, access: admin) { call in
                let running = context.administration
                do {
                    return Response(json: try await running.reload(try call.change).json)
                } catch let faults as ReloadFaults {
                    throw Problem(
                        422, "The configuration has faults, so the one before stays in force; see errors.",
                        errors: faults.problems.map { .init(field: $0.place, message: $0.message) })
                }
            },
        ]
    }
}

extension PinwatchCore.Problem {
    /// `file:line:column`.
    fileprivate var place: String { mark.map { "\(file):\($0.line):\($0.column)" } ?? file }
}
