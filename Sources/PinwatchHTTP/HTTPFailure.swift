internal import CLinux
internal import PinwatchCore

/// Why the HTTP side could not start.
package enum HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address cannot be listened on; `errno` of the step that failed.
    case cannotListen(address: String, errno: Int32)
    /// libmicrohttpd made no daemon: it is out of threads, memory or descriptors.
    case daemonRefused(address: String)
    /// The certificate and key that were given cannot be used, and why.
    case certificate(reason: String)
    /// A file of the public folder cannot be served from memory, and why.
    case publicFolder(path: String, reason: String)

    package var description: String {
        switch self {
        case .cannotListen(let address, let errno):
            "cannot listen on \(address): \(unsafe String(cString: pinwatch_error_text(errno))); free the port or choose another"
        case .daemonRefused(let address):
            "cannot start the HTTP server on \(address): raise the limits on threads and open files"
        case .certificate(let reason):
            "the certificate and key of the service's port cannot be used: \(reason)"
                + "; give a PEM chain, leaf first, and the leaf's own key without a password"
        case .publicFolder(let path, let reason): "\(path): \(reason)"
        }
    }
}
