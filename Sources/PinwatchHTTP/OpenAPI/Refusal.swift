internal import PinwatchCore

/// The problem answers that routes have in common. What a conflict is, each operation says itself.
enum Refusal: Int, Sendable, CaseIterable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case notAcceptable = 406
    case preconditionFailed = 412
    case tooLarge = 413
    case targetTooLong = 414
    case unsupportedMediaType = 415
    case misdirected = 421
    case headersTooLarge = 431
    case unprocessable = 422
    case tooManyRequests = 429
    case internalError = 500
    case unavailable = 503

    /// Its name among the document's responses.
    var name: String {
        switch self {
        case .badRequest: "BadRequest"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "NotFound"
        case .notAcceptable: "NotAcceptable"
        case .preconditionFailed: "PreconditionFailed"
        case .tooLarge: "TooLarge"
        case .targetTooLong: "TargetTooLong"
        case .headersTooLarge: "HeadersTooLarge"
        case .unsupportedMediaType: "UnsupportedMediaType"
        case .misdirected: "Misdirected"
        case .unprocessable: "Unprocessable"
        case .tooManyRequests: "TooManyRequests"
        case .internalError: "InternalError"
        case .unavailable: "Unavailable"
        }
    }

    private var about: String {
        switch self {
        case .badRequest: "The request cannot be read: its path, its query, or a body that is no JSON."
        case .unauthorized: "No valid token or session."
        case .forbidden: "The role does not allow it, or a browser sent it from another site."
        case .notFound: "There is nothing of this id."
        case .notAcceptable: "The Accept header rules out what this is given as."
        case .preconditionFailed: "If-Match names another revision than there is."
        case .tooLarge: "The body is larger than is taken here."
        case .targetTooLong: "The path and query are longer than 8,192 bytes."
        case .headersTooLarge: "The headers are larger than are taken."
        case .unsupportedMediaType: "The body must be sent as application/json."
        case .misdirected: "The service does not answer to the Host that was asked for."
        case .unprocessable: "The body is JSON, but not what is needed here; each field at fault is named."
        case .tooManyRequests: "Too many writes or tries; `Retry-After` says in how many seconds to go on."
        case .internalError: "Something went wrong; the log has it under the id that is given."
        case .unavailable: "The service is starting or stopping, or the answer took too long."
        }
    }

    /// Headers that come with it.
    private var headers: [(String, String)] {
        switch self {
        case .unauthorized: [("WWW-Authenticate", "How to say who asks (RFC 6750).")]
        case .tooManyRequests: [("Retry-After", "Seconds.")]
        case .badRequest, .forbidden, .notFound, .notAcceptable, .preconditionFailed, .tooLarge, .targetTooLong,
            .headersTooLarge, .unsupportedMediaType, .misdirected, .unprocessable, .internalError, .unavailable:
            []
        }
    }

    var document: JSON { Self.document(about, headers) }

    /// A problem answer in other words.
    static func document(_ about: String, _ headers: [(String, String)] = []) -> JSON {
        .object(
            [("description", .string(about))]
                + (headers.isEmpty ? [] : [("headers", Route.headers(headers))])
                + [("content", Route.content([("application/problem+json", .named(.problem))]))])
    }

    var reference: JSON { .object([("$ref", .string("#/components/responses/" + name))]) }
}
