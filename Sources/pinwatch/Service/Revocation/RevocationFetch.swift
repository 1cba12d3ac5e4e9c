internal import PinwatchAlert
internal import PinwatchCore

/// Fetches answers from where certificates say that they are: bounded in bytes, redirects and time, never from a denied
/// address, and for public authorities never from a private one.
struct RevocationFetch: Sendable {
    private static let redirects = 3

    let http: HTTPSend
    /// Of the configuration in force.
    let denied: @Sendable () -> [IPNetwork]

    /// - Parameters:
    ///   - request: DER of an OCSP request; `nil` gets a list.
    ///   - isPublic: See ``RevocationQuestion/isPublic``.
    ///   - limit: The most bytes that are taken.
    func body(
        of url: String, posting request: [UInt8]?, isPublic: Bool, limit: Int
    ) async throws(RevocationTrouble) -> [UInt8] {
        var place = url
        for _ in 0...Self.redirects {
            let exchange = await http(
                HTTPRequest(
                    url: Secret(place),
                    headers: request == nil
                        ? []
                        : [
                            HTTPHeader("Content-Type", "application/ocsp-request"),
                            HTTPHeader("Accept", "application/ocsp-response"),
                        ],
                    method: request == nil ? .get : .post, body: request ?? [],
                    addresses: AddressRule(allowPrivate: !isPublic, denied: denied()), keptBytes: limit))
            let answer: HTTPAnswer
            switch exchange.outcome {
            case .success(let found): answer = found
            case .failure(let failure): throw RevocationTrouble(message: failure.wordsOfFetching, isOfPlace: true)
            }
            if (300..<400).contains(answer.status), let next = answer.location {
                place = next
                continue
            }
            guard answer.status == 200 else {
                throw RevocationTrouble(message: "answered by \(answer.status)", isOfPlace: true)
            }
            guard answer.isWhole else {
                throw RevocationTrouble(message: "more than \(limit) bytes came, or they broke off", isOfPlace: true)
            }
            return answer.body
        }
        throw RevocationTrouble(message: "more than \(Self.redirects) redirects", isOfPlace: true)
    }
}

extension AttemptFailure {
    fileprivate var wordsOfFetching: String {
        switch self {
        case .urlMalformed: "this is no http or https URL"
        case .addressPrivate(let address): "\(address) is a private address, where no public authority answers"
        case .addressDenied(let address): "scan.deny_addresses forbids \(address)"
        case .timedOut, .transport, .cancelled: words
        }
    }
}
