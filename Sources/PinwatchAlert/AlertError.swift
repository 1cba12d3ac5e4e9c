/// Why the courier or its client cannot be set up. What goes wrong while sending is an ``AttemptFailure`` instead.
package enum AlertError: Error, Hashable, Sendable, CustomStringConvertible {
    case secretMissing(channel: String)
    case secretMalformed(channel: String)
    /// libcurl or its thread could not be started; the words are the library's or the system's.
    case client(String)

    package var description: String {
        switch self {
        case .secretMissing(let channel):
            "channel \(channel): a webhook channel signs its messages, so it needs a secret: whsec_ and base64"
        case .secretMalformed(let channel):
            "channel \(channel): the secret must be whsec_ followed by the key in base64"
        case .client(let words):
            "cannot start the HTTP client: \(words)"
        }
    }
}
