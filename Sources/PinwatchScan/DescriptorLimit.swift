internal import Glibc

/// How many descriptors this process may have open (getrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
    /// Descriptors left to everything but visits: database, HTTP clients, deliveries, resolver, loops.
    package static let reserve = 128
    /// More than any scanner uses; some systems set the hard limit to a thousand million.
    private static let ceiling: rlim_t = 1_048_576

    /// The soft limit at present.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to the hard one, at most to 1,048,576; never lowers it. For the start of a process.
    ///
    /// - Returns: The soft limit afterwards; as before where the system refuses.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return current }
        let wanted = min(limit.rlim_max, ceiling)
        guard limit.rlim_cur < wanted else { return current }
        limit.rlim_cur = wanted
        unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return current
    }
}
