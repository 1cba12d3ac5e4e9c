internal import PinwatchCore

/// A channel as a courier works with it.
struct Assignment: Sendable {
    let channel: Channel
    let format: any ChannelFormat
    let redaction: Redaction

    /// - Throws: ``AlertError`` for a channel whose secret is missing or cannot be read.
    init(_ channel: Channel) throws(AlertError) {
        self.channel = channel
        format = try channel.format()
        redaction = Redaction(url: channel.url)
    }

    /// One try of a message.
    func request(id: String, body: [UInt8], now: Instant) -> HTTPRequest {
        HTTPRequest(
            url: channel.url, headers: format.headers(id: id, body: body, now: now), body: body,
            addresses: AddressRule(allowPrivate: channel.allowPrivate))
    }

    /// What came of a try begun at `start`, in words without anything secret.
    func attempt(at start: Instant, _ exchange: HTTPExchange) -> Attempt {
        Attempt(
            at: start, status: exchange.answer?.status, error: exchange.error(redaction),
            milliseconds: exchange.milliseconds)
    }
}

extension HTTPExchange {
    /// Why a try failed, for the attempt's record: one line, nothing secret, at most 200 characters of it from outside.
    fileprivate func error(_ redaction: Redaction) -> String? {
        switch outcome {
        case .failure(let failure): return redaction.clean(failure.words).visible(limit: 300)
        case .success(let answer):
            switch answer.status {
            case 200...299: return nil
            case 300...399: return "HTTP \(answer.status): redirects are not followed"
            case 410: return "HTTP 410: the receiver says that it is gone for good"
            default:
                let line = redaction.clean(answer.beginning).split(whereSeparator: \.isWhitespace).joined(
                    separator: " ")
                return "HTTP \(answer.status)" + (line.isEmpty ? "" : ": " + line.visible(limit: 200))
            }
        }
    }
}
