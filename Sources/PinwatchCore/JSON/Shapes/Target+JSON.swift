extension Target {
    /// The configured part of the contract's `target`, as members for the API's shape and for a message's `subjects`.
    ///
    /// - Parameter unicode: The host for people; see ``IDNA``.
    package func members(unicode: String) -> [(String, JSON)] {
        [
            ("id", .string(id.text)), ("host", .string(host.text)), ("host_unicode", .string(unicode)),
            ("port", .integer(Int64(identity.port))), ("sni", .text(identity.sni?.ascii)),
            ("starttls", .text(identity.startTLS?.rawValue)), ("owner", .string(settings.owner.rawValue)),
            ("labels", .object(settings.labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
    }
}
