internal import CIDN2
package import PinwatchCore

/// International host names by libidn2: IDNA 2008 with the non-transitional mapping of Unicode TR46.
///
/// Foundation converts names in a dynamically linked binary and leaves them as they are in a static one, so it is not
/// asked. The library keeps no state between calls.
package struct LibIDN2: IDNA {
    package init() {}

    /// See `idn2_lookup_u8(3)`; the input is normalised to NFC and mapped to lower case first.
    package func ascii(_ name: String) throws(HostProblem) -> String {
        // The library reads up to the first NUL and would answer for another name.
        guard !name.utf8.contains(0) else { throw HostProblem("a host name must not hold a NUL character") }
        switch lookup(name) {
        case .converted(let ascii):
            return ascii.lowercased()
        case .refused(let why):
            throw HostProblem("\"\(name.prefix(100))\" is not a valid international host name: \(why)")
        }
    }

    /// See `idn2_to_unicode_8z8z(3)`. A Unicode form that does not lead back to the same name would show people another
    /// host than the one that is watched, so then the A-labels are shown.
    package func unicode(_ name: HostName) -> String {
        var output: UnsafeMutablePointer<CChar>?
        guard unsafe idn2_to_unicode_8z8z(name.ascii, &output, 0) == Int32(IDN2_OK.rawValue), let output = unsafe output
        else { return name.ascii }
        defer { unsafe idn2_free(output) }
        let unicode = unsafe String(cString: output)
        guard case .converted(let back) = lookup(unicode), back.lowercased() == name.ascii else { return name.ascii }
        return unicode
    }

    private enum Lookup {
        case converted(String)
        case refused(String)
    }

    private func lookup(_ name: String) -> Lookup {
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        var output: UnsafeMutablePointer<UInt8>?
        let code = unsafe name.withCString { source in
            unsafe source.withMemoryRebound(to: UInt8.self, capacity: name.utf8.count + 1) { bytes in
                unsafe idn2_lookup_u8(bytes, &output, flags)
            }
        }
        guard code == Int32(IDN2_OK.rawValue), let output = unsafe output else {
            return .refused(unsafe String(cString: idn2_strerror(code)))
        }
        defer { unsafe idn2_free(output) }
        return .converted(unsafe String(cString: output))
    }
}
