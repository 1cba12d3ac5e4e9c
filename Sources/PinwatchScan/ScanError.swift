/// Why scanning could not be set up. Nothing that a target does ends here: that is an outcome.
package enum ScanError: Error, Hashable, CustomStringConvertible {
    /// OpenSSL's set-up failed, with its own words.
    case handshakes(String)
    /// A system call failed, by name and errno.
    case system(call: String, number: Int32)
    /// c-ares could not be set up, with its own words.
    case resolver(String)

    /// More addresses at once than the process may open descriptors for, those kept for other things left aside.
    case tooManyInFlight(inFlight: Int, descriptors: Int)

    package var description: String {
        switch self {
        case .handshakes(let reason): reason
        case .system(let call, let number): "Scanning cannot start: \(call) failed: \(SystemError.text(number))"
        case .tooManyInFlight(let inFlight, let descriptors):
            "Scanning cannot start: scan.in_flight is \(inFlight), but this process may open \(descriptors) descriptors, "
                + "of which \(DescriptorLimit.reserve) are kept for other things. Lower scan.in_flight, or raise the limit "
                + "(LimitNOFILE= in the systemd unit, `ulimit -n` in a shell)."
        case .resolver(let reason): "Scanning cannot start: the resolver (c-ares) failed: \(reason)"
        }
    }
}
