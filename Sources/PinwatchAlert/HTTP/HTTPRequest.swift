package import PinwatchCore

/// One header field of a request. Names and values hold no line breaks: they are made from ids, numbers and base64.
package struct HTTPHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The methods that are used.
package enum HTTPMethod: Sendable, Hashable {
    case get, post
}

/// A request to be tried once.
package struct HTTPRequest: Sendable {
    package let url: Secret
    package let headers: [HTTPHeader]
    package let method: HTTPMethod
    /// What is posted; empty for a `GET`.
    package let body: [UInt8]
    package let addresses: AddressRule
    /// Bytes of the answer's body that are kept. Of receivers' answers a few serve for words, so that a secret which one
    /// repeats is seen whole before the words are shortened.
    package let keptBytes: Int

    package init(
        url: Secret, headers: [HTTPHeader], method: HTTPMethod = .post, body: [UInt8], addresses: AddressRule,
        keptBytes: Int = 4_096
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.addresses = addresses
        self.keptBytes = keptBytes
    }
}

/// What is kept of an answer.
package struct HTTPAnswer: Hashable, Sendable {
    /// The final status, 200 to 999.
    package let status: Int
    /// The `Retry-After` field as sent, at most 100 bytes of it.
    package let retryAfter: String?
    /// Where a redirect leads, as an absolute URL; nobody follows it here.
    package let location: String?
    /// The body as sent, as far as the request keeps it.
    package let body: [UInt8]
    /// Whether that is all of it.
    package let isWhole: Bool

    package init(
        status: Int, retryAfter: String? = nil, location: String? = nil, body: [UInt8] = [], isWhole: Bool = true
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.location = location
        self.body = body
        self.isWhole = isWhole
    }

    /// The beginning of the body; bad UTF-8 is replaced, nothing else.
    package var beginning: String { String(decoding: body, as: UTF8.self) }
}

/// What came of one try.
package struct HTTPExchange: Hashable, Sendable {
    package let outcome: Result<HTTPAnswer, AttemptFailure>
    /// From the start of name resolution to the end of the try.
    package let milliseconds: Int64

    package init(outcome: Result<HTTPAnswer, AttemptFailure>, milliseconds: Int64) {
        self.outcome = outcome
        self.milliseconds = milliseconds
    }

    /// The answer; `nil` where none came.
    var answer: HTTPAnswer? {
        switch outcome {
        case .success(let answer): answer
        case .failure: nil
        }
    }
}

/// Tries a request once; ``CurlClient/send(_:)`` in the service.
package typealias HTTPSend = @Sendable (HTTPRequest) async -> HTTPExchange
