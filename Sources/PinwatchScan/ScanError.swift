/// Why scanning could not be set up. Nothing that a target does ends here: that is an outcome.
package enum ScanError: Error, Hashable, CustomStringConvertible {
    /// OpenSSL's set-up failed, with its own words.
    case handshakes(String)
    /// A system call failed, by name and errno.
    case system(call: String, number: Int32)
    /// c-ares could not be set up, with its own words.
    case resolver(String)

    package var description: String {
        switch self {
        case .handshakes(let reason): reason
        case .system(let call, let number): "Scanning cannot start: \(call) failed: \(SystemError.text(number))"
        case .resolver(let reason): "Scanning cannot start: the resolver (c-ares) failed: \(reason)"
        }
    }
}
