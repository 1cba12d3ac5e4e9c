package import PinwatchCore

/// Why no answer came to a try.
package enum AttemptFailure: Error, Hashable, Sendable {
    case urlMalformed
    /// The name led to a private address, and the channel may not go there.
    case addressPrivate(IPAddress)
    /// The name led to a link-local or metadata address, where no channel may go.
    case addressDenied(IPAddress)
    case timedOut(milliseconds: Int)
    /// libcurl's words: name resolution, connecting, TLS, a broken answer.
    case transport(String)
    /// The caller gave the try up; whether the receiver saw it is not known.
    case cancelled

    /// What is written to the delivery's attempts, before anything secret is taken out of it.
    package var words: String {
        switch self {
        case .urlMalformed:
            "the channel's url is not an http or https URL"
        case .addressPrivate(let address):
            "\(address) is a private address: set allow_private on the channel if it is meant to be reached"
        case .addressDenied(let address):
            "\(address) is a link-local or metadata address, which no channel may reach"
        case .timedOut(let milliseconds):
            "no answer within \(milliseconds / 1_000) s"
        case .transport(let text):
            text
        case .cancelled:
            "given up before an answer came"
        }
    }
}
