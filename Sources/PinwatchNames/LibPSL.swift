internal import CPSL
internal import PinwatchCore

/// The public suffix list that libpsl was built with (Debian's `publicsuffix`), its private section included.
///
/// The built-in list is constant data, so it is read from any thread; see `psl_builtin(3)`.
package struct LibPSL: PublicSuffixes {
    package init() {}

    /// See `psl_unregistrable_domain(3)`, after `psl_is_public_suffix2(3)` has told listed names from those that only
    /// the list's unwritten rule `*` covers.
    package func suffixLength(of host: String) -> Int? {
        guard let list = unsafe psl_builtin(), !host.isEmpty, !host.utf8.contains(0) else { return nil }
        return unsafe host.withCString { name -> Int? in
            guard let suffix = unsafe psl_unregistrable_domain(list, name) else { return nil }
            let length = unsafe String(cString: suffix).utf8.count
            // A single label is a suffix by the unwritten rule; without it an unlisted one is none.
            let isListed =
                unsafe psl_is_public_suffix2(
                    list, suffix, Int32(PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE)) == 1
            return isListed ? length : nil
        }
    }
}
