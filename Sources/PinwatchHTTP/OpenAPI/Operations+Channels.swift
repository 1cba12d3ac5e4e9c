internal import PinwatchCore

extension Operation {
    static func listChannels(_ query: ListQuery) -> Operation {
        Operation(
            "listChannels", "Lists where alerts are sent to, by name.", .channels, query: .list(query),
            answers: [.ok(.page(of: .named(.channel)))])
    }

    static let createChannel = Operation(
        "createChannel", "Adds a channel. A webhook without a secret gets one, which this answer shows once.",
        .channels, body: ChannelBody.shape.schema, answers: [.created(.named(.channelWithSecret))],
        refusals: [(409, "There is a channel of this name already.")])

    static let readChannel = Operation(
        "readChannel", "Shows a channel.", .channels, answers: [.ok(.named(.channel))])

    static let changeChannel = Operation(
        "changeChannel", "Changes a channel (RFC 7396), or gives it a new secret, which this answer shows once.",
        .channels, body: ChannelEdit.shape.schema, answers: [.ok(.named(.channelWithSecret))], isConditional: true,
        refusals: [managedByConfig])

    static let deleteChannel = Operation(
        "deleteChannel", "Removes a channel. What is owed to it is dropped.", .channels, answers: [.done],
        isConditional: true, refusals: [(409, "A route names it, or it is set in the configuration file.")])

    static let testChannel = Operation(
        "testChannel", "Sends a test message to a channel, and says what came of it.", .channels,
        answers: [.ok(.named(.channelTest), "What came of it, delivered or not.")],
        refusals: [(409, "Its secrets cannot be read.")])

    static func listRoutes(_ query: ListQuery) -> Operation {
        Operation(
            "listRoutes",
            "Lists which alerts and events go where. Without any, every channel hears of criticals and warnings.",
            .routes, query: .list(query), answers: [.ok(.page(of: .named(.route)))])
    }

    static let createRoute = Operation(
        "createRoute", "Sends certain alerts and events to channels.", .routes, body: AlertRouteEdit.creation.schema,
        answers: [.created(.named(.route))], refusals: [(409, "Something that there is stands against it.")])

    static let readRoute = Operation("readRoute", "Shows a route.", .routes, answers: [.ok(.named(.route))])

    static let changeRoute = Operation(
        "changeRoute", "Changes a route (RFC 7396).", .routes, body: AlertRouteEdit.change.schema,
        answers: [.ok(.named(.route))], isConditional: true, refusals: [managedByConfig])

    static let deleteRoute = Operation(
        "deleteRoute", "Removes a route.", .routes, answers: [.done], isConditional: true,
        refusals: [managedByConfig])
}
